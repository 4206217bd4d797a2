import type { IBinaryData, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ServiceClient } from '../../../service/limits/client';
import { asFailure, executionStopped } from '../../../service/http/failure';
import type { FileDraft, ItemDraft } from '../../operation/operation';
import { mapConcurrently } from './mapConcurrently';
import { downloadFile } from './downloadFile';

/**
 * The draft as an item of n8n, paired with its input item, its files as binary data. A file that cannot
 * be fetched does not take the result away, which is paid for: the item names it in `filesNotStored`.
 */
export async function itemOf(
	ctx: IExecuteFunctions,
	{ json, files = [] }: ItemDraft,
	item: number,
): Promise<INodeExecutionData> {
	const pairedItem = { item };
	if (files.length === 0) return { json, pairedItem };
	const binary: Record<string, IBinaryData> = {};
	const filesNotStored: Array<{ field: string; url: string; reason: string }> = [];
	for (const file of files) {
		const { field, fileName, mimeType } = file;
		const content = await contentOf(ctx, file);
		if ('reason' in content) filesNotStored.push({ field, ...content });
		else binary[field] = await ctx.helpers.prepareBinaryData(content.data, fileName, mimeType);
	}
	if (filesNotStored.length === 0) return { json, binary, pairedItem };
	return { json: { ...json, filesNotStored }, binary, pairedItem };
}

/** Files are fetched for so many items at a time. */
const CONCURRENT_ITEMS = 10;

/** What makes items, and learns when the execution is stopped. */
interface ItemWork {
	ctx: IExecuteFunctions;
	client: ServiceClient;
}

/** A draft, and the input item that it belongs to. */
export interface PairedDraft {
	draft: ItemDraft;
	item: number;
}

/**
 * The drafts as items, by input item and in their order. Throws a ServiceFailure of kind aborted when
 * the execution is stopped meanwhile.
 */
export async function itemsOfDrafts(
	{ ctx, client }: ItemWork,
	drafts: readonly PairedDraft[],
): Promise<Map<number, INodeExecutionData[]>> {
	const made = await mapConcurrently(CONCURRENT_ITEMS, drafts, async ({ draft, item }) => {
		if (client.stopped) throw executionStopped('no');
		return { item, data: await itemOf(ctx, draft, item) };
	});
	const byInput = new Map<number, INodeExecutionData[]>();
	for (const { item, data } of made) {
		const own = byInput.get(item);
		if (own) own.push(data);
		else byInput.set(item, [data]);
	}
	return byInput;
}

type Content = { data: Buffer } | { url: string; reason: string };

async function contentOf(ctx: IExecuteFunctions, file: FileDraft): Promise<Content> {
	if ('text' in file) return { data: Buffer.from(file.text, 'utf8') };
	if ('base64' in file) return { data: Buffer.from(file.base64, 'base64') };
	const { url } = file;
	return await downloadFile(ctx, url).then(
		(data) => ({ data }),
		(error: unknown) => ({ url, reason: asFailure(error).message }),
	);
}
