import type { INodeProperties } from 'n8n-workflow';

/**
 * Which files of an item are sent, for operations with an `upload`. The values are read by run/files;
 * nothing of them goes into the request by itself.
 */
export const binaryFile: INodeProperties[] = [
	{
		displayName: 'Files',
		name: 'filesFrom',
		type: 'options',
		options: [
			{
				name: 'All Binary Fields',
				value: 'all',
				description:
					'Every file of the item. Files of a kind that Firecrawl cannot read are skipped, and a hint names them.',
			},
			{ name: 'Named Binary Field', value: 'field', description: 'The file in one binary field' },
		],
		default: 'field',
		description: 'Which files of each item to convert. Each file becomes a separate item.',
	},
	{
		displayName: 'Input Binary Field',
		name: 'binaryField',
		type: 'string',
		typeOptions: { sentAs: 'binaryFields', isNeeded: true },
		default: 'data',
		placeholder: 'e.g. attachment_0',
		displayOptions: { show: { filesFrom: ['field'] } },
		hint: 'Name of the binary field with the file, such as data or attachment_0',
		description:
			'Name of the binary field, or several with commas between them. An expression can return a file of an earlier node.',
	},
];
