import type { INodeProperties } from 'n8n-workflow';

/** Where a request should appear to come from (shape `location`). Also an option of Map. */
export const location: INodeProperties = {
	displayName: 'Location',
	name: 'location',
	type: 'collection',
	placeholder: 'Add location option',
	default: {},
	description: 'Where the request should appear to come from',
	options: [
		{
			displayName: 'Country',
			name: 'country',
			type: 'string',
			typeOptions: { sentAs: 'countryCode' },
			default: 'US',
			placeholder: 'e.g. DE',
			description: 'Two-letter country code (ISO 3166-1), such as DE',
			routing: { send: { type: 'body', property: 'country' } },
		},
		{
			displayName: 'Languages',
			name: 'languages',
			type: 'string',
			typeOptions: { sentAs: 'list' },
			default: '',
			placeholder: 'e.g. de-DE, en',
			description:
				'Preferred languages as codes such as de-DE, best first, separated by commas. Without this option: those of the country.',
			routing: { send: { type: 'body', property: 'languages' } },
		},
	],
	routing: { send: { type: 'body', property: 'location' } },
};

/** Names the acting user in audit logs (shape `auditMetadata`). Also an option of Map. */
export const auditMetadata: INodeProperties = {
	displayName: 'Audit User Name',
	name: 'auditUsername',
	type: 'string',
	typeOptions: { maxLength: 1024 },
	default: '',
	placeholder: 'e.g. jane@example.com',
	description:
		'Acting user to name in the log events of the organization (SIEM), at most 1024 characters. Enterprise only.',
	routing: { send: { type: 'body', property: 'auditMetadata.username' } },
};
