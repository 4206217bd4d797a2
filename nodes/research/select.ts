import { pageKey, sameAddress } from '../text/addresses';
import { cutAt } from '../text/ends';
import { plainStatement, visible, wordsOf } from '../text/pageText';
import type { SearchResult } from './contract/parts';
import type { ResearchQuestion } from './contract/question';

/** The weight of a rank in a list of results (reciprocal rank fusion, with its usual constant). */
const RANK_CONSTANT = 60;

/** The weight of words in common with the question against the best rank in a list. */
const WORDS_WEIGHT = 1 / RANK_CONSTANT;

const MAX_TITLE_CHARACTERS = 200;
const MAX_DATE_CHARACTERS = 30;

/** Of the places of a round, so many are the model's choice: a result that steers it must not fill all. */
const CHOSEN_SHARE = 2 / 3;

/** A page that may be read. */
export interface Candidate {
	url: string;
	/** The same for all addresses of one page. */
	key: string;
	title: string;
	description: string;
	/** When it was published, as the search says it. */
	date?: string;
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

	/** Titles of pages that were taken: the same story again is read last. */
	private readonly titles = new Set<string>();

	/** Keys of pages that the model has chosen for the next round, best first. */
	private preferred: readonly string[] = [];

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
		for (const [rank, { url, title, description, date }] of results.entries()) {
			if (!isWanted(url, this.question)) continue;
			const key = pageKey(url);
			const words = wordsOf(`${title} ${description}`);
			const shared = [...wanted].filter((word) => words.has(word)).length / (wanted.size || 1);
			const known = this.found.get(key);
			this.noteSpelling(url, key);
			const score = (known?.score ?? shared * WORDS_WEIGHT) + 1 / (RANK_CONSTANT + rank);
			const day = date === undefined ? {} : { date: cutAt(oneLine(date), MAX_DATE_CHARACTERS) };
			const shown = { title: oneLine(title), description: oneLine(description), ...day };
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

	/** Pages that pages lead to: within the limit of their site, and none that was taken. */
	takeLinked(links: ReadonlyArray<{ url: string; text: string }>, most: number): Candidate[] {
		const chosen: Candidate[] = [];
		for (const { url, text: title } of links) {
			const candidate = { url, key: pageKey(url), title, description: '' };
			if (chosen.length >= most || !isWanted(url, this.question) || !this.mayTake(candidate)) continue;
			this.note(candidate);
			chosen.push(candidate);
		}
		return chosen;
	}

	private note({ key, url, title }: Candidate): void {
		const site = siteOf(url);
		this.perSite.set(site, (this.perSite.get(site) ?? 0) + 1);
		this.taken.add(key);
		this.titles.add(storyOf(title));
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

	/** Those that the model has chosen for the next call of `take`, best first. */
	prefer(keys: readonly string[]): void {
		this.preferred = keys;
	}

	/** The best pages that may be taken, by code's ranking alone. */
	best(most: number): Candidate[] {
		return this.ranked.filter((candidate) => this.mayTake(candidate)).slice(0, most);
	}

	/**
	 * The best pages, at most so many and at most `pagesPerSite` of one site; first what the model has chosen, up to its
	 * share. None is taken twice.
	 */
	take(most: number): Candidate[] {
		const ranked = this.ranked;
		const byKey = new Map(ranked.map((candidate) => [candidate.key, candidate]));
		const wanted = this.preferred.flatMap((key) => byKey.get(key) ?? []);
		this.preferred = [];
		const chosen: Candidate[] = [];
		const takeFrom = (candidates: readonly Candidate[], until: number, repeats: boolean) => {
			for (const candidate of candidates) {
				if (chosen.length >= until) return;
				const title = storyOf(candidate.title);
				if (!this.mayTake(candidate) || (!repeats && title !== '' && this.titles.has(title))) continue;
				this.note(candidate);
				chosen.push(candidate);
			}
		};
		takeFrom(wanted, Math.min(most, Math.floor(most * CHOSEN_SHARE)), false);
		takeFrom(ranked, most, false);
		takeFrom(ranked, most, true);
		return chosen;
	}

	private get ranked(): Candidate[] {
		const best = [...this.found.values()].sort((one, other) => other.score - one.score);
		return best.map(({ candidate }) => candidate);
	}

	private mayTake({ key, url }: Candidate): boolean {
		return !this.isTaken(key) && (this.perSite.get(siteOf(url)) ?? 0) < this.pagesPerSite;
	}

	/** Whether a page was read, or is left out. */
	isTaken(key: string): boolean {
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
		return [...this.found.values()].some(({ candidate }) => this.mayTake(candidate));
	}
}

/** Shorter titles are no story: "Prices" of one site is not that of another. */
const STORY_CHARACTERS = 25;

/** A title without the name of its site, for comparison; empty where it is too short to tell a story. */
function storyOf(title: string): string {
	const plain = title
		.toLowerCase()
		.replace(/\s[|\u2013\u2014·-]\s[^|\u2013\u2014·]{1,40}$/u, '')
		.replace(/[^\p{L}\p{N}]+/gu, ' ')
		.trim();
	return plain.length < STORY_CHARACTERS ? '' : plain;
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
