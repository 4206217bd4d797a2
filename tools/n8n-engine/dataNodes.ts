import type { IDataObject, INodeExecutionData, INodeType, JsonValue } from 'n8n-workflow';

import { described } from './flowNodes.ts';
import type { NodeTypesByName } from './nodeTypes.ts';

interface Assignment {
	name: string;
	type: string;
	value: JsonValue;
}

/** Edit Fields: n8n evaluates the expressions, the node only names their results. */
const setNode: INodeType = {
	description: described('set', {
		outputs: ['main'],
		properties: [
			{
				displayName: 'Assignments',
				name: 'assignments',
				type: 'assignmentCollection',
				default: {},
			},
		],
	}),
	async execute() {
		const items = this.getInputData().map((_item, index): INodeExecutionData => {
			const assignments = this.getNodeParameter('assignments.assignments', index) as Assignment[];
			const fields = assignments.map(({ name, type, value }) => [
				name,
				type === 'array' && typeof value === 'string' ? (JSON.parse(value) as JsonValue) : value,
			]);
			return { json: Object.fromEntries(fields) as IDataObject, pairedItem: { item: index } };
		});
		return [items];
	},
};

/** Split Out of one field that is a list of objects or of plain values. */
const splitOutNode: INodeType = {
	description: described('splitOut', {
		outputs: ['main'],
		properties: [
			{ displayName: 'Field', name: 'fieldToSplitOut', type: 'string', default: '' },
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				default: {},
				options: [{ displayName: 'Field', name: 'destinationFieldName', type: 'string', default: '' }],
			},
		],
	}),
	async execute() {
		const items = this.getInputData().flatMap(({ json }, index) => {
			const field = String(this.getNodeParameter('fieldToSplitOut', index));
			const name = String(this.getNodeParameter('options.destinationFieldName', index, field));
			const parts = json[field] as JsonValue[];
			return parts.map((part): INodeExecutionData => {
				const isObject = typeof part === 'object' && part !== null && !Array.isArray(part);
				return { json: isObject ? part : { [name]: part }, pairedItem: { item: index } };
			});
		});
		return [items];
	},
};

/** Aggregate of all items' data into one list. */
const aggregateNode: INodeType = {
	description: described('aggregate', {
		outputs: ['main'],
		properties: [
			{
				displayName: 'Put in Field',
				name: 'destinationFieldName',
				type: 'string',
				default: 'data',
			},
		],
	}),
	async execute() {
		const items = this.getInputData();
		const name = String(this.getNodeParameter('destinationFieldName', 0));
		const pairedItem = items.map((_item, index) => ({ item: index }));
		return [[{ json: { [name]: items.map(({ json }) => json) }, pairedItem }]];
	},
};

/** Convert to File, from text. */
const convertToFileNode: INodeType = {
	description: described('convertToFile', {
		outputs: ['main'],
		properties: [
			{ displayName: 'Text', name: 'sourceProperty', type: 'string', default: '' },
			{ displayName: 'Field', name: 'binaryPropertyName', type: 'string', default: 'data' },
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				default: {},
				options: [{ displayName: 'File Name', name: 'fileName', type: 'string', default: '' }],
			},
		],
	}),
	async execute() {
		const items = this.getInputData().map(async ({ json }, index): Promise<INodeExecutionData> => {
			const source = String(this.getNodeParameter('sourceProperty', index));
			const field = String(this.getNodeParameter('binaryPropertyName', index));
			const options = this.getNodeParameter('options', index, {}) as IDataObject;
			const fileName = String(options.fileName ?? 'file.txt');
			const file = Buffer.from(String(json[source]));
			const binary = { [field]: await this.helpers.prepareBinaryData(file, fileName) };
			return { json: {}, binary, pairedItem: { item: index } };
		});
		return [await Promise.all(items)];
	},
};

/** Small stand-ins for the nodes of n8n-nodes-base that shape data, like `flowNodes`. */
export const dataNodes: NodeTypesByName = {
	'n8n-nodes-base.set': setNode,
	'n8n-nodes-base.splitOut': splitOutNode,
	'n8n-nodes-base.aggregate': aggregateNode,
	'n8n-nodes-base.convertToFile': convertToFileNode,
};
