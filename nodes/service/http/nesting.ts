/**
 * Deepest nesting of lists and objects that is taken from the service. n8n copies, stores and compares
 * items with functions that call themselves, which end in a RangeError at some thousand levels: after
 * the job is paid for, and with no word of its id.
 */
export const MAX_NESTING = 200;

/** Whether a JSON value holds more than `most` levels of lists and objects. Itself at most that deep. */
export function isNestedDeeper(value: unknown, most: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (most === 0) return true;
	return Object.values(value).some((part) => isNestedDeeper(part, most - 1));
}
