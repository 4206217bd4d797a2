import { pageKey, sameAddress } from '../text/addresses';
import { cutAt } from '../text/ends';
import { plainStatement, visible, wordsOf } from '../text/pageText';
import type { ResearchQuestion, SearchResult } from './contract';

/** The weight of a rank in a list of results (reciprocal rank fusion, with its usual constant). */
const RANK_CONSTANT = 60;

/** The weight of words in common with the question against the best rank in a list. */
const WORDS_WEIGHT = 1 / RANK_CONSTANT;

const MAX_TITLE_CHARACTERS = 200;

/** A page that may be read. */
export interface Candidate {
	url: string;
	/** The same for all addresses of one page. */
	key: string;
	title: string;
	description: string;
	/** The user wants it read, whatever its site. */
	isNamed?: true;
	/** An earlier run has read it. */
	isKnown?: true;
}

/** The host of an address, without `www.`; empty where it is no address of a web page. */
export function siteOf(url: string): string {
	if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return '';
	return new URL(url).hostname.toLowerCase().replace(/^www\./, '');
}

/** Whether pages of this address may be read. */
export function isWanted(
	url: string,
	{ includeDomains, excludeDomains }: Pick<ResearchQuestion, 'includeDomains' | 'excludeDomains'>,
): boolean {
	const site = siteOf(url);
	const isOf = (domain: string) => {
		const [name = ''] = domain
			.trim()
			.toLowerCase()
			.replace(/^https?:\/\//, '')
			.replace(/^www\./, '')
			.split('/', 1);
		return name !== '' && (site === name || site.endsWith(`.${name}`));
	};
	if (site === '' || excludeDomains.some(isOf)) return false;
	return includeDomains.length === 0 || includeDomains.some(isOf);
}

/**
 * The pages that were found and not read yet. Code chooses among them, no model: what a result says of
 * itself can steer nothing but its place.
 */
export class CandidatePool {
	private readonly found = new Map<string, { candidate: Candidate; score: number }>();

	private readonly taken = new Set<string>();

	private readonly leftOut = new Set<string>();

	private readonly perSite = new Map<string, number>();

	/** Addresses that are probably those of a page with another address, by that page. */
	private readonly spellings = new Map<string, { as: string; urls: Map<string, string> }>();

	constructor(private readonly question: ResearchQuestion) {}

	/** If only some sites may be read, the pages of each have no other limit than Max Pages. */
	private get pagesPerSite(): number {
		return this.question.includeDomains.length > 0 ? Infinity : this.question.pagesPerSite;
	}

	/** Pages that a search finds and that are read for another reason, or not at all. */
	leaveOut(keys: Iterable<string>): void {
		for (const key of keys) this.leftOut.add(key);
	}

	/** Adds the results of one search, best first. */
	add(results: readonly SearchResult[]): void {
		const wanted = wordsOf(this.question.query);
		for (const [rank, { url, title, description }] of results.entries()) {
			if (!isWanted(url, this.question)) continue;
			const key = pageKey(url);
			const words = wordsOf(`${title} ${description}`);
			const shared = [...wanted].filter((word) => words.has(word)).length / (wanted.size || 1);
			const known = this.found.get(key);
			this.noteSpelling(url, key);
			const score = (known?.score ?? shared * WORDS_WEIGHT) + 1 / (RANK_CONSTANT + rank);
			const shown = { title: oneLine(title), description: oneLine(description) };
			this.found.set(key, { candidate: known?.candidate ?? { url, key, ...shown }, score });
		}
	}

	/** Pages that the user wants read: they are taken whatever their site. */
	takeFirst(urls: readonly string[], most: number): Candidate[] {
		const pages = urls.filter((url) => siteOf(url) !== '').map((url) => ({ url, key: pageKey(url) }));
		for (const { url, key } of pages) this.noteSpelling(url, key);
		return pages
			.filter(({ key }) => !this.taken.has(key) && this.taken.add(key))
			.slice(0, most)
			.map((page) => ({ ...page, title: '', description: '', isNamed: true }));
	}

	private noteSpelling(url: string, key: string): void {
		const known = this.spellings.get(key) ?? { as: url, urls: new Map<string, string>() };
		this.spellings.set(key, known);
		const spelling = sameAddress(url);
		if (spelling !== sameAddress(known.as) && !known.urls.has(spelling)) known.urls.set(spelling, url);
	}

	/** Addresses that were joined with that of a page that was taken, since they are probably another spelling of it. */
	get joined(): Array<{ url: string; as: string }> {
		return [...this.spellings].flatMap(([key, { as, urls }]) =>
			this.taken.has(key) ? [...urls.values()].map((url) => ({ url, as })) : [],
		);
	}

	/** The best pages, at most so many and at most `pagesPerSite` of one site. None is taken twice. */
	take(most: number): Candidate[] {
		const best = [...this.found.values()].sort((one, other) => other.score - one.score);
		const chosen: Candidate[] = [];
		for (const { candidate } of best) {
			if (chosen.length >= most) break;
			const site = siteOf(candidate.url);
			const count = this.perSite.get(site) ?? 0;
			if (this.isTaken(candidate.key) || count >= this.pagesPerSite) continue;
			this.perSite.set(site, count + 1);
			this.taken.add(candidate.key);
			chosen.push(candidate);
		}
		return chosen;
	}

	private isTaken(key: string): boolean {
		return this.taken.has(key) || this.leftOut.has(key);
	}

	/** The keys of all pages that searches have found. */
	get keys(): string[] {
		return [...this.found.keys()];
	}

	/** The address under which a search has found a page. */
	foundAs(key: string): string | undefined {
		return this.found.get(key)?.candidate.url;
	}

	/** Whether `take` would give a page. */
	get hasMore(): boolean {
		return [...this.found.values()].some(
			({ candidate: { key, url } }) => !this.isTaken(key) && (this.perSite.get(siteOf(url)) ?? 0) < this.pagesPerSite,
		);
	}
}

/** A text of strangers on one line. */
export function oneLine(text: string): string {
	const plain = visible(text)
		.replace(/!?\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
		.replace(/<[^<>]*>|<(?=[a-z/!?])/gi, ' ')
		.replace(/\s+/g, ' ')
		.trim();
	return cutAt(plain, MAX_TITLE_CHARACTERS);
}

/** The number of pages to read in a round: the last one takes all that are left, others keep some for the gaps. */
export function pagesOfRound(left: number, roundsLeft: number): number {
	return roundsLeft <= 1 ? left : Math.ceil(left / 2);
}

/** A query without what a search takes for an operator: quotation marks, `site:`, signs before words. */
export function plainQuery(text: string): string {
	return plainStatement(text)
		.replace(/["“”„«»]/g, ' ')
		.replace(/\b[a-z]{2,12}:(?=\S)/gi, ' ')
		.replace(/(?<!\S)[-+|~*]+(?=\S)/g, '')
		.replace(/\b(?:OR|AND|NOT)\b/g, ' ')
		.replace(/\s+/g, ' ')
		.trim();
}
