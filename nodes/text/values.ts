/** Readers of foreign values, of which nothing is known but that JSON can say them. */

/** The text, or an empty one for anything else. */
export function textOf(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

/** True for a text that is not empty. */
export function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

/** The number, or what stands for anything else. */
export function numberOf(value: unknown, otherwise = 0): number {
	return typeof value === 'number' ? value : otherwise;
}
