import type { z } from 'zod';

import { UNKNOWN_KEY_TEXT } from './bodySchema.ts';

/** A remark on a body in the form that a server of 2026 gives it in `details`: that of zod's fourth version. */
export interface NewerIssue {
	code: string;
	path: Array<string | number>;
	message: string;
	[detail: string]: unknown;
}

type Worded = Omit<NewerIssue, 'path'> & { code: string; message: string };

const OWN_WORDS = /^(?!Number must|String must|Array must|Invalid|Expected|Required)/;

function quoted(values: readonly unknown[]): string {
	return values.map((value) => JSON.stringify(value)).join('|');
}

function sizeText(issue: z.ZodTooSmallIssue | z.ZodTooBigIssue): string {
	const isSmall = issue.code === 'too_small';
	const bound = Number(isSmall ? issue.minimum : issue.maximum);
	const sign = `${isSmall ? '>' : '<'}${issue.inclusive ? '=' : ''}`;
	const unit = { string: ' characters', array: ' items' }[String(issue.type)];
	const verb = unit === undefined ? 'be' : 'have';
	return `Too ${isSmall ? 'small' : 'big'}: expected ${issue.type} to ${verb} ${sign}${bound}${unit ?? ''}`;
}

/** The values of an enumeration that v3 names as a type where nothing was given: `'a' | 'b'`. */
function namedValues(expected: string): string[] | undefined {
	const found = [...expected.matchAll(/'([^']*)'/g)].map(([, value]) => value ?? '');
	return found.length > 0 ? found : undefined;
}

function ofType(issue: z.ZodInvalidTypeIssue): Worded {
	const values = namedValues(issue.expected);
	if (values) {
		const message = `Invalid option: expected one of ${quoted(values)}`;
		return { code: 'invalid_value', values, message };
	}
	if (issue.expected === 'integer') {
		const message = 'Invalid input: expected int, received number';
		return { expected: 'int', format: 'safeint', code: issue.code, message };
	}
	const message = `Invalid input: expected ${issue.expected}, received ${issue.received}`;
	return { expected: issue.expected, code: issue.code, message };
}

const UUID_PATTERN =
	'/^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$/';

function ofFormat(issue: z.ZodInvalidStringIssue): Worded {
	const base = { origin: 'string', code: 'invalid_format', format: issue.validation };
	if (issue.validation === 'uuid') {
		return { ...base, pattern: UUID_PATTERN, message: 'Invalid UUID' };
	}
	if (issue.validation === 'url') {
		return { code: 'invalid_format', format: 'url', message: 'Invalid URL' };
	}
	// The one pattern of our own that has words (recording crawl-105).
	const message = issue.message ?? 'Invalid string';
	const pattern = message.includes('protocol') ? '/^https?:\\/\\//i' : undefined;
	return { ...base, ...(pattern !== undefined && { pattern }), message };
}

function newer(issue: z.ZodIssue, depth: number): NewerIssue {
	const path = issue.path.slice(depth);
	switch (issue.code) {
		case 'invalid_type':
			return { ...ofType(issue), path };
		case 'too_small':
		case 'too_big': {
			const isSmall = issue.code === 'too_small';
			const bound = isSmall ? { minimum: issue.minimum } : { maximum: issue.maximum };
			const message = OWN_WORDS.test(issue.message) ? issue.message : sizeText(issue);
			const { code, type: origin, inclusive } = issue;
			return { origin, code, ...bound, inclusive, path, message };
		}
		case 'invalid_enum_value':
			return {
				code: 'invalid_value',
				values: issue.options,
				path,
				message: `Invalid option: expected one of ${quoted(issue.options)}`,
			};
		case 'invalid_literal':
			return {
				code: 'invalid_value',
				values: [issue.expected],
				path,
				message: `Invalid input: expected ${JSON.stringify(issue.expected)}`,
			};
		case 'unrecognized_keys': {
			const names = issue.keys.map((key) => JSON.stringify(key)).join(', ');
			const message = `Unrecognized key${issue.keys.length > 1 ? 's' : ''}: ${names}`;
			return { code: issue.code, keys: issue.keys, path, message };
		}
		case 'invalid_union':
			return {
				code: issue.code,
				errors: issue.unionErrors.map(({ issues }) =>
					issues.map((inner) => newer(inner, issue.path.length)),
				),
				path,
				message: 'Invalid input',
			};
		case 'invalid_string':
			return { ...ofFormat(issue), path };
		default:
			return { code: issue.code, path, message: issue.message };
	}
}

/** What zod's third version remarks, in the form and words of the fourth. */
export function newerIssues(issues: readonly z.ZodIssue[]): NewerIssue[] {
	return issues.map((issue) => newer(issue, 0));
}

/**
 * The `error` of a refused body on a server of 2026: fixed words for a field nobody knows, those of a rule
 * of its own where that comes first, else none in particular (recordings crawl-104 to crawl-123, batch-64).
 */
export function newerError(issues: readonly NewerIssue[]): string {
	if (issues.some(({ code }) => code === 'unrecognized_keys')) return UNKNOWN_KEY_TEXT;
	const [first] = issues;
	return first?.code === 'custom' ? first.message : 'Bad Request';
}
