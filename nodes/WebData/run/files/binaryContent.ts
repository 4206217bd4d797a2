import { createHash } from 'node:crypto';

import type { IBinaryData } from 'n8n-workflow';

import type { RunContext } from '../connection/runContext';

/** The content of a file in n8n, before anything of it was read. */
export interface BinaryContent {
	bytes: number;
	/** The same for the same content. */
	identity: string;
	/** From the beginning, piece by piece. Rejects when it is not there any more. */
	open(): Promise<AsyncIterable<Uint8Array>>;
}

/** Largest piece that is read at once. */
const CHUNK_BYTES = 64 * 1024;

/** Letters of base64 for a piece of nearly that size: four of them are three bytes. */
const CHUNK_LETTERS = Math.floor(CHUNK_BYTES / 3) * 4;

/**
 * What n8n has of a file, wherever it keeps it: in its store (an id), or in the item itself, as base64.
 * Neither is ever whole in memory because of this. Rejects when the store does not have it.
 */
export async function contentOf(
	{ helpers }: Pick<RunContext, 'helpers'>,
	{ id, data }: IBinaryData,
): Promise<BinaryContent> {
	if (id !== undefined) {
		const { fileSize } = await helpers.getBinaryMetadata(id);
		const open = async () => await helpers.getBinaryStream(id, CHUNK_BYTES);
		return { bytes: fileSize, identity: id, open };
	}
	const base64 = plainBase64(data);
	return {
		bytes: Buffer.byteLength(base64, 'base64'),
		identity: createHash('sha256').update(base64).digest('hex'),
		open: () => Promise.resolve(decoded(base64)),
	};
}

/** A Code node may make it otherwise than n8n does: as a data URI, in lines, or in the letters for URLs. */
function plainBase64(data: string): string {
	if (!/[^A-Za-z0-9+/=]/.test(data)) return data;
	return data
		.replace(/^data:[^,]*,/, '')
		.replace(/\s+/g, '')
		.replaceAll('-', '+')
		.replaceAll('_', '/');
}

async function* decoded(base64: string): AsyncGenerator<Uint8Array> {
	for (let start = 0; start < base64.length; start += CHUNK_LETTERS) {
		yield await Promise.resolve(Buffer.from(base64.slice(start, start + CHUNK_LETTERS), 'base64'));
	}
}
