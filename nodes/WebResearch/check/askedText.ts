import type { IExecuteFunctions } from 'n8n-workflow';
import { contentOf, findFile, shortNameOf } from '../../run/files/binaryFile';
import { refusedInput, shorten } from '../../service/http/failure';
import type { ServiceFailure } from '../../service/http/failure';
import { textOf } from '../../text/values';

/** Longest text that is checked. */
const MAX_CHARACTERS = 200_000;

/** Files that are text. */
const TEXTUAL = /^(?:text\/|application\/(?:json|xml|xhtml\+xml|markdown)|$)/i;

/** And those whose server or program did not say so. */
const TEXT_NAME = /\.(?:md|markdown|txt|html?)$/i;

/** A text that is to be checked. */
export interface AskedText {
	text: string;
	/** How its letters were read where nothing in the file says it: one sentence. */
	assumed?: string;
}

/** The text of one item, from its field or its file. Throws a ServiceFailure of kind badInput that names the field. */
export async function readAskedText(ctx: IExecuteFunctions, item: number): Promise<AskedText> {
	const isFile = ctx.getNodeParameter('textFrom', item, 'field') === 'file';
	const asked = isFile ? await fileText(ctx, item) : { text: textOf(ctx.getNodeParameter('text', item, '')) };
	const { text } = asked;
	const name = isFile ? 'Input Binary Field' : 'Text';
	if (text.trim() === '') throw refusedInput(`"${name}" is empty: give a text with the sources that it cites.`);
	if (text.length > MAX_CHARACTERS) {
		throw refusedInput(tooLong(name, text.length));
	}
	return asked;
}

function tooLong(name: string, length: number, unit = ''): string {
	const has = `${length.toLocaleString('en-US')}${unit === '' ? '' : ` ${unit}`}`;
	return `"${name}" may have at most ${MAX_CHARACTERS.toLocaleString('en-US')} characters, but it has ${has}: check it in parts.`;
}

async function fileText(ctx: IExecuteFunctions, item: number): Promise<AskedText> {
	const wanted = ctx.getNodeParameter('textField', item, 'data');
	const found = findFile(ctx.getInputData()[item]?.binary ?? {}, wanted === '' ? 'data' : wanted);
	const name = shortNameOf(found);
	const { mimeType, fileName = '' } = found.binary;
	if (!TEXTUAL.test(mimeType) && !TEXT_NAME.test(fileName)) throw noText(name, mimeType);
	const gone = () => {
		throw refusedInput(`The file "${name}" is no longer in n8n's storage of binary data.`);
	};
	const content = await contentOf(ctx, found.binary).catch(gone);
	// A character has at most four bytes: a longer file is not read at all.
	if (content.bytes > MAX_CHARACTERS * 4) throw refusedInput(tooLong('Input Binary Field', content.bytes, 'bytes'));
	const pieces: Uint8Array[] = [];
	for await (const piece of await content.open().catch(gone)) pieces.push(piece);
	const read = decoded(Buffer.concat(pieces), name);
	// What has no type may be anything, a picture too.
	if (read.text.includes('\0')) throw noText(name, mimeType);
	return read;
}

function noText(name: string, mimeType: string): ServiceFailure {
	const type = mimeType === '' ? 'has no type' : `is of the type ${shorten(mimeType, 80)}`;
	return refusedInput(`"${name}" ${type}, and no text: turn it into Markdown with Web Data · Parse File first.`);
}

/** A text file is UTF-8, unless a mark at its beginning or bytes that UTF-8 does not have say that Windows wrote it. */
function decoded(bytes: Uint8Array, name: string): AskedText {
	const [first, second] = bytes;
	if (first === 0xff && second === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes) };
	if (first === 0xfe && second === 0xff) return { text: new TextDecoder('utf-16be').decode(bytes) };
	try {
		return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
	} catch {
		const assumed = `"${name}" is not UTF-8 and was read as Windows-1252, the code of Western Europe: if its letters look wrong, save it as UTF-8.`;
		return { text: new TextDecoder('windows-1252').decode(bytes), assumed };
	}
}
