import type { INodeProperties } from 'n8n-workflow';

/** An address that is needed, sent as `url`. `description` says what is done with it. */
export function url(description: string, placeholder: string, example = ''): INodeProperties {
	return {
		displayName: 'URL',
		name: 'url',
		type: 'string',
		typeOptions: { sentAs: 'url' },
		default: example,
		required: true,
		placeholder,
		description,
		routing: { send: { type: 'body', property: 'url' } },
	};
}
