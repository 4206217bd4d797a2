import type { IBinaryData } from 'n8n-workflow';
import type { SentFile, Upload } from '../../operation/operation';
import { asciiName } from '../../service/form';
import type { FileToSend } from '../../service/form';
import { refusedInput, shorten } from '../../service/http/failure';
import type { ServiceFailure } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import type { RunContext } from '../connection/runContext';
import { asFile, contentOf, findFile, nameOf, shortNameOf } from './binaryFile';
import type { FoundFile } from './binaryFile';

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

async function readyFile(
	ctx: RunContext,
	{ maxBytes }: Upload,
	found: FoundFile,
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

function unknownKind(found: FoundFile, { types }: Upload): ServiceFailure {
	const { mimeType } = found.binary;
	return refusedInput(
		`The service cannot read "${shortNameOf(found)}" (${mimeType === '' ? 'no media type' : shorten(mimeType, 80)}). It takes ${Object.keys(types).join(', ')}.`,
	);
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
