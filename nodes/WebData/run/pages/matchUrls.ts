/** One way to write a URL; undefined when it is none. */
type Spelling = (url: string) => string | undefined;

/** What services leave out of an address, or change, when they write it. */
type Loose = 'fragment' | 'slash' | 'scheme';

/** First the ways that differ in one thing: nothing is taken for near that is nearer to another. */
const LOOSE: Loose[][] = [
	[],
	['fragment'],
	['slash'],
	['scheme'],
	['fragment', 'slash'],
	['fragment', 'scheme'],
	['slash', 'scheme'],
	['fragment', 'slash', 'scheme'],
];

/**
 * From the strictest to the most tolerant. Services normalise what they are sent: host in lower case,
 * default port left out, no fragment, no trailing slash, another scheme.
 */
const SPELLINGS: Spelling[] = [
	(url) => url,
	(url) => parsed(url)?.href,
	...LOOSE.map((loose) => (url: string) => spelledWithout(loose, url)),
];

/** So many of them, the strictest ones, write the same address in the same way and no other. */
const EQUAL_SPELLINGS = 3;

function parsed(url: string): URL | undefined {
	return URL.canParse(url) ? new URL(url) : undefined;
}

function spelledWithout(loose: Loose[], url: string): string | undefined {
	const address = parsed(url);
	if (!address) return undefined;
	const { protocol, host, pathname, search, hash } = address;
	const path = decoded(pathname);
	return [
		loose.includes('scheme') ? '' : protocol,
		host.replace(/\.$/, ''),
		loose.includes('slash') ? path.replace(/\/+$/, '') : path,
		// "?" and "#" alone say nothing, and are left out by URL.
		decoded(search),
		loose.includes('fragment') ? '' : hash,
	].join(' ');
}

/** With `%7E` as `~`: both name the same. */
function decoded(text: string): string {
	try {
		return decodeURI(text);
	} catch {
		return text;
	}
}

/** The addresses that a job names, in the order of its lists. */
export interface NamedUrls {
	pages: readonly string[];
	errors: readonly string[];
	/** Pages that name only where they ended: another address may have led there. */
	endedAt?: ReadonlySet<number>;
	/**
	 * True where the job has no other page and no other error. Then a URL with neither is one that the
	 * service took for a near one.
	 */
	areAll: boolean;
}

/** What came of a URL that was sent: an index in the list of pages or of errors, or why there is none. */
export type UrlMatch =
	| { kind: 'page' | 'error'; index: number }
	/** Near URLs have these pages and errors, and nothing tells which is whose. */
	| { kind: 'unclear'; pages: readonly number[]; errors: readonly number[] }
	| { kind: 'none' };

type Matches = Map<number, UrlMatch>;

/** URLs that were sent and are near each other, and what the job names for any of them: as indices. */
interface NearUrls {
	urls: number[];
	pages: number[];
	errors: number[];
}

/**
 * Finds what came of each URL that was sent. The same spelling goes first, so that of two URLs that differ
 * in a slash each gets its own, and one that failed never gets the page of the other. Where the service
 * writes near URLs in the same way and only some of them failed, none of them gets a page.
 */
export function matchUrls(sent: readonly string[], named: NamedUrls): UrlMatch[] {
	const pages = bySpelling(named.pages, named.pages.keys(), nearly);
	const errors = bySpelling(named.errors, named.errors.keys(), nearly);
	const matches: Matches = new Map();
	for (const [spelling, urls] of bySpelling(sent, sent.keys(), nearly)) {
		const [itsPages = [], itsErrors = []] = [pages.get(spelling), errors.get(spelling)];
		matchNear(sent, named, { urls, pages: itsPages, errors: itsErrors }, matches);
		if (named.areAll && itsErrors.length === 0) share(sent, named.pages, urls, itsPages, matches);
	}
	return sent.map((_url, index) => matches.get(index) ?? { kind: 'none' });
}

/** The most tolerant way to write a URL: what is the same then is near. */
function nearly(url: string): string | undefined {
	return SPELLINGS.at(-1)?.(url) ?? url;
}

function matchNear(
	sent: readonly string[],
	named: NamedUrls,
	{ urls, pages, errors }: NearUrls,
	matches: Matches,
): void {
	const free = { pages: new Set(pages), errors: new Set(errors) };
	// Where one of several has neither, and there may be more, a page of about that address may be another's.
	const isSure = urls.length === 1 || named.areAll || pages.length + errors.length >= urls.length;
	let open = urls;
	let isUnclear = false;
	for (const spell of isSure ? SPELLINGS : SPELLINGS.slice(0, EQUAL_SPELLINGS)) {
		if (open.length === 0 || isUnclear) break;
		const pagesOf = bySpelling(named.pages, free.pages, spell);
		const errorsOf = bySpelling(named.errors, free.errors, spell);
		for (const [spelling, same] of bySpelling(sent, open, spell)) {
			const [itsPages = [], itsErrors = []] = [pagesOf.get(spelling), errorsOf.get(spelling)];
			const hasBoth = itsPages.length > 0 && itsErrors.length > 0;
			if (hasBoth && urls.length > 1) {
				isUnclear = true;
				continue;
			}
			// An address that failed has no page: another one was redirected to it.
			const own = hasBoth ? itsPages.filter((page) => !named.endedAt?.has(page)) : itsPages;
			matchSame(same, own, itsErrors, free, matches);
		}
		open = open.filter((url) => !matches.has(url));
	}
	if (!isUnclear) return;
	for (const url of open) {
		matches.set(url, { kind: 'unclear', pages: [...free.pages], errors: [...free.errors] });
	}
}

/** Each of the URLs that the job writes in the same way gets one of its pages, or the reason for none. */
function matchSame(
	urls: number[],
	pages: number[],
	errors: number[],
	free: { pages: Set<number>; errors: Set<number> },
	matches: Matches,
): void {
	urls.forEach((url, nth) => {
		const page = pages[nth];
		// What failed may be named once for all of them.
		const error = pages.length === 0 ? (errors[nth] ?? errors[0]) : undefined;
		if (page !== undefined) {
			matches.set(url, { kind: 'page', index: page });
			free.pages.delete(page);
		} else if (error !== undefined) {
			matches.set(url, { kind: 'error', index: error });
			free.errors.delete(error);
		}
	});
}

/** What is left means the same as a URL that has a page: the service then made one of the two. */
function share(
	sent: readonly string[],
	named: readonly string[],
	urls: number[],
	pages: number[],
	matches: Matches,
): void {
	if (urls.every((url) => matches.has(url))) return;
	for (const spell of SPELLINGS) {
		const pagesOf = bySpelling(named, pages, spell);
		for (const url of urls.filter((one) => !matches.has(one))) {
			const page = pagesOf.get(spell(sent[url] ?? '') ?? '')?.[0];
			if (page !== undefined) matches.set(url, { kind: 'page', index: page });
		}
	}
}

/** The indices of the URLs, by how they are written so. */
function bySpelling(
	urls: readonly string[],
	among: Iterable<number>,
	spell: Spelling,
): Map<string, number[]> {
	const indices = new Map<string, number[]>();
	for (const index of among) {
		const spelling = spell(urls[index] ?? '');
		if (spelling === undefined || spelling === '') continue;
		const others = indices.get(spelling);
		if (others) others.push(index);
		else indices.set(spelling, [index]);
	}
	return indices;
}
