import type { IBinaryData } from 'n8n-workflow';

import { asciiName } from '../../../service/form/asciiName';
import type { FileToSend } from '../../../service/form/multipart';
import { isJsonObject } from '../../../service/http/answer';
import { refusedInput } from '../../../service/http/failure';
import type { ServiceFailure } from '../../../service/http/failure';
import { shorten } from '../../../service/http/shortText';
import type { JsonObject } from '../../../service/http/transport';
import type { SentFile, Upload } from '../../operation/operation';
import type { RunContext } from '../connection/runContext';
import { contentOf } from './binaryContent';
import { kindOfFile } from './fileKind';

/** A file of an item that is to be sent, under its own name and the one it has on the way. */
export interface ReadyFile extends SentFile {
	toSend: FileToSend;
}

/** What of an item's files is sent. */
export interface ReadyFiles {
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
 * The files of an item that the user has chosen (fields/basic/binaryFile.ts), checked for all that the
 * service is known to refuse; nothing of them is read yet. Throws a ServiceFailure of kind badInput.
 */
export async function readyFiles(
	ctx: RunContext,
	upload: Upload,
	{ filesFrom, binaryField }: JsonObject,
	item: number,
): Promise<ReadyFiles> {
	const own = ctx.getInputData()[item]?.binary ?? {};
	const isAll = filesFrom === 'all';
	const found = isAll
		? Object.entries(own).map(([field, binary]) => ({ field, binary: asFile(binary, field) }))
		: [binaryField].flat().map((one) => findFile(own, one));
	const files: ReadyFile[] = [];
	const leftOut: string[] = [];
	for (const one of found) {
		const kind = kindOfFile(one.binary, upload.types);
		if (kind) files.push(await readyFile(ctx, upload, one, kind));
		else if (isAll) leftOut.push(shortNameOf(one));
		else throw unknownKind(one, upload);
	}
	return { files, leftOut };
}

function findFile(own: Record<string, IBinaryData>, wanted: unknown): Found {
	if (isJsonObject(wanted)) return { field: '', binary: asFile(wanted, '') };
	if (typeof wanted !== 'string') {
		throw refusedInput(
			'"Input Binary Field" must be the name of a binary field, or a file itself.',
		);
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
		const where =
			field === '' ? '"Input Binary Field"' : `The binary field "${shorten(field, 80)}"`;
		throw refusedInput(
			`${where} holds no file as n8n knows it: it needs the texts "data" and "mimeType".`,
		);
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

/** As it may stand in a sentence. */
function shortNameOf(found: Found): string {
	return shorten(nameOf(found), 120);
}

function unknownKind(found: Found, { types }: Upload): ServiceFailure {
	const { mimeType } = found.binary;
	return refusedInput(
		`The service cannot read "${shortNameOf(found)}" (${mimeType === '' ? 'no media type' : shorten(mimeType, 80)}). It takes ${Object.keys(types).join(', ')}.`,
	);
}
