// A string holds no control characters below U+0020; those from U+007F on are allowed.
const TOKEN =
	/\s*(?:([{}[\],:])|("(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/uy;

type Expected = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd' | 'nothing';

/**
 * Where a text stops being JSON: index of the first character that does not fit, or the text's length where
 * something is missing at its end. Undefined for valid JSON. JSON.parse names the place in some of its
 * messages only, and differently in each Node.js.
 */
export function jsonFaultIndex(text: string): number | undefined {
	const open: string[] = [];
	let expected: Expected = 'value';
	let index = 0;
	while (text.slice(index).trim() !== '') {
		TOKEN.lastIndex = index;
		const match = TOKEN.exec(text);
		const start = index + text.slice(index).search(/\S/);
		if (!match) return start;
		const kind = match[1] ?? (match[2] === undefined ? 'literal' : 'string');
		const next = nextExpected(expected, kind, open);
		if (next === undefined) return start;
		expected = next;
		index = TOKEN.lastIndex;
	}
	return expected === 'nothing' ? undefined : text.length;
}

/** What may follow a token; undefined when the token itself does not fit. Keeps `open` up to date. */
function nextExpected(expected: Expected, kind: string, open: string[]): Expected | undefined {
	const closes = expected === 'commaOrEnd' || expected.endsWith('OrEnd');
	if (kind === '}' || kind === ']') {
		const fits = open.at(-1) === (kind === '}' ? '{' : '[');
		if (!closes || !fits) return undefined;
		open.pop();
		return afterValue(open);
	}
	switch (expected) {
		case 'value':
		case 'valueOrEnd':
			if (kind === '{' || kind === '[') {
				open.push(kind);
				return kind === '{' ? 'keyOrEnd' : 'valueOrEnd';
			}
			return kind === 'string' || kind === 'literal' ? afterValue(open) : undefined;
		case 'key':
		case 'keyOrEnd':
			return kind === 'string' ? 'colon' : undefined;
		case 'colon':
			return kind === ':' ? 'value' : undefined;
		case 'commaOrEnd':
			if (kind !== ',') return undefined;
			return open.at(-1) === '{' ? 'key' : 'value';
		default:
			return undefined;
	}
}

function afterValue(open: string[]): Expected {
	return open.length === 0 ? 'nothing' : 'commaOrEnd';
}

/** Where a text that is no JSON goes wrong, for a person: `line 3, column 14`, both counted from 1. */
export function jsonFaultPlace(text: string): string {
	const before = text.slice(0, jsonFaultIndex(text) ?? text.length);
	const lines = before.split('\n');
	return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}
