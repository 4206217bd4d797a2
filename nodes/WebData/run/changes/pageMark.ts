import { addressKey } from '../../../text/addressKey';
import { withoutTracking } from '../../../text/trackingParameters';

/** Most pages that a node remembers. */
export const MAX_PAGES = 10_000;

/** Most characters of what a node remembers: n8n stores it with the workflow. */
export const MAX_CHARACTERS = 900_000;

/** Characters of a content hash that are kept: 48 bits. */
const HASH_LENGTH = 12;

/** A page as it was last put out. */
export interface MarkedPage {
	/** Its address in the output. */
	url: string;
	/** The address it was asked for by, where that is another one: failed pages are named by it. */
	source?: string;
	hash: string;
}

/** Stands for the hash of a page that was put out with other settings. */
export const NOT_COMPARABLE = '';

/** The same pages, to tell which are gone where the settings by which they were compared have changed. */
export function notComparable(pages: MarkedPages): MarkedPages {
	return new Map([...pages].map(([key, page]) => [key, { ...page, hash: NOT_COMPARABLE }]));
}

/** The address that a page was asked for by, as withoutSpaces has it. */
export function sourceOf({ url, source = url }: MarkedPage): string {
	return source;
}

/** An address as it is stored: a space would end it. */
export function withoutSpaces(address: string): string {
	return address.replace(/\s/g, encodeURIComponent);
}

/** Pages by the key of the address they were asked for by. */
export type MarkedPages = ReadonlyMap<string, MarkedPage>;

/** What stands for a page in every run, however its address is written. */
export function pageKey(address: string): string {
	return addressKey(withoutTracking(address));
}

/** A page to be remembered. */
export function markedPage(url: string, source: string, contentHash: string): MarkedPage {
	const [shown, asked] = [withoutSpaces(url), withoutSpaces(source)];
	const isOther = asked !== '' && asked !== shown;
	return {
		url: shown,
		...(isOther && { source: asked }),
		hash: contentHash.slice(0, HASH_LENGTH),
	};
}

/**
 * The pages as one text, in the order of their addresses: a line for each, which begins with how many characters
 * of the address are those of the line before. A page takes about 40 characters.
 */
export function packPages(pages: MarkedPages): string {
	let before = '';
	const sorted = [...pages.values()].sort((left, right) => (left.url < right.url ? -1 : 1));
	const lines = sorted.map(({ url, source, hash }) => {
		let same = 0;
		while (same < url.length && url[same] === before[same]) same += 1;
		before = url;
		return [same, url.slice(same), hash, ...(source === undefined ? [] : [source])].join(' ');
	});
	return lines.join('\n');
}

/** Reads what packPages made; a line that is something else holds no page. */
export function unpackPages(packed: string): Map<string, MarkedPage> {
	const pages = new Map<string, MarkedPage>();
	let before = '';
	for (const line of packed.split('\n')) {
		const [same, rest, hash, source] = line.split(' ');
		if (rest === undefined || hash === undefined) continue;
		const url = before.slice(0, Number(same)) + rest;
		before = url;
		pages.set(pageKey(source ?? url), { url, hash, ...(source !== undefined && { source }) });
	}
	return pages;
}

/**
 * What is remembered where two runs overlapped, which both compared with `base`: of each page what the run has
 * put out that put it out, and this run's where both did. So what either run did not put out is compared with the
 * next time with what the reader of the output has.
 */
export function mergeMarks(base: MarkedPages, ours: MarkedPages, theirs: MarkedPages): MarkedPages {
	const merged = new Map(theirs);
	for (const key of new Set([...base.keys(), ...ours.keys()])) {
		const own = ours.get(key);
		if (own?.hash === base.get(key)?.hash) continue;
		if (own) merged.set(key, own);
		else merged.delete(key);
	}
	return merged;
}

/** The pages that have room; those that were remembered first stay. */
export function withinRoom(
	pages: MarkedPages,
	room: { pages: number; characters: number },
): MarkedPages {
	let all = [...pages].slice(0, Math.max(0, room.pages));
	while (all.length > 0 && bytesOf(new Map(all)) > room.characters) {
		all = all.slice(0, Math.floor(all.length * 0.9));
	}
	return new Map(all);
}

function bytesOf(pages: MarkedPages): number {
	return Buffer.byteLength(packPages(pages));
}
