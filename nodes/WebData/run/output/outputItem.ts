import type { IBinaryData, IDataObject, INodeExecutionData, IPairedItemData } from 'n8n-workflow';

import type { ServiceClient } from '../../../service/limits/client';
import { reasonOf, ServiceFailure } from '../../../service/http/failure';
import type { FileDraft, ItemDraft } from '../../operation/operation';
import type { RunContext } from '../connection/runContext';
import type { LinkedFiles } from './linkedFiles';

/** What makes items, and learns when the execution is stopped. */
export interface ItemWork {
	ctx: RunContext;
	client: ServiceClient;
	/** One for all items of a run, since it has its bounds. */
	files: LinkedFiles;
}

/**
 * What an item of a result holds. The service has fields `error` in some records, of a monitor's check for
 * one, and n8n takes an item with such a field for a failed one (docs/n8n-internals.md#fields-named-error):
 * here it is `reason`.
 */
export function resultJson(json: IDataObject): IDataObject {
	if (!('error' in json)) return json;
	const { error, ...rest } = json;
	const isSaid = error !== null && error !== undefined && error !== '';
	return isSaid ? { reason: error, ...rest } : rest;
}

/**
 * The draft as an item of n8n, paired with its input item, its files as binary data. A file that cannot
 * be fetched does not take the result away, which is paid for: the item names it in `filesNotStored`.
 * Throws a ServiceFailure of kind aborted when the execution is stopped meanwhile.
 */
export async function itemOf(
	{ ctx, client, files: linkedFiles }: ItemWork,
	{ json: drafted, files = [] }: ItemDraft,
	item: number,
): Promise<INodeExecutionData> {
	const json = resultJson(drafted);
	const pairedItem = { item };
	if (files.length === 0) return { json, pairedItem };
	const binary: Record<string, IBinaryData> = {};
	const filesNotStored: Array<{ field: string; url: string; reason: string }> = [];
	const fetchFile = linkedFiles.ofItem();
	for (const file of files) {
		client.throwIfStopped();
		const { field, fileName, mimeType } = file;
		const content = await contentOf(fetchFile, file);
		if ('reason' in content) filesNotStored.push({ field, ...content });
		else binary[field] = await ctx.helpers.prepareBinaryData(content.data, fileName, mimeType);
	}
	if (filesNotStored.length === 0) return { json, binary, pairedItem };
	return { json: { ...json, filesNotStored }, binary, pairedItem };
}

/** Files are fetched for so many items at a time. */
const CONCURRENT_ITEMS = 10;

/** A draft, and the input item that it belongs to. */
export interface PairedDraft {
	draft: ItemDraft;
	item: number;
	/** All input items that it may belong to, where there are several. */
	pairedItem?: IPairedItemData[];
}

/**
 * The drafts as items, in their order. Throws a ServiceFailure of kind aborted when the execution is
 * stopped meanwhile.
 */
export async function itemsInOrder(
	work: ItemWork,
	drafts: readonly PairedDraft[],
): Promise<INodeExecutionData[]> {
	return await mapConcurrently(CONCURRENT_ITEMS, drafts, async ({ draft, item, pairedItem }) => {
		work.client.throwIfStopped();
		const made = await itemOf(work, draft, item);
		return pairedItem ? { ...made, pairedItem } : made;
	});
}

/** The same, by input item. */
export async function itemsOfDrafts(
	work: ItemWork,
	drafts: readonly PairedDraft[],
): Promise<Map<number, INodeExecutionData[]>> {
	const byInput = new Map<number, INodeExecutionData[]>();
	const made = await itemsInOrder(work, drafts);
	drafts.forEach(({ item }, index) => {
		const data = made[index];
		const own = byInput.get(item);
		if (data && own) own.push(data);
		else if (data) byInput.set(item, [data]);
	});
	return byInput;
}

type Content = { data: Buffer } | { url: string; reason: string };

async function contentOf(
	fetchFile: (url: string) => Promise<Buffer>,
	file: FileDraft,
): Promise<Content> {
	if ('text' in file) return { data: Buffer.from(file.text, 'utf8') };
	if ('base64' in file) return { data: Buffer.from(file.base64, 'base64') };
	const { url } = file;
	return await fetchFile(url).then(
		(data) => ({ data }),
		(error: unknown) => {
			if (error instanceof ServiceFailure && error.kind === 'aborted') throw error;
			return { url, reason: reasonOf(error) };
		},
	);
}

/**
 * Does the work for each, so many at a time, and gives the results in the order of `all`. After the first
 * failure nothing more is begun, and it is thrown.
 */
export async function mapConcurrently<T, R>(
	most: number,
	all: readonly T[],
	work: (one: T, index: number) => Promise<R>,
): Promise<R[]> {
	const results: R[] = [];
	let hasFailed = false;
	const left = all.entries();
	const worker = async () => {
		for (const [index, one] of left) {
			if (hasFailed) return;
			const result = work(one, index);
			result.catch(() => {
				hasFailed = true;
			});
			results[index] = await result;
		}
	};
	await Promise.all(Array.from({ length: Math.min(most, all.length) }, worker));
	return results;
}
