import { isRecord } from '../../text/values';

/** Longest answer that is looked at. */
const MAX_ANSWER_CHARACTERS = 400_000;

/** Deepest nesting of braces that is followed. */
const MAX_DEPTH = 20;

/** An answer of the model, or a part of one, as JSON. */
export type JsonRecord = Record<string, unknown>;

/**
 * The text of a model's answer: parts of other types than text are left out, and so is what the model
 * thought before it answered. Empty where there is none.
 */
export function answerText(content: unknown): string {
	const parts: unknown[] = Array.isArray(content) ? content : [content];
	const texts = parts.map((part) => {
		if (typeof part === 'string') return part;
		if (!isRecord(part) || (part.type !== undefined && part.type !== 'text')) return '';
		return typeof part.text === 'string' ? part.text : '';
	});
	// Half a character, as where an answer is cut, is none.
	const text = texts
		.join('')
		.slice(0, MAX_ANSWER_CHARACTERS)
		.replace(/\p{Cs}/gu, '');
	return withoutThinking(text).trim();
}

const TAG = '(?:think|thinking|thought|reasoning|seed:think)';

/** How the makers of models mark what stands before the answer: where it opens, and where it closes. */
const THINKING: ReadonlyArray<readonly [open: RegExp, close: RegExp]> = [
	[new RegExp(`^\\s*<${TAG}>`, 'i'), new RegExp(`</${TAG}>`, 'i')],
	[/^\s*\[think\]/i, /\[\/think\]/i],
	[/^\s*\u25c1think\u25b7/i, /\u25c1\/think\u25b7/i],
	[/^\s*<\|START_THINKING\|>/, /<\|END_THINKING\|>/],
	// Channels, of which `final` is the answer; some servers leave out the marks around their names.
	[
		/^\s*(?:<\|start\|>assistant)?<\|channel\|>(?:analysis|commentary)\b/,
		/(?:<\|start\|>assistant)?<\|channel\|>final(?:<\|message\|>)?/,
	],
];

/** Marks of a channel around an answer. */
const AROUND =
	/^\s*(?:<\|start\|>assistant)?<\|channel\|>final<\|message\|>|<\|(?:START|END)_RESPONSE\|>|<\|(?:return|end)\|>\s*$/g;

const CLOSING = new RegExp(`</${TAG}>`, 'i');
const ANY_OPENING = new RegExp(`<${TAG}>`, 'i');

/**
 * What comes behind the thinking, which stands at the beginning. Some servers cut off the tag that opens it; one that
 * never ends holds no answer.
 */
function withoutThinking(text: string): string {
	let rest = text;
	for (let marks = opened(rest); marks; marks = opened(rest)) {
		const end = marks[1].exec(rest);
		if (!end) return '';
		rest = rest.slice(end.index + end[0].length);
	}
	return (rest === text ? withoutCutThinking(text) : rest).replace(AROUND, '');
}

function opened(text: string): (typeof THINKING)[number] | undefined {
	return THINKING.find(([open]) => open.test(text));
}

/** A lone tag ends a thinking where it ends its line, or an object follows. In a sentence, in code and escaped it is text. */
function withoutCutThinking(text: string): string {
	const end = CLOSING.exec(text);
	if (!end) return text;
	const before = text.slice(0, end.index);
	const behind = text.slice(end.index + end[0].length);
	const line = before.slice(before.lastIndexOf('\n') + 1);
	const marks = [before.match(/^ {0,3}(?:```|~~~)/gm), line.match(/`/g)];
	const isInCode = marks.some((found) => (found?.length ?? 0) % 2 === 1);
	const isText = isInCode || before.endsWith('\\') || ANY_OPENING.test(before) || !/^[ \t]*(?:\n|\{)/.test(behind);
	return isText ? text : behind;
}

/** Longest list of fields of an object that may be a text in an envelope. */
const MAX_ENVELOPE = 8;

/** A text that was asked for as such, also where the model has put it into an object: its longest value. */
export function plainText(answer: string): string {
	const unfenced = /^```(?:json)?[ \t]*\n([^]*)```$/.exec(answer.trim())?.[1] ?? answer;
	const envelope = parseRecord(unfenced.trim());
	const values = Object.values(envelope ?? {});
	if (values.length === 0 || values.length > MAX_ENVELOPE) return answer;
	const texts = values.filter((value) => typeof value === 'string');
	return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '') || answer;
}

/**
 * The JSON objects in an answer, outermost first: the whole, what stands in code fences or between other
 * text, or the complete ones inside an answer that was cut off. Empty where there are none.
 */
export function jsonObjects(text: string): JsonRecord[] {
	const whole = parseRecord(text.trim());
	if (whole) return [whole];
	const open: number[] = [];
	const found: Array<{ start: number; value: JsonRecord }> = [];
	let inString = false;
	for (let at = 0; at < text.length; at++) {
		const sign = text[at];
		if (inString) {
			if (sign === '\\') at += 1;
			else if (sign === '"' || sign === '\n') inString = false;
		} else if (sign === '"' && open.length > 0) inString = true;
		else if (sign === '{') {
			open.push(at);
			if (open.length > MAX_DEPTH) open.shift();
		} else if (sign === '}') {
			const start = open.pop();
			const value = start === undefined ? undefined : parseRecord(text.slice(start, at + 1));
			if (start === undefined || !value) continue;
			// Those inside it are the latest.
			while ((found.at(-1)?.start ?? -1) > start) found.pop();
			found.push({ start, value });
		}
	}
	return found.map(({ value }) => value);
}

function parseRecord(text: string): JsonRecord | undefined {
	return parse(text) ?? parse(text.replace(/,(\s*[}\]])/g, '$1'));
}

function parse(text: string): JsonRecord | undefined {
	if (!text.startsWith('{')) return undefined;
	try {
		const value: unknown = JSON.parse(text);
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/** A verdict of the model in small letters, without what stands around it: `notstated` for "Not stated." */
export function readVerdict(value: unknown): string {
	return typeof value === 'string' ? value.toLowerCase().replace(/[^a-z]/g, '') : '';
}

/** The texts of a list, without blanks at their ends; empty for anything else. */
export function readTexts(value: unknown): string[] {
	if (!Array.isArray(value)) return [];
	return value.flatMap((one: unknown) => (typeof one === 'string' && one.trim() !== '' ? [one.trim()] : []));
}

/** The whole numbers of a list, also where they are written as text. */
export function readNumbers(value: unknown): number[] {
	if (!Array.isArray(value)) return [];
	return value.flatMap((one: unknown) => {
		const number = typeof one === 'string' ? Number(one.replace(/[[\]\s]/g, '')) : one;
		return typeof number === 'number' && Number.isInteger(number) ? [number] : [];
	});
}
