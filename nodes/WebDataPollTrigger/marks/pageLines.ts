import { isJsonObject } from '../../service/http/answer';
import type { JsonObject } from '../../service/http/transport';
import type { Pause } from '../../service/http/time';
import { commonLines } from './commonLines';
import { packHashes, shortHash, shortHashes, unpackHashes } from './shortHashes';

/** Most lines of a page that are compared; n8n stores 8 bytes of each with the workflow. */
export const MAX_LINES = 20_000;

/** Most characters of them that are kept to show what was removed. */
export const MAX_KEPT = 50_000;

/** Older versions kept no more than MAX_KEPT characters of a page: where so many are, there may have been more. */
const MAY_BE_CUT = MAX_KEPT / 2;

/** The lines of a page. */
export interface PageLines {
	/** A hash of each, in their order. */
	hashes: string[];
	/** The lines themselves, or the first of them. */
	texts: string[];
	/** True where the page has more lines than these. */
	isCut: boolean;
}

/** What is not on a page as it was before. */
export interface LineDifference {
	added: string[];
	removed: string[];
	/** Lines that are there as before, in another place. */
	moved: string[];
	/** How many lines were removed whose text was not kept. */
	removedWithoutText: number;
}

/** The lines of a text that count: without spaces around them, and no empty ones. */
export function nonEmptyLines(text: string): string[] {
	return text
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '');
}

/** Lines of a page, ready to be compared. */
export async function asPageLines(
	{ texts, isCut }: Pick<PageLines, 'texts' | 'isCut'>,
	pause: Pause,
): Promise<PageLines> {
	return { hashes: await shortHashes(texts, pause), texts, isCut };
}

/** What is stored of a page. */
export function linesMark({ hashes, texts, isCut }: PageLines): JsonObject {
	return { hashes: packHashes(hashes), texts: keptTexts(texts), isCut };
}

/** Reads what linesMark or an older version has stored; undefined when it is neither. */
export function readLinesMark(mark: JsonObject | undefined): PageLines | undefined {
	if (!isJsonObject(mark)) return undefined;
	const { hashes, texts, lines, isCut } = mark;
	if (Array.isArray(lines)) {
		const older = lines.map(String);
		const characters = older.reduce((sum, { length }) => sum + length, 0);
		return { hashes: older.map(shortHash), texts: older, isCut: characters > MAY_BE_CUT };
	}
	if (typeof hashes !== 'string' || !Array.isArray(texts)) return undefined;
	return { hashes: unpackHashes(hashes), texts: texts.map(String), isCut: isCut === true };
}

/** The first lines that together have at most MAX_KEPT characters, the last of them cut. */
export function keptTexts(texts: readonly string[]): string[] {
	let left = MAX_KEPT;
	const kept: string[] = [];
	for (const text of texts) {
		if (left <= 0) break;
		kept.push(text.slice(0, left));
		left -= text.length;
	}
	return kept;
}

/**
 * Which lines came, went, and changed their places, each as often as it did. Of a page that has more lines
 * than are compared, what follows the last line that both have is left out: a line that was added may have
 * pushed it over the end.
 */
export function differenceOf(before: PageLines, now: PageLines): LineDifference {
	const common = commonLines(before.hashes, now.hashes);
	const [lastBefore, lastNow] = common.at(-1) ?? [Infinity, Infinity];
	const gone = linesWithout(
		before,
		now.isCut ? lastBefore : Infinity,
		common.map(([at]) => at),
	);
	const come = linesWithout(
		now,
		before.isCut ? lastNow : Infinity,
		common.map(([, at]) => at),
	);
	const added = without(come, gone);
	const removed = without(gone, come);
	const known = removed.flatMap(({ text }) => text ?? []);
	return {
		added: added.flatMap(({ text }) => text ?? []),
		removed: known,
		moved: without(come, added).flatMap(({ text }) => text ?? []),
		removedWithoutText: removed.length - known.length,
	};
}

interface Line {
	hash: string;
	text: string | undefined;
}

/** The lines of a page up to a position, but for those at some positions. */
function linesWithout({ hashes, texts }: PageLines, end: number, places: number[]): Line[] {
	const others = new Set(places);
	return hashes
		.map((hash, at) => ({ hash, text: texts[at] }))
		.filter((_line, at) => at < end && !others.has(at));
}

/** The lines that the others do not have, counted. */
function without(lines: readonly Line[], others: readonly Line[]): Line[] {
	const left = new Map<string, number>();
	for (const { hash } of others) left.set(hash, (left.get(hash) ?? 0) + 1);
	return lines.filter(({ hash }) => {
		const count = left.get(hash) ?? 0;
		if (count > 0) left.set(hash, count - 1);
		return count === 0;
	});
}
