import type { INodeProperties } from 'n8n-workflow';

/**
 * The escape hatch, an option of every operation with a body: for what the service learns before this
 * package does.
 */
export const additionalFields: INodeProperties = {
	displayName: 'Additional Fields (JSON)',
	name: 'additionalFields',
	type: 'json',
	typeOptions: { sentAs: 'body' },
	default: '{}',
	placeholder: 'e.g. { "newOption": true }',
	description:
		'Extra fields for the API request, as a JSON object. They override the fields of the panel; a hint says so.',
};
