import { currenciesIn, currencyCode } from '../../proof/currencies';
import { figuresOf } from '../../proof/readParts';
import { kindOf } from '../../proof/valueForms';
import { scaled } from '../../text/figures/figureReading';
import { cutAt } from '../../text/ends';
import { evenOut, plainStatement } from '../../text/pageText';
import { isRecord } from '../../text/values';
import type { CellValue } from '../claims/verifyClaims';
import type { UnprovenReason } from '../contract/result';
import type { WantedField } from '../json/wantedFields';

/** The types of a column, and how a model is told to write each. */
export const COLUMN_TYPES = {
	text: 'text',
	number: 'number',
	money: 'amount with its currency, such as 39 EUR',
	date: 'date as 2024-03-01, or as 2024-03 or 2024 where the page says no more',
	boolean: 'true or false',
	url: 'web address',
	email: 'e-mail address',
	choice: 'one of these',
} as const;

export type ColumnType = keyof typeof COLUMN_TYPES;

/** A column of the table: what is looked for. */
export interface Column {
	name: string;
	/** One sentence; may be empty. */
	description: string;
	type: ColumnType;
	/** Of a choice: what it is one of. */
	choices: string[];
}

/** The row that is filled. */
export interface Row {
	/** As a person would search for it, on one line; empty: there is nothing to look for. */
	subject: string;
	/** The address of the subject's own site; empty where it is not known. */
	website: string;
	columns: Column[];
}

/** These columns as a model reads them, each with its number, what it is and its type. `open`: numbers, from 1. */
export function columnLines(columns: readonly Column[], open: ReadonlySet<number>): string[] {
	return columns.flatMap(({ name, description, type, choices }, index) => {
		if (!open.has(index + 1)) return [];
		const kind = type === 'choice' ? `${COLUMN_TYPES.choice}: ${choices.join('; ')}` : COLUMN_TYPES[type];
		const words = description === '' ? '' : `: ${plainStatement(description)}`;
		return [`${index + 1}. ${plainStatement(name)}${words} (${kind})`];
	});
}

/** The column as a field whose value is looked up and judged. A judge sees all choices. */
export function fieldOfColumn({ name, description, type, choices }: Column): WantedField {
	const words = type === 'choice' ? [description, `one of: ${choices.join(', ')}`] : [description];
	return {
		path: name,
		description: words.filter((word) => word !== '').join('; '),
		schema: type === 'choice' ? { enum: choices } : {},
	};
}

const DATE = /^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?$/;
const YES = /^(?:true|yes)$/i;
const NO = /^(?:false|no)$/i;
const MOST_CHARACTERS = 1000;

/**
 * The value that a model gives for a column, as a value of its type; `notExact` where it is none. Text is on one line;
 * an amount of money has a currency, whichever way it is written.
 */
export function readCellValue(given: unknown, { type, choices }: Column): CellValue | UnprovenReason {
	const text = textIn(given);
	if (text === '') return 'notFound';
	const same = (value: CellValue['value']): CellValue => ({ said: value, value });
	switch (type) {
		case 'number': {
			const number = numberIn(text);
			return number === undefined ? 'notExact' : same(number);
		}
		case 'money': {
			const number = numberIn(text.replace(/\b[A-Z]{3}\b/g, ' '));
			const [currency] = [...(text.match(/\b[A-Z]{3}\b/g) ?? []).flatMap((one) => currencyCode(one) ?? [])].concat(
				currenciesIn(text, []),
			);
			if (number === undefined || currency === undefined) return 'notExact';
			return { said: `${number} ${currency}`, value: number, currency };
		}
		case 'boolean':
			if (YES.test(text)) return same(true);
			return NO.test(text) ? same(false) : 'notExact';
		case 'date':
			return DATE.test(text) ? same(text) : 'notExact';
		case 'url':
			return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text) ? same(text) : 'notExact';
		case 'email': {
			const address = text.replace(/^mailto:/i, '');
			return kindOf(address) === 'email' ? same(address) : 'notExact';
		}
		case 'choice': {
			const chosen = choices.find((one) => evenOut(one).toLowerCase() === evenOut(text).toLowerCase());
			return chosen === undefined ? 'notExact' : same(chosen);
		}
		case 'text':
			return isFormula(text) ? 'formula' : same(text);
	}
}

/** The text of what a model gives, on one line: `39 EUR` for `{ "value": 39, "currency": "EUR" }`. */
function textIn(given: unknown): string {
	const parts = isRecord(given) ? Object.values(given) : [given];
	const texts = parts.flatMap((part) =>
		typeof part === 'string' || typeof part === 'number' || typeof part === 'boolean' ? [String(part)] : [],
	);
	return cutAt(texts.join(' ').replace(/\s+/g, ' ').trim(), MOST_CHARACTERS);
}

/** The one figure of a text, with its scale computed: 3200000 for "3.2 million". */
function numberIn(text: string): number | undefined {
	if (/^-?\d+(?:\.\d+)?$/.test(text.trim())) return Number(text);
	const [figure, ...more] = figuresOf(text);
	if (!figure || more.length > 0) return undefined;
	// Of `1,200` the first reading is 1200, as models write it.
	const number = Number(scaled(figure.readings[0] ?? '', figure.scale));
	return Number.isFinite(number) ? number : undefined;
}

const FORMULA = /^[\s\u200b]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r]/u;
const NUMBER = /^[-+]?\d+(?:[.,]\d+)*\s?%?$/;
const HANDLE = /^@[\w.]{1,30}$/;

/**
 * Whether a program for sheets would compute a text where it is written as if typed: one that begins with a sign of a
 * formula and is no number, telephone number or handle.
 */
export function isFormula(text: string): boolean {
	return FORMULA.test(text) && !NUMBER.test(text) && !HANDLE.test(text) && kindOf(text) !== 'phone';
}
