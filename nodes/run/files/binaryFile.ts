import type { IBinaryData } from 'n8n-workflow';
import { createHash } from 'node:crypto';
import { isJsonObject } from '../../service/http/answer';
import { refusedInput, shorten } from '../../service/http/failure';
import type { RunContext } from '../connection/runContext';

/** A file of n8n's, and where it is. */
export interface FoundFile {
	/** Empty where an expression gave the file itself. */
	field: string;
	binary: IBinaryData;
}

/**
 * The file that "Input Binary Field" means: one of the item's by its name, or the file itself. Throws a ServiceFailure of
 * kind badInput that says which the item has.
 */
export function findFile(own: Record<string, IBinaryData>, wanted: unknown): FoundFile {
	if (isJsonObject(wanted)) return { field: '', binary: asFile(wanted, '') };
	if (typeof wanted !== 'string') {
		throw refusedInput('"Input Binary Field" must be the name of a binary field, or a file itself.');
	}
	if (Object.hasOwn(own, wanted)) {
		return { field: wanted, binary: asFile(own[wanted], wanted) };
	}
	const names = Object.keys(own).map((name) => `"${name}"`);
	const there = names.length === 0 ? 'it has no file' : `it has ${shorten(names.join(', '), 200)}`;
	throw refusedInput(
		`The item has no binary field "${shorten(wanted, 80)}": ${there}. For a file of an earlier node, use an expression such as {{ $("Get Mail").item.binary.attachment_0 }}.`,
	);
}

/**
 * A file as n8n describes it. What a Code node writes there may be anything: a name or a kind that is no
 * text is none, and without content it is no file.
 */
export function asFile(given: unknown, field: string): IBinaryData {
	if (!isJsonObject(given) || typeof given.data !== 'string') {
		const where = field === '' ? '"Input Binary Field"' : `The binary field "${shorten(field, 80)}"`;
		throw refusedInput(`${where} is not an n8n file: it needs the texts "data" and "mimeType".`);
	}
	const { data, id, mimeType, fileName, fileExtension } = given;
	return {
		data,
		mimeType: textIn(mimeType) ?? '',
		...(textIn(id) !== undefined && { id: textIn(id) }),
		...(textIn(fileName) !== undefined && { fileName: textIn(fileName) }),
		...(textIn(fileExtension) !== undefined && { fileExtension: textIn(fileExtension) }),
	};
}

function textIn(value: unknown): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The name of a file, whole. */
export function nameOf({ field, binary }: FoundFile): string {
	return binary.fileName ?? (field === '' ? 'file' : field);
}

/** The name of a file, cut to the 120 characters that a message has room for. */
export function shortNameOf(found: FoundFile): string {
	return shorten(nameOf(found), 120);
}

/** The content of a file in n8n, before anything of it was read. */
interface BinaryContent {
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
 * The content of a file, wherever n8n keeps it: in its store (an id), or in the item itself, as base64. Neither is
 * ever whole in memory because of this. Rejects when the store does not have it.
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
