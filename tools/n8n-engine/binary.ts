import type { INodeExecutionData } from 'n8n-workflow';

/**
 * The text of a binary property of an item, read as UTF-8.
 *
 * n8n-core 2.41 keeps binary data in the item as base64 as long as its BinaryDataService was not told
 * to store it elsewhere (binary-data.service.js, store), which this engine never does.
 * Throws an Error when the item has no such property.
 */
export function binaryText(item: INodeExecutionData | undefined, property = 'data'): string {
	const binary = item?.binary?.[property];
	if (binary === undefined) throw new Error(`The item has no binary property "${property}".`);
	return Buffer.from(binary.data, 'base64').toString('utf8');
}
