import type { IExecuteFunctions } from 'n8n-workflow';
import { contentOf, findFile, shortNameOf } from '../../run/files/binaryFile';
import { refusedInput, shorten } from '../../service/http/failure';
import { textOf } from '../../text/values';

/** Longest text that is checked. */
const MAX_CHARACTERS = 200_000;

/** Files that are text. */
const TEXTUAL = /^(?:text\/|application\/(?:json|xml|xhtml\+xml|markdown)|$)/i;

/** And those whose server or program did not say so. */
const TEXT_NAME = /\.(?:md|markdown|txt|html?)$/i;

/** The text of one item, from its field or its file. Throws a ServiceFailure of kind badInput that names the field. */
export async function readAskedText(ctx: IExecuteFunctions, item: number): Promise<string> {
	const isFile = ctx.getNodeParameter('textFrom', item, 'field') === 'file';
	const text = isFile ? await fileText(ctx, item) : textOf(ctx.getNodeParameter('text', item, ''));
	const name = isFile ? 'Input Binary Field' : 'Text';
	if (text.trim() === '') throw refusedInput(`"${name}" is empty: give a text with the sources that it cites.`);
	if (text.length > MAX_CHARACTERS) {
		throw refusedInput(tooLong(name, text.length));
	}
	return text;
}

function tooLong(name: string, length: number, unit = ''): string {
	const has = `${length.toLocaleString('en-US')}${unit === '' ? '' : ` ${unit}`}`;
	return `"${name}" may have at most ${MAX_CHARACTERS.toLocaleString('en-US')} characters, but it has ${has}: check it in parts.`;
}

async function fileText(ctx: IExecuteFunctions, item: number): Promise<string> {
	const wanted = ctx.getNodeParameter('textField', item, 'data');
	const found = findFile(ctx.getInputData()[item]?.binary ?? {}, wanted === '' ? 'data' : wanted);
	const name = shortNameOf(found);
	const { mimeType, fileName = '' } = found.binary;
	if (!TEXTUAL.test(mimeType) && !TEXT_NAME.test(fileName)) {
		throw refusedInput(
			`"${name}" is of the type ${shorten(mimeType, 80)}, and no text: turn it into Markdown with Web Data · Parse File first.`,
		);
	}
	const gone = () => {
		throw refusedInput(`The file "${name}" is no longer in n8n's storage of binary data.`);
	};
	const content = await contentOf(ctx, found.binary).catch(gone);
	// A character has at most four bytes: a longer file is not read at all.
	if (content.bytes > MAX_CHARACTERS * 4) throw refusedInput(tooLong('Input Binary Field', content.bytes, 'bytes'));
	const pieces: Uint8Array[] = [];
	for await (const piece of await content.open().catch(gone)) pieces.push(piece);
	return decoded(Buffer.concat(pieces));
}

/** A text file is UTF-8, unless a mark at its beginning or bytes that UTF-8 does not have say that Windows wrote it. */
function decoded(bytes: Uint8Array): string {
	const [first, second] = bytes;
	if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
	if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch {
		return new TextDecoder('windows-1252').decode(bytes);
	}
}
