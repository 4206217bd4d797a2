import { isJsonObject } from '../../../service/http/answer';
import { readJobId } from '../../../service/jobs/jobKinds';
import { splitAddresses } from './readAddress';

/** How the entries of a list are separated; `numbers` and `codes` are lists too. */
export type ListKind = 'list' | 'lines' | 'urls' | 'numbers' | 'codes';

/**
 * A list of texts from an array, from JSON text of one, or from text with separators between the
 * entries (see valueRule.ts). Entries are trimmed, empty ones dropped. Undefined for anything else.
 */
export function readList(value: unknown, separators: ListKind): string[] | undefined {
	const entries = Array.isArray(value) ? value : splitText(value, separators);
	if (!entries?.every((entry) => typeof entry === 'string' || typeof entry === 'number')) {
		return undefined;
	}
	return entries.map((entry) => String(entry).trim()).filter((entry) => entry !== '');
}

function splitText(value: unknown, separators: ListKind): unknown[] | undefined {
	if (typeof value === 'number') return [value];
	if (typeof value !== 'string') return undefined;
	const parsed = value.trimStart().startsWith('[') ? parseArray(value) : undefined;
	if (parsed) return parsed;
	if (separators === 'urls') return splitAddresses(value);
	const lines = value.split(/\r?\n/);
	if (separators === 'lines') return lines;
	return lines.flatMap(splitAtCommas);
}

/** An attribute selector such as [href] starts like an array and is none. */
function parseArray(text: string): unknown[] | undefined {
	try {
		const parsed: unknown = JSON.parse(text);
		return Array.isArray(parsed) ? parsed : undefined;
	} catch {
		return undefined;
	}
}

/** Splits at the commas that stand outside brackets and quotes. */
export function splitAtCommas(text: string): string[] {
	const parts = [''];
	let depth = 0;
	let quote = '';
	for (const character of text) {
		if (quote !== '') {
			if (character === quote) quote = '';
		} else if (character === '"' || character === "'") quote = character;
		else if ('([{'.includes(character)) depth += 1;
		else if (')]}'.includes(character)) depth = Math.max(0, depth - 1);
		if (character === ',' && depth === 0 && quote === '') parts.push('');
		else parts[parts.length - 1] += character;
	}
	// Something was left open, so it was no bracket or quote: an apostrophe, as in O'Neill.
	return depth > 0 || quote !== '' ? text.split(',') : parts;
}

export function readCountryCode(value: unknown): string | undefined {
	const code = typeof value === 'string' ? value.trim().toUpperCase() : '';
	return /^[A-Z]{2}$/.test(code) ? code : undefined;
}

/** The day of a date text, a Date or a Luxon date, which is what n8n's own expressions give. */
export function readDay(value: unknown): string | undefined {
	const text = typeof value === 'string' ? value.trim() : dateText(value);
	const day = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(text)?.[0];
	return day !== undefined && !Number.isNaN(Date.parse(day)) ? day : undefined;
}

function dateText(value: unknown): string {
	if (typeof value !== 'object' || value === null || !('toJSON' in value)) return '';
	return typeof value.toJSON === 'function' ? String(value.toJSON()) : '';
}

export function readId(value: unknown): string | undefined {
	return readJobId(value);
}

/** Values that are numbers or booleans become text; anything else is no header or label. */
export function readStringMap(value: unknown): Record<string, string> | undefined {
	if (!isJsonObject(value)) return undefined;
	const entries = Object.entries(value);
	const isText = entries.every(([, one]) => ['string', 'number', 'boolean'].includes(typeof one));
	return isText ? Object.fromEntries(entries.map(([name, one]) => [name, String(one)])) : undefined;
}

/** A whole number from 1, from a number or its text. */
export function readPositiveNumber(text: string): number | undefined {
	return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/** A short name as the service takes it for issues and tags (operation feedback.submitFeedback). */
export function readCode(text: string): string | undefined {
	return /^[a-z0-9][a-z0-9_-]{0,79}$/.test(text) ? text : undefined;
}
