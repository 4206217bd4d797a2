/** One way to write a URL; undefined when it is none. */
type Spelling = (url: string) => string | undefined;

/**
 * From the strictest to the most tolerant. Services normalise what they are sent: host in lower case,
 * default port left out, no fragment, no trailing slash, another scheme.
 */
const SPELLINGS: Spelling[] = [
	(url) => url,
	(url) => parsed(url)?.href,
	withoutFragment,
	withoutSlash,
	(url) => withoutSlash(url)?.replace(/^https?:/, ''),
];

function parsed(url: string): URL | undefined {
	return URL.canParse(url) ? new URL(url) : undefined;
}

function withoutFragment(url: string): string | undefined {
	const address = parsed(url);
	if (address) address.hash = '';
	return address?.href.replace(/#$/, '');
}

function withoutSlash(url: string): string | undefined {
	const address = parsed(url);
	if (!address) return undefined;
	const path = decoded(address.pathname).replace(/\/+$/, '');
	// "?" alone says nothing.
	return `${address.protocol}//${address.host.replace(/\.$/, '')}${path}${decoded(address.search)}`;
}

/** With `%7E` as `~`: both name the same. */
function decoded(text: string): string {
	try {
		return decodeURI(text);
	} catch {
		return text;
	}
}

/**
 * Finds for each URL that was sent the one among `found` that means it: its index, or undefined.
 * The same spelling goes first, so that of two URLs that differ in a slash each gets its own. What is
 * left and means the same as one that was found shares it, since the service then made one of the two.
 */
export function matchUrls(sent: string[], found: string[]): Array<number | undefined> {
	const matches = new Array<number | undefined>(sent.length).fill(undefined);
	const free = new Set(found.keys());
	for (const spell of SPELLINGS) {
		const places = placesBySpelling(found, free, spell);
		sent.forEach((url, index) => {
			if (matches[index] !== undefined) return;
			const place = places.get(spell(url) ?? '')?.shift();
			if (place === undefined) return;
			matches[index] = place;
			free.delete(place);
		});
	}
	share(sent, found, matches);
	return matches;
}

function share(sent: string[], found: string[], matches: Array<number | undefined>): void {
	if (!matches.includes(undefined)) return;
	for (const spell of SPELLINGS) {
		const places = placesBySpelling(found, new Set(found.keys()), spell);
		sent.forEach((url, index) => {
			matches[index] ??= places.get(spell(url) ?? '')?.[0];
		});
	}
}

function placesBySpelling(
	found: string[],
	among: Set<number>,
	spell: Spelling,
): Map<string, number[]> {
	const places = new Map<string, number[]>();
	for (const place of among) {
		const spelling = spell(found[place] ?? '');
		if (spelling === undefined || spelling === '') continue;
		const others = places.get(spelling);
		if (others) others.push(place);
		else places.set(spelling, [place]);
	}
	return places;
}
