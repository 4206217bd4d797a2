import type { INodeProperties } from 'n8n-workflow';
import { filesToStore } from '../../operation/pages';
import { valueCheckOf } from '../../operation/valueCheck';
import { isJsonObject } from '../../service/http/answer';
import type { JsonObject } from '../../service/http/transport';

/** The formats that the service gives when none is asked for. */
const USUAL_FORMATS = ['markdown'];

/** Files that are a format of their own, or what an action leaves. */
const FORMATS = ['html', 'markdown', 'rawHtml', 'screenshot'];

/**
 * The request with the formats of the files that are to be stored: who chooses a file wants the service to
 * make it. A PDF file comes as it is only when it is not parsed (shape `parser`, empty list), unless the
 * user has set how. Pictures and prints that an action makes are asked for by the action. Values are checked on the
 * Markdown of their page, which costs no further credit.
 */
export function withFurtherFormats(fields: INodeProperties[], body: JsonObject, values: JsonObject): JsonObject {
	const files = filesToStore(values);
	const isChecked = valueCheckOf(values) !== undefined;
	if (files.length === 0 && !isChecked) return body;
	const parent = parentOfFormats(fields);
	if (parent === undefined) return body;
	const own = parent === '' ? body : body[parent];
	const options = isJsonObject(own) ? own : {};
	const made = kindsOf(options.actions);
	const asked = Array.isArray(options.formats) ? options.formats : USUAL_FORMATS;
	const kinds = kindsOf(asked);
	const isWanted = (kind: string) => files.includes(kind) || (isChecked && kind === 'markdown');
	const missing = FORMATS.filter((kind) => isWanted(kind) && !kinds.includes(kind) && !made.includes(kind));
	const wantsPdf = files.includes('pdf') && !made.includes('pdf') && options.parsers === undefined;
	const more = {
		...(missing.length > 0 && { formats: [...asked, ...missing] }),
		...(wantsPdf && { parsers: [] }),
	};
	if (Object.keys(more).length === 0) return body;
	return parent === '' ? { ...body, ...more } : { ...body, [parent]: { ...options, ...more } };
}

/** The part of the request that has its formats: at the top (empty), in an object, or nowhere (undefined). */
function parentOfFormats(fields: INodeProperties[]): string | undefined {
	for (const { routing } of fields) {
		const path = routing?.send?.property?.split('.') ?? [];
		if (path.at(-1) === 'formats') return path.slice(0, -1).join('.');
	}
	return undefined;
}

/** The names of formats, and the types of actions, which are texts or objects. */
function kindsOf(list: unknown): unknown[] {
	if (!Array.isArray(list)) return [];
	return list.map((one: unknown) => (isJsonObject(one) ? one.type : one));
}
