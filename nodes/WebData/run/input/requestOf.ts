import { refusedInput } from '../../../service/http/failure';
import type { JsonObject, ServiceRequest } from '../../../service/http/transport';
import type { RequestLine } from '../../operation/operation';
import type { FieldValues } from './readFields';

/** The request that an operation's request line and its field values come to. */
export function requestOf(line: RequestLine, { values, body, query }: FieldValues): ServiceRequest {
	return {
		...line,
		path: fillPath(line.path, values),
		...(Object.keys(body).length > 0 && { body }),
		...(Object.keys(query).length > 0 && { query }),
	};
}

/** The values that stand in a path, by the names of their parameters; `valueOf` finds one. */
export function valuesInPath(path: string, valueOf: (name: string) => unknown): JsonObject {
	const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
	return Object.fromEntries(names.map((name) => [name, valueOf(name)]));
}

/**
 * Puts the value of the parameter `name` where the path has `{name}`, encoded: a paper's id is
 * `doi:10.1000/182`. Dots alone would climb out of the path, encoded or not.
 */
function fillPath(path: string, values: JsonObject): string {
	return path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
		const value = values[name];
		// Half a character, which cut-off text may end with, cannot be encoded.
		const text = typeof value === 'string' ? value.trim().replace(/\p{Surrogate}/gu, '\ufffd') : '';
		if (text !== '' && !/^\.+$/.test(text)) return encodeURIComponent(text);
		throw refusedInput(`"${name}" must be an ID, but it is "${text}".`);
	});
}
