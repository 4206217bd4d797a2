/** Readers of foreign values, of which nothing is known but that JSON can say them. */

/** The text, or an empty one for anything else. */
export function textOf(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

/** True for a text that is not empty. */
export function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

/** True for what is not there, and for a text of nothing but blanks. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** True for an object that is no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The number, or what stands for anything else. */
export function numberOf(value: unknown, otherwise = 0): number {
	return typeof value === 'number' ? value : otherwise;
}

/** The day of a time in milliseconds since 1970 as a calendar in this zone shows it: `2026-11-29`. */
export function dayIn(time: number, timeZone: string): string {
	// The Swedish way to write a date is that of ISO 8601.
	return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(time);
}
