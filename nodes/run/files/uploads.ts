import type { IBinaryData } from 'n8n-workflow';
import { createHash } from 'node:crypto';
import type { SentFile, Upload } from '../../operation/operation';
import { asciiName } from '../../service/form';
import type { FileToSend } from '../../service/form';
import { isJsonObject } from '../../service/http/answer';
import { refusedInput, shorten } from '../../service/http/failure';
import type { ServiceFailure } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import type { RunContext } from '../connection/runContext';

/** A file of an item that is to be sent, under its own name and the one it has on the way. */
interface ReadyFile extends SentFile {
	toSend: FileToSend;
}

/** The files of an item that are sent. */
interface ReadyFiles {
	files: ReadyFile[];
	/** Names of those that are not, because the service takes no such kind. */
	leftOut: string[];
}

/** A file of n8n's, and where it is. */
interface Found {
	/** Empty where an expression gave the file itself. */
	field: string;
	binary: IBinaryData;
}

/**
 * The files of an item that the user has chosen (fields/basic.ts), checked for all that the
 * service is known to refuse; nothing of them is read yet. `newerTypes`: what it takes beside `upload.types`. Throws a
 * ServiceFailure of kind badInput.
 */
export async function readyFiles(
	ctx: RunContext,
	upload: Upload,
	{ filesFrom, binaryField }: JsonObject,
	item: number,
	newerTypes: () => Promise<Record<string, string>>,
): Promise<ReadyFiles> {
	const own = ctx.getInputData()[item]?.binary ?? {};
	const isAll = filesFrom === 'all';
	const found = isAll
		? Object.entries(own).map(([field, binary]) => ({ field, binary: asFile(binary, field) }))
		: [binaryField].flat().map((one) => findFile(own, one));
	const files: ReadyFile[] = [];
	const leftOut: string[] = [];
	for (const one of found) {
		const kind = kindOfFile(one.binary, upload.types) ?? kindOfFile(one.binary, await newerTypes());
		if (kind) files.push(await readyFile(ctx, upload, one, kind));
		else if (isAll) leftOut.push(shortNameOf(one));
		else throw unknownKind(one, upload);
	}
	return { files, leftOut };
}

function findFile(own: Record<string, IBinaryData>, wanted: unknown): Found {
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
function asFile(given: unknown, field: string): IBinaryData {
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

async function readyFile(
	ctx: RunContext,
	{ maxBytes }: Upload,
	found: Found,
	{ extension, mimeType }: { extension: string; mimeType: string },
): Promise<ReadyFile> {
	const name = shortNameOf(found);
	const content = await contentOf(ctx, found.binary).catch(() => {
		throw refusedInput(`The file "${name}" is no longer in n8n's storage of binary data.`);
	});
	if (content.bytes === 0) throw refusedInput(`The file "${name}" is empty.`);
	if (content.bytes > maxBytes) {
		const megabytes = (bytes: number) => `${Math.ceil((bytes / 1024 / 1024) * 10) / 10} MB`;
		throw refusedInput(
			`The file "${name}" has ${megabytes(content.bytes)}, and the service takes at most ${megabytes(maxBytes)}.`,
		);
	}
	return {
		fileName: nameOf(found),
		binaryField: found.field,
		toSend: {
			...content,
			name: asciiName(found.binary.fileName ?? found.field, extension),
			mimeType,
		},
	};
}

function nameOf({ field, binary }: Found): string {
	return binary.fileName ?? (field === '' ? 'file' : field);
}

/** The name of a file, cut to the 120 characters that a message has room for. */
function shortNameOf(found: Found): string {
	return shorten(nameOf(found), 120);
}

function unknownKind(found: Found, { types }: Upload): ServiceFailure {
	const { mimeType } = found.binary;
	return refusedInput(
		`The service cannot read "${shortNameOf(found)}" (${mimeType === '' ? 'no media type' : shorten(mimeType, 80)}). It takes ${Object.keys(types).join(', ')}.`,
	);
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
async function contentOf({ helpers }: Pick<RunContext, 'helpers'>, { id, data }: IBinaryData): Promise<BinaryContent> {
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

/** Name and type under which a file is sent. */
interface FileKind {
	/** Without a dot, in lower case. */
	extension: string;
	mimeType: string;
}

/**
 * The kind of a file: by its name, else by the type that n8n has of it. `types` are the media types by extension.
 * Undefined for a kind that is not among them. The name comes first, because mail programs and browsers give many
 * types to one kind of file, and none at all to others.
 */
export function kindOfFile(
	{ fileName = '', fileExtension = '', mimeType }: Pick<IBinaryData, 'fileName' | 'fileExtension' | 'mimeType'>,
	types: Readonly<Record<string, string>>,
): FileKind | undefined {
	const known = (extension: string): FileKind | undefined => {
		const type = Object.hasOwn(types, extension) ? types[extension] : undefined;
		return type === undefined ? undefined : { extension, mimeType: type };
	};
	const named = known(/\.([^.]+)$/.exec(fileName)?.[1]?.trim().toLowerCase() ?? '');
	if (named) return named;
	const plain = mimeType.split(';', 1)[0]?.trim().toLowerCase();
	const [byType] = Object.entries(types).find(([, type]) => type === plain) ?? [];
	return known(byType ?? fileExtension.replace('.', '').toLowerCase());
}
