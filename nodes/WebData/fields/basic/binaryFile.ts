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
					'Every file of the item. Kinds of files that the service does not take are left out, and a hint names them.',
			},
			{ name: 'Named Binary Field', value: 'field', description: 'The file in one binary field' },
		],
		default: 'field',
		description: 'Which files of each item to take. Each file becomes an item of its own.',
	},
	{
		displayName: 'Input Binary Field',
		name: 'binaryField',
		type: 'string',
		typeOptions: { sentAs: 'binaryFields', isNeeded: true },
		default: 'data',
		placeholder: 'e.g. attachment_0',
		displayOptions: { show: { filesFrom: ['field'] } },
		hint: 'The name of the input field containing the file',
		description:
			'Name of the binary field, or several with commas between them. An expression may give a file of an earlier node: {{ $("Get Mail").item.binary.attachment_0 }}.',
	},
];
