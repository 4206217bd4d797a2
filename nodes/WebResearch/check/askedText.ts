import type { IExecuteFunctions } from 'n8n-workflow';
import { isJsonObject } from '../../service/http/answer';
import { refusedInput } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import { textOf } from '../../text/values';

/** Longest text that is checked. */
const MAX_CHARACTERS = 200_000;

/** Files that are text. */
const TEXTUAL = /^(?:text\/|application\/(?:json|xml|xhtml\+xml|markdown)|$)/i;

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
	const field = textOf(ctx.getNodeParameter('textField', item, 'data')).trim() || 'data';
	const binary: JsonObject = ctx.getInputData()[item]?.binary ?? {};
	const file = binary[field];
	if (!isJsonObject(file)) {
		throw refusedInput(`"Input Binary Field" is "${field}", but the item has no file in a field of this name.`);
	}
	const type = textOf(file.mimeType).split(';', 1)[0] ?? '';
	if (!TEXTUAL.test(type)) {
		throw refusedInput(
			`The file in "${field}" is of the type ${type}, and no text: turn it into Markdown with Web Data · Parse File first.`,
		);
	}
	const gone = () => {
		throw refusedInput(`The file in "${field}" is no longer in n8n's storage of binary data.`);
	};
	const { id } = file;
	const { fileSize = 0 } = typeof id === 'string' ? await ctx.helpers.getBinaryMetadata(id).catch(gone) : {};
	// A character has at most four bytes: a longer file is not read at all.
	if (fileSize > MAX_CHARACTERS * 4) throw refusedInput(tooLong('Input Binary Field', fileSize, 'bytes'));
	return (await ctx.helpers.getBinaryDataBuffer(item, field).catch(gone)).toString('utf8');
}
