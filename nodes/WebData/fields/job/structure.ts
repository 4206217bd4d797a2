import type { INodeProperties } from 'n8n-workflow';

import { example, schema } from '../formats/jsonSettings';

/**
 * How the data of a whole job should look: not at all, like an example, or by a JSON Schema. Sent as the
 * body's `schema`.
 */
export const structureFields: INodeProperties[] = [
	{
		displayName: 'JSON From',
		name: 'structure',
		type: 'options',
		options: [
			{ name: 'Example', value: 'example', description: 'An object like the one you want' },
			{ name: 'JSON Schema', value: 'schema', description: 'A JSON Schema the data must follow' },
			{ name: 'Prompt Only', value: 'prompt', description: 'The prompt describes the data' },
		],
		default: 'prompt',
		description: 'How to describe the data you want',
	},
	{ ...example, displayOptions: { show: { structure: ['example'] } } },
	{ ...schema, displayOptions: { show: { structure: ['schema'] } } },
];
