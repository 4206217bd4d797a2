import { evenOut, MAX_PAGE_CHARACTERS } from '../text/pageText';
import { pageKey } from '../text/addresses';
import { count } from '../text/amounts';
import { cutAt } from '../text/ends';
import { citedAddress } from '../text/textJump';
import { QuotedPage } from './claims/passages';
import { PageReader } from './claims/readPage';
import type { PageToRead } from './claims/readPage';
import type { DraftClaim } from './claims/verifyClaims';
import type { ResearchParts, ScrapedPage } from './contract/parts';
import type { ResearchQuestion } from './contract/question';
import type { EndedBy, ResearchUsage } from './contract/result';
import { MOST_SOURCES, readCitedText } from './check/citedText';
import type { CitedSentence } from './check/citedText';
import { checkForm, judgeSentences } from './check/readForCheck';
import { safeAddress, stateOfPage, verdictOf, whyNotAsked } from './check/verdicts';
import type { SentenceVerdict, SourceState, SourceVerdict } from './check/verdicts';
import { searchOnce } from './collect';
import { LimitReached } from './model/budget';
import { answeredAddress, fetchedPage } from './readPages';
import { RunState, reasonText } from './runState';
import { isWanted, oneLine, plainQuery } from './select';
import type { Candidate } from './select';

export type { SentenceVerdict } from './check/verdicts';

/** A source of a text, and what came of it. */
export interface CheckedSource {
	number: number;
	/** As it may be shown. */
	url: string;
	title: string;
	state: SourceState;
	/** Why it was not read whole, in one sentence. */
	reason?: string;
	/** How many sentences cite it. */
	cited: number;
	/** A search has found it: the text does not cite it. */
	isFound?: true;
}

/** A sentence with its verdict. */
export interface JudgedSentence extends CitedSentence {
	verdict: SentenceVerdict;
	found: SourceVerdict[];
}

/** A text whose sentences were looked up in their sources. */
export interface CheckedText {
	sentences: JudgedSentence[];
	sources: CheckedSource[];
	/** The day on which they were looked up, as 2026-11-30. */
	day: string;
	/** The limit that has ended it. */
	limit?: EndedBy;
	warnings: string[];
	usage: ResearchUsage;
}

/** A source while it is looked at. */
interface SourceWork {
	source: CheckedSource;
	candidate: Candidate;
	sentences: CitedSentence[];
}

/**
 * Looks up the sentences of a text in the pages that they cite: the model that reads names the words that speak of a
 * sentence, code finds them and compares figures, the model that judges decides on each pair. `searches`: whether sentences
 * without a source are searched for. Throws ResearchFailure; a limit leaves the rest `notRead` or `notJudged`.
 */
export async function checkText(
	text: string,
	question: ResearchQuestion,
	parts: ResearchParts,
	{ searches = false }: { searches?: boolean } = {},
): Promise<CheckedText> {
	const { sentences, sources: addresses } = readCitedText(text);
	const run = new RunState(question, parts);
	let isDone = false;
	try {
		run.phases.throwIfStopped();
		const works = worksOf(addresses, sentences);
		const found = new Map<number, SourceVerdict[]>();
		const chosen = chooseSources(works, question);
		const refusals = await Promise.all(
			chosen.map(async (work) => {
				const { verdicts, refusal } = await run.pageTurns.run(async () => await checkSource(run, work));
				for (const [position, verdict] of verdicts) found.set(position, [...(found.get(position) ?? []), verdict]);
				return refusal;
			}),
		);
		const [first] = refusals;
		if (first && refusals.every((one) => one && isOfAll(one))) throw first;
		for (const { source, sentences: own } of works) {
			if (source.state !== 'notRead' && source.state !== 'unreachable') continue;
			for (const { position } of own) {
				found.set(position, [...(found.get(position) ?? []), { source: source.number, verdict: source.state }]);
			}
		}
		const judged = sentences.map((sentence): JudgedSentence => {
			const own = (found.get(sentence.position) ?? []).sort((one, other) => one.source - other.source);
			const verdict = sentence.isClaim ? verdictOf(own, sentence) : 'noClaim';
			return { ...sentence, verdict, found: sentence.isClaim ? own : [] };
		});
		if (sentences.some(({ hasMore }) => hasMore)) {
			run.warnings.push(`The text cites more than ${MOST_SOURCES} addresses: the others are not read.`);
		}
		const known = works.map(({ source }) => source);
		const added = searches ? await searchForSources(run, judged, known) : [];
		isDone = true;
		return {
			sentences: judged,
			sources: [...known, ...added],
			day: question.today,
			...(run.limit !== undefined && { limit: run.limit }),
			warnings: run.warnings,
			usage: run.budget.usage(),
		};
	} finally {
		if (!isDone) await run.phases.settled();
		run.phases.end();
	}
}

function worksOf(addresses: readonly string[], sentences: readonly CitedSentence[]): SourceWork[] {
	return addresses.map((address, index) => workOf(address, index + 1, sentences));
}

/** The addresses of a text that are read, those that are cited most first. */
export function chosenSources(
	addresses: readonly string[],
	sentences: readonly CitedSentence[],
	question: ResearchQuestion,
): string[] {
	return chooseSources(worksOf(addresses, sentences), question).map(({ candidate }) => candidate.url);
}

/** Whether the service would refuse any page so: for its key, or for its credits. */
function isOfAll(error: Error): boolean {
	return 'httpCode' in error && [401, 402].includes(Number(error.httpCode));
}

function workOf(address: string, number: number, sentences: readonly CitedSentence[]): SourceWork {
	const own = sentences.filter(({ isClaim, sources }) => isClaim && sources.includes(number));
	const reason = whyNotAsked(address);
	const state = reason === undefined ? 'read' : 'notRead';
	return {
		source: {
			...{ number, url: safeAddress(address), title: '', state, cited: own.length },
			...(reason !== undefined && { reason }),
		},
		candidate: { url: address, key: pageKey(address), title: '', description: '', isNamed: true },
		sentences: own,
	};
}

/** Those that are cited most, within Max Pages, the most first; of the others it is said why they are not read. */
function chooseSources(works: readonly SourceWork[], question: ResearchQuestion): SourceWork[] {
	let left = question.maxPages;
	const byCited = [...works].sort((one, other) => other.sentences.length - one.sentences.length);
	for (const { source, candidate } of byCited) {
		if (source.state !== 'read') continue;
		if (!isWanted(candidate.url, question)) notRead(source, 'Its site is excluded.');
		else if (source.cited === 0) notRead(source, 'No sentence cites it.');
		else if (left === 0) notRead(source, `Max Pages (${question.maxPages}) leaves no room for it.`);
		else left -= 1;
	}
	return byCited.filter(({ source }) => source.state === 'read');
}

function notRead(source: CheckedSource, reason: string): void {
	source.state = 'notRead';
	source.reason = reason;
}

/** Sentences that are searched for, and pages that are read for each. */
export const MOST_SEARCHES = 20;
export const PAGES_OF_SEARCH = 2;
const MAX_QUERY = 200;

/**
 * Searches for sentences without a source: what one of the best pages says is `supported` by a source that was found, which
 * the text does not cite. What they do not say stays without a source: a search proves nothing. Gives these sources.
 */
async function searchForSources(
	run: RunState,
	judged: JudgedSentence[],
	known: readonly CheckedSource[],
): Promise<CheckedSource[]> {
	const added: CheckedSource[] = [];
	const unseen = new Map<string, CheckedSource>();
	const open = judged.filter(({ verdict }) => verdict === 'noSource');
	let left = run.question.maxPages - known.filter(({ state }) => state === 'read' || state === 'partlyRead').length;
	let searched = 0;
	for (const sentence of open.slice(0, MOST_SEARCHES)) {
		if (run.limit !== undefined || left <= 0) break;
		const results = await searchOnce(run, cutAt(plainQuery(sentence.text), MAX_QUERY)).catch((error: unknown) => {
			run.phases.throwIfStopped();
			if (error instanceof LimitReached) {
				run.keepLimit(error);
				return undefined;
			}
			run.warnings.push(`A search for a sentence without a source failed: ${reasonText(error)}`);
			return [];
		});
		if (!results) break;
		searched += 1;
		const pages = results.filter(({ url }) => isWanted(url, run.question) && whyNotAsked(url) === undefined);
		for (const { url } of pages.slice(0, Math.min(PAGES_OF_SEARCH, left))) {
			const number = known.length + added.length + 1;
			const source: CheckedSource = { number, url, title: '', state: 'read', cited: 0, isFound: true };
			const candidate: Candidate = { url, key: pageKey(url), title: '', description: '' };
			left -= 1;
			const { verdicts } = await checkSource(run, { source, candidate, sentences: [sentence] });
			const [verdict] = verdicts;
			if (source.state !== 'read' || verdict?.[1].verdict === 'notJudged') unseen.set(url, source);
			if (verdict?.[1].verdict !== 'supported') continue;
			added.push(source);
			sentence.verdict = 'supported';
			sentence.found.push(verdict[1]);
			sentence.sources.push(number);
			break;
		}
	}
	const [first] = unseen.values();
	if (first) {
		const reason = (first.reason ?? 'The chat model gave no answer').replace(/\.$/, '');
		const pages = count(unseen.size, 'page');
		run.warnings.push(
			`${pages} that a search has found for sentences without a source could not be read whole or judged, so nobody knows what is said there: ${first.url} (${reason}).`,
		);
	}
	if (searched < open.length) {
		const others = open.length - searched;
		run.warnings.push(
			`${count(others, 'sentence')} without a source ${others === 1 ? 'was' : 'were'} not searched for: a limit came first, or the first ${MOST_SEARCHES} were.`,
		);
	}
	return added;
}

/** One source beside the sentences that cite it, by their positions; `refusal`: why its page could not be fetched. */
async function checkSource(
	run: RunState,
	{ source, candidate, sentences }: SourceWork,
): Promise<{ verdicts: Array<[position: number, verdict: SourceVerdict]>; refusal?: Error }> {
	// Fetched when its turn to be read has come: the texts of hundreds of pages have no room.
	const fetched = await fetchedPage(run, candidate);
	const page = pageOf(run, source, fetched, candidate.url);
	if (!page) return { verdicts: [], ...(fetched instanceof Error && { refusal: fetched }) };
	run.pagesRead += 1;
	const parts = Array.from({ length: Math.ceil(sentences.length / SENTENCES_OF_CALL) }, (_unused, at) =>
		sentences.slice(at * SENTENCES_OF_CALL, (at + 1) * SENTENCES_OF_CALL),
	);
	const found = await Promise.all(parts.map(async (some) => await checkPart(run, source, candidate, some, page)));
	const verdicts = found.flat();
	if (verdicts.every(([, { verdict }]) => verdict === 'notRead')) source.state = 'notRead';
	return { verdicts: source.state === 'notRead' ? [] : verdicts };
}

/** Sentences that a page is read for at once: a model that gets hundreds overlooks some. */
const SENTENCES_OF_CALL = 25;

async function checkPart(
	run: RunState,
	source: CheckedSource,
	{ key }: Candidate,
	sentences: CitedSentence[],
	page: PageToRead,
): Promise<Array<[position: number, verdict: SourceVerdict]>> {
	const quotes: DraftClaim[] = [];
	const reader = new PageReader(run.model, checkForm(sentences, run.model, quotes), run.question.maxPieceCharacters);
	const reading = await reader.read(key, page);
	if (reading.limit) run.keepLimit(reading.limit);
	const isUnread = reading.unreadPieces === reading.pieces;
	if (reading.unreadPieces > 0 && source.state === 'read') {
		source.state = 'partlyRead';
		source.reason = reading.limit
			? 'A limit was reached before all of it was read.'
			: reading.pieces === 1
				? 'The chat model gave no answer that could be read.'
				: `${reading.unreadPieces} of its ${reading.pieces} parts could not be read by the chat model.`;
	}
	if (isUnread) return sentences.map(({ position }) => [position, { source: source.number, verdict: 'notRead' }]);
	const { verdicts, limit } = await judgeSentences(sentences, quotes, page, run.model);
	if (limit) run.keepLimit(limit);
	return verdicts.flatMap(({ place, verdict, quote, jump }): Array<[number, SourceVerdict]> => {
		const sentence = sentences[place - 1];
		if (!sentence) return [];
		// What the part that was seen does not say, the rest may say.
		const seen = verdict === 'notStated' && source.state === 'partlyRead' ? 'partlyRead' : verdict;
		const shows = seen === 'supported' || seen === 'contradicted';
		const link = shows && jump !== undefined ? citedAddress(page.url, [jump]) : undefined;
		// Of what is not stated, the words that came nearest.
		const words = quote === undefined ? {} : { quote, ...(link !== undefined && { link }) };
		return [[sentence.position, { source: source.number, verdict: seen, ...words }]];
	});
}

/** The page of a source where it can be read; what came of it stands in the source. */
function pageOf(
	run: RunState,
	source: CheckedSource,
	fetched: ScrapedPage | Error | undefined,
	asked: string,
): PageToRead | undefined {
	if (fetched === undefined) {
		notRead(source, 'A limit was reached before it was read.');
		return undefined;
	}
	const refuse = (state: SourceState, reason: string) => void Object.assign(source, { state, reason });
	if (fetched instanceof Error) {
		run.keepRefusal(fetched);
		// What the service refuses to everybody says nothing of the page.
		refuse(isOfAll(fetched) ? 'notRead' : 'unreachable', reasonText(fetched));
		return undefined;
	}
	if (fetched.statusCode !== undefined) {
		refuse('unreachable', `It answered with HTTP ${fetched.statusCode}.`);
		return undefined;
	}
	const text = new QuotedPage(fetched.markdown);
	const url = answeredAddress(fetched, asked);
	const isCut = text.isCut || fetched.isPart === true || fetched.markdown.length > MAX_PAGE_CHARACTERS;
	const { state, reason } = stateOfPage(evenOut(text.readable), { asked, answered: url, isCut });
	source.state = state;
	if (reason !== undefined) source.reason = reason;
	if (state !== 'read' && state !== 'partlyRead') return undefined;
	source.title = oneLine(fetched.title);
	return { text, url, title: source.title, publishedAt: fetched.publishedAt };
}
