import type { INodeProperties } from 'n8n-workflow';

/** The address an operation works on. `description` says what it does with it. */
export function url(description: string, placeholder: string): INodeProperties {
	return {
		displayName: 'URL',
		name: 'url',
		type: 'string',
		typeOptions: { sentAs: 'url' },
		default: '',
		required: true,
		placeholder,
		description,
		routing: { send: { type: 'body', property: 'url' } },
	};
}
