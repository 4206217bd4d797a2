import { sameAddress } from '../../text/addresses';
import { packedLines, unpackedLines, withoutLines } from './changedLines';
import type { MarkedLines } from './changedLines';

/** Most pages that a node remembers. */
export const MAX_PAGES = 10_000;

/** Most characters of what a node remembers: n8n stores it with the workflow. */
export const MAX_CHARACTERS = 900_000;

/** Characters of a content hash that are kept: 48 bits. */
const HASH_LENGTH = 12;

/** A page as the reader of the output has it. */
export interface MarkedPage {
	/** The address that it was first put out under: what the reader deletes it by. */
	url: string;
	/** The address it was asked for by, where that is another page's: failed pages are named by it. */
	source?: string;
	hash: string;
	/** The number of runs since it was last found, without those that found few pages. */
	unseen: number;
	/** The same with all runs: it decides which pages make room for others. */
	away: number;
	/** How many complete and plausible runs in a row did not have it. */
	missed: number;
	/** In how many runs in a row it could not be read. */
	failed: number;
	/** For how many runs it has led elsewhere, or may have been behind what others lead to. */
	behind: number;
	/** How many complete runs did not have it while others could not be read that may link to it. */
	held: number;
	/** The address that it leads to, or may be behind (leads.ts). */
	wall?: string;
	/** Its lines, where there is room for them (changedLines.ts). */
	lines?: MarkedLines;
}

/** Stands for the hash of a page that was put out with other settings. */
export const NOT_COMPARABLE = '';

/** Pages by the key of the address under which they were put out. */
export type MarkedPages = ReadonlyMap<string, MarkedPage>;

/** The same pages, to tell which are gone where the settings by which they were compared have changed. */
export function notComparable(pages: MarkedPages): MarkedPages {
	return new Map([...pages].map(([key, page]) => [key, { ...withoutLines(page), hash: NOT_COMPARABLE }]));
}

/** The address that a page was asked for by, as withoutSpaces has it. */
export function sourceOf({ url, source = url }: MarkedPage): string {
	return source;
}

/** An address as it is stored: a space would end it. */
function withoutSpaces(address: string): string {
	return address.replace(/\s/g, encodeURIComponent);
}

/** A page that was found, under the address by which the reader knows it. */
export function markedPage(url: string, source: string, contentHash: string): MarkedPage {
	const [shown, asked] = [withoutSpaces(url), withoutSpaces(source)];
	const isOther = asked !== '' && sameAddress(asked) !== sameAddress(shown);
	return {
		url: shown,
		...(isOther && { source: asked }),
		hash: contentHash.slice(0, HASH_LENGTH),
		unseen: 0,
		away: 0,
		missed: 0,
		failed: 0,
		behind: 0,
		held: 0,
	};
}

/**
 * The pages as one text, in the order of their addresses: a line for each, which begins with how many characters
 * of the address are those of the line before. A page takes about 40 characters, and four for each of its lines.
 */
export function packPages(pages: MarkedPages, hasLines = true): string {
	let before = '';
	const sorted = [...pages.values()].sort((left, right) => (left.url < right.url ? -1 : 1));
	const lines = sorted.map(({ url, source, hash, unseen, missed, failed, behind, held, away, wall, lines: own }) => {
		let same = 0;
		while (same < url.length && url[same] === before[same]) same += 1;
		before = url;
		const counts = [unseen, missed, failed, behind, held, away];
		const isHere = counts.every((count) => count === 0);
		const last = isHere ? (source ?? '') : [source ?? '', ...counts, wall ?? ''].join(' ');
		return `${same} ${url.slice(same)} ${hash}${hasLines ? packedLines(own) : ''} ${last}`.trimEnd();
	});
	return lines.join('\n');
}

/** Reads what packPages made; a line that is something else holds no page. */
export function unpackPages(packed: string): Map<string, MarkedPage> {
	const pages = new Map<string, MarkedPage>();
	let before = '';
	for (const line of packed.split('\n')) {
		const [same, rest, marks, source = '', ...numbers] = line.split(' ');
		const [hash, packedOwn] = marks?.split(':') ?? [];
		const lines = unpackedLines(packedOwn);
		if (rest === undefined || hash === undefined) continue;
		const url = before.slice(0, Number(same)) + rest;
		before = url;
		const [unseen = 0, missed = 0, failed = 0, behind = 0, held = 0, away = unseen] = numbers.map(
			(number) => Number(number) || 0,
		);
		const { 6: wall = '' } = numbers;
		const counts = {
			unseen,
			missed,
			failed,
			behind,
			held,
			away,
			...(wall !== '' && { wall }),
			...(lines && { lines }),
		};
		pages.set(sameAddress(url), { url, hash, ...(source !== '' && { source }), ...counts });
	}
	return pages;
}

/** Longest without being found first: what makes room for pages of today. */
export function longestUnseen(pages: MarkedPages): string[] {
	return [...pages]
		.filter(([, { away }]) => away > 0)
		.sort(([, one], [, other]) => other.away - one.away)
		.map(([key]) => key);
}

/** Characters that the pages take when they are stored, without their lines: these are stored where there is room. */
export function sizeOf(pages: MarkedPages): number {
	return Buffer.byteLength(packPages(pages, false));
}
