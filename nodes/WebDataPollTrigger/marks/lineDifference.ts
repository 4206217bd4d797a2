/** Most characters of a page that are kept to compare the next look with: n8n stores them with the workflow. */
export const MOST_KEPT = 50_000;

/** Lines that are there now and were not, and the other way round. */
export interface LineDifference {
	added: string[];
	removed: string[];
}

/** The lines of a text that count: neither empty nor matched by one of the patterns. */
export function linesOf(text: string, ignored: readonly RegExp[]): string[] {
	return text
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '' && !ignored.some((pattern) => pattern.test(line)));
}

/**
 * Which lines came and went, each as often as it did. Lines that only moved are no difference. Takes time
 * in proportion to the lines, however different they are.
 */
export function differenceOf(before: readonly string[], now: readonly string[]): LineDifference {
	return { added: without(now, before), removed: without(before, now) };
}

function without(lines: readonly string[], others: readonly string[]): string[] {
	const left = new Map<string, number>();
	for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
	return lines.filter((line) => {
		const count = left.get(line) ?? 0;
		if (count > 0) left.set(line, count - 1);
		return count === 0;
	});
}

/** The first lines of a text that together have at most MOST_KEPT characters; the beginning of a longer first line. */
export function keptLines(lines: readonly string[]): string[] {
	let characters = 0;
	const end = lines.findIndex((line) => (characters += line.length) > MOST_KEPT);
	if (end === 0) return lines.slice(0, 1).map((line) => line.slice(0, MOST_KEPT));
	return end === -1 ? [...lines] : lines.slice(0, end);
}
