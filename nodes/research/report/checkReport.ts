import { siteName } from '../../text/addresses';
import { cutAt, trimEnd } from '../../text/ends';
import { CLOSERS, END_MARKS, hasNoMarks, wordCount } from '../../text/sentences';
import { bareText } from '../../text/bareText';
import { compareFigures } from '../claims/figures';
import { evenOut, visible, wordsOf } from '../../text/pageText';
import { judgeClaims } from '../claims/verifyClaims';
import type { ClaimVerdict, Pair } from '../claims/verifyClaims';
import type { LimitReached } from '../model/budget';
import type { ModelCaller } from '../model/modelCaller';
import { reportAddresses, cleanReport, hostsIn } from './cleanReport';
import { dayOfPage, speakerOf } from './numberedClaims';
import type { NumberedClaim, PagesOfClaims } from './numberedClaims';
import { CITATION, citedNumbers, plainCitations } from './citations';
import { readReport } from './readReport';
import type { ReportLine, ReportSentence } from './readReport';
import { claimsBelow, isSaidAnyway, questionOf } from './titles';

/** A sentence of the report, and what the check says of it. */
export interface CheckedSentence extends ReportSentence {
	/** The citations that exist. */
	known: number[];
	/**
	 * `cited`: its claims support it. `free`: no statement, without figures of its own. `unjudged`: a title that nobody has
	 * judged, in whose place `instead` is shown.
	 */
	verdict: 'cited' | 'free' | 'uncited' | 'unsupported' | 'unjudged';
	/** Figures that its claims may hold in words, or not at all. */
	unclear?: readonly string[];
	/** The sub-question that what stands below a title answers. */
	instead?: string;
	/** The reason why it is unsupported, as the model is told. */
	why?: string;
}

export interface CheckedReport {
	lines: Array<Omit<ReportLine, 'sentences'> & { sentences: CheckedSentence[] }>;
	uncitedSentences: number;
	unsupportedSentences: number;
	unknownCitations: number;
	removedAddresses: number;
	/** One sentence for each fault, as the model is told. */
	faults: string[];
	/** The limit that came before all sentences were judged. */
	limit?: LimitReached;
}

/** Most faults that the model is told. */
const MAX_FAULTS = 20;

const WHY: Record<Exclude<ClaimVerdict, 'supported' | 'saysNothing'>, string> = {
	contradicted: 'The cited claims say otherwise',
	notStated: 'The cited claims do not say this',
	notJudged: 'This was not judged',
};

/** The claims and figures that a report is checked against. */
interface ReportCheck {
	claims: ReadonlyMap<number, NumberedClaim>;
	/** A sentence may name the sites that its claims are from, and their days. */
	pages: PagesOfClaims;
	/** Further texts in which figures may stand, besides the claims: the question. */
	context: readonly string[];
	/** The question's parts, by the numbers of the claims that answer them. */
	subQuestions: readonly string[];
	/** Undefined: quotes and figures only. */
	judge: ModelCaller | undefined;
}

/**
 * Checks a report against the claims that it may cite: every statement cites a claim that exists, its figures and
 * hosts stand in these claims, and the model finds it supported by them, in calls that see nothing else. A sentence
 * that is the text of its claim needs no judgement. Titles are checked against the claims that are cited below them.
 * Throws ResearchFailure.
 */
export async function checkReport(markdown: string, check: ReportCheck): Promise<CheckedReport> {
	const { claims } = check;
	const supports = [...claims.values()].map(supportOf);
	const byText = numbersByText(claims.values());
	const plain = plainCitations(visible(markdown), (number) => claims.has(number));
	const { text, removed } = cleanReport(plain, reportAddresses(supports));
	const lines = readReport(text).map(({ lead, sentences }) => ({
		lead,
		sentences: spread(
			sentences.flatMap((sentence) => withoutUncited(sentence, claims)).filter(saysSomething),
			check,
			byText,
		).map((sentence) => checkByCode(sentence, check)),
	}));
	const all = lines.flatMap(({ sentences }) => sentences);
	const titles = titlesIn(lines, check);
	const limit = await judgeSentences(all, titles, check);
	const faultsOf = (isTitle: boolean) =>
		all.flatMap(({ text: said, verdict, why, level }) => {
			if ((level !== undefined) !== isTitle) return [];
			if (verdict === 'uncited') return [`No claim is cited: "${said}"`];
			return verdict === 'unsupported' ? [`${why ?? WHY.notStated}: "${said}"`] : [];
		});
	const faults = faultsOf(false);
	const unknownCitations = all.reduce((sum, { cited, known }) => sum + cited.length - known.length, 0);
	if (unknownCitations > 0) faults.push(`Some cited numbers are not from 1 to ${claims.size}.`);
	if (removed > 0) faults.push('There are web addresses, links, images or HTML in it.');
	// A title is left out without loss: for its sake alone, no report is written again.
	if (faults.length > 0) faults.push(...faultsOf(true));
	const count = (wanted: CheckedSentence['verdict']) => all.filter(({ verdict }) => verdict === wanted).length;
	return {
		lines,
		uncitedSentences: count('uncited'),
		unsupportedSentences: count('unsupported'),
		unknownCitations,
		removedAddresses: removed,
		faults: faults.slice(0, MAX_FAULTS),
		...(limit && { limit }),
	};
}

function checkByCode(sentence: ReportSentence, check: ReportCheck): CheckedSentence {
	const { claims } = check;
	const known = sentence.cited.filter((number) => claims.has(number));
	const cited = known.flatMap((number) => claims.get(number) ?? []);
	const checked = (verdict: CheckedSentence['verdict'], why?: string): CheckedSentence => ({
		...sentence,
		known,
		verdict,
		...(why !== undefined && { why }),
	});
	if (!/[\p{L}\p{N}]/u.test(sentence.text)) return checked('free');
	const isCiting = cited.length > 0;
	if (!isCiting) return checked(sentence.isStatement ? 'uncited' : 'free');
	const { why, unclear } = missingIn(sentence.text, cited, check);
	return why === undefined ? { ...checked('cited'), unclear } : checked('unsupported', why);
}

/**
 * Why these claims cannot support a text, as far as code can tell: figures and hosts that they do not have. `unclear`:
 * figures of which it cannot tell.
 */
function missingIn(
	text: string,
	claims: readonly NumberedClaim[],
	{ context, judge, pages }: ReportCheck,
): { why?: string; unclear: readonly string[] } {
	const support = claims.map(supportOf);
	const plain = evenOut(text);
	const days = claims.flatMap(({ source }) => dayOfPage(source, pages) ?? []);
	const { different, unclear } = compareFigures(plain, support, [...context, ...days]);
	const missing = judge ? different : [...different, ...unclear];
	if (missing.length > 0) return { why: `The cited claims do not have ${missing.join(', ')}`, unclear };
	const named = [...support, ...claims.map(({ source }) => siteName(source))];
	const isForeign = (host: string) => !named.some((one) => hasHost(one, host));
	return hostsIn(plain).some(isForeign) ? { why: WHY.notStated, unclear } : { unclear };
}

/** A title that the model has to judge, and the claims that are cited below it. */
interface OpenTitle {
	sentence: CheckedSentence;
	below: NumberedClaim[];
}

/** Checks the titles by code, and gives those that are left to the model: until it has judged them, they are `unjudged`. */
function titlesIn(lines: CheckedReport['lines'], check: ReportCheck): OpenTitle[] {
	const { claims, context, subQuestions } = check;
	const shown = lines.map(({ lead, sentences }) => ({
		level: sentences.find(({ level }) => level !== undefined)?.level,
		isListed: lead.trim() !== '',
		isBlank: sentences.length === 0,
		cited: sentences.flatMap(({ verdict, known }) => (verdict === 'cited' ? known : [])),
	}));
	return lines.flatMap(({ sentences }, at) =>
		sentences.flatMap((sentence) => {
			if (sentence.level === undefined || sentence.verdict !== 'free') return [];
			if (!/[\p{L}\p{N}]/u.test(sentence.text)) return [];
			const below = claimsBelow(shown, at, claims);
			const { why, unclear } = missingIn(sentence.text, below, check);
			if (why !== undefined) {
				Object.assign(sentence, { verdict: 'unsupported', why });
				return [];
			}
			if (isSaidAnyway(sentence.text, [...context, ...subQuestions], below)) return [];
			Object.assign(sentence, { verdict: 'unjudged', unclear, instead: questionOf(below, subQuestions) });
			return below.length === 0 ? [] : [{ sentence, below }];
		}),
	);
}

/** Citations alone say nothing, and neither does a word or two that speak of them: "All from [1] and [3]." */
function saysSomething({ raw, text, cited, isStatement }: ReportSentence): boolean {
	if (!isStatement || cited.length === 0) return true;
	if (!/[\p{L}\p{N}]/u.test(text)) return false;
	return !(SPOKEN_OF.test(raw) && wordCount(text, 3) <= 3);
}

/** A citation that is a part of the sentence: another follows it behind a word. */
const SPOKEN_OF = /\]\s{1,3}\p{L}{1,6}\s{1,3}\[[\p{Nd}\s,-]{1,40}\]/u;

/** Of the words of a sentence, so many must stand in a claim whose number it gets: more where nobody judges it. */
const SHARED_WORDS = 0.5;
const SHARED_UNJUDGED = 0.8;

/**
 * A line whose only numbers are several behind its last sentence: each sentence gets those whose claims share its words.
 * A sentence without a number that is the text of a claim gets the number of that.
 */
function spread(
	sentences: readonly ReportSentence[],
	{ claims, judge }: ReportCheck,
	byText: ReadonlyMap<string, number>,
): ReportSentence[] {
	const statements = sentences.filter(({ isStatement }) => isStatement);
	const last = statements.at(-1);
	const isOneGroup =
		last !== undefined && last.cited.length > 1 && statements.every((one) => one === last || one.cited.length === 0);
	const behind = isOneGroup && statements.length > 1 ? last.cited : [];
	const least = judge ? SHARED_WORDS : SHARED_UNJUDGED;
	return sentences.map((sentence) => {
		if (!sentence.isStatement || (sentence.cited.length > 0 && sentence !== last)) return sentence;
		const own = wordsOf(sentence.text);
		const near = behind.filter((number) => sharedPart(own, claims.get(number)) >= least);
		if (near.length > 0 || sentence.cited.length > 0) return near.length > 0 ? { ...sentence, cited: near } : sentence;
		const same = byText.get(comparable(sentence.text));
		return same === undefined ? sentence : { ...sentence, cited: [same] };
	});
}

/** The first claim of each text, by the text as it is compared. */
function numbersByText(claims: Iterable<NumberedClaim>): ReadonlyMap<string, number> {
	const numbers = new Map<string, number>();
	for (const { number, text } of claims) {
		const key = comparable(text);
		if (key !== '' && !numbers.has(key)) numbers.set(key, number);
	}
	return numbers;
}

/** The part of some words that a claim has, from 0 to 1. */
function sharedPart(words: ReadonlySet<string>, claim: NumberedClaim | undefined): number {
	if (!claim || words.size === 0) return 0;
	const held = wordsOf(`${claim.text} ${claim.quote}`);
	return [...words].filter((word) => held.has(word)).length / words.size;
}

/** Judges the cited sentences and the titles, and notes in them what is not supported. */
async function judgeSentences(
	all: readonly CheckedSentence[],
	titles: readonly OpenTitle[],
	{ claims, pages, judge: model }: ReportCheck,
): Promise<LimitReached | undefined> {
	if (!model) return undefined;
	const pairs: Pair[] = [];
	const judged: CheckedSentence[] = [];
	for (const sentence of all) {
		if (sentence.verdict !== 'cited') continue;
		const cited = sentence.known.flatMap((number) => claims.get(number) ?? []);
		const own = comparable(sentence.text);
		if (cited.some(({ text }) => comparable(text) === own)) continue;
		judged.push(sentence);
		const { text: statement, unclear = [] } = sentence;
		const page = [...new Set(cited.map((claim) => speakerOf(claim, pages)))].join('; ');
		pairs.push({ statement, passage: cited.map(supportOf).join(' / '), unclear, page });
	}
	for (const { sentence, below } of titles) {
		judged.push(sentence);
		const { text: statement, unclear = [] } = sentence;
		pairs.push({ statement, passage: below.map(({ text }) => text).join(' / '), unclear, isTitle: true });
	}
	const { verdicts, limit } = await judgeClaims(pairs, model, { role: 'main', isWriting: true });
	judged.forEach((sentence, index) => {
		const verdict = verdicts[index] ?? 'notJudged';
		const isTitle = pairs[index]?.isTitle ?? false;
		if (verdict === 'supported' || verdict === 'saysNothing') {
			if (isTitle) Object.assign(sentence, { verdict: 'free' });
		} else if (!isTitle || verdict !== 'notJudged') {
			Object.assign(sentence, { verdict: 'unsupported', why: WHY[verdict] });
		}
	});
	return limit;
}

/** Most places that are looked at for the beginning of the text of a claim. */
const MAX_PLACES = 60;

/** A mark that may end a sentence, or an abbreviation in it, up to the next word. */
const MARK_BEFORE = new RegExp(`[${END_MARKS}][${CLOSERS}]{0,5}\\s{1,5}$`, 'u');

/**
 * The text between two citations may be several sentences: a full stop may be that of an abbreviation, and some
 * scripts need no mark. Where it ends with the text of a claim that it cites, what stands before that text is another
 * sentence, which cites nothing.
 */
function withoutUncited(sentence: ReportSentence, claims: ReportCheck['claims']): ReportSentence[] {
	const { raw, text, cited } = sentence;
	if (!sentence.isStatement) return [sentence];
	const texts = cited.flatMap((number) => {
		const { text: said, quote } = claims.get(number) ?? {};
		return [said, quote].filter((one) => one !== undefined).map(comparable);
	});
	if (texts.length === 0 || texts.includes(comparable(text))) return [sentence];
	const isMarked = !hasNoMarks(text);
	const places = Array.from(raw.matchAll(/\s(?=\S)/g), ({ index }) => index + 1).filter(
		(at) => !isMarked || MARK_BEFORE.test(raw.slice(Math.max(0, at - 12), at)),
	);
	for (const at of places.slice(0, MAX_PLACES)) {
		const [before, rest] = [raw.slice(0, at), raw.slice(at)];
		if (citedNumbers(before).length > 0 || !texts.includes(comparable(rest.replace(CITATION, '')))) continue;
		return [
			{ raw: before, text: before.trim(), cited: [], isStatement: true },
			{ raw: rest, text: rest.replace(CITATION, '').trim(), cited, isStatement: true },
		];
	}
	return [sentence];
}

function comparable(text: string): string {
	return trimEnd(bareText(evenOut(text).toLowerCase()).text, /[\p{Sentence_Terminal}\s]/u);
}

/** The text of a claim, with the words of its page where these were found and hold. */
export function supportOf({ verified, quote, text }: NumberedClaim): string {
	return verified && comparable(quote) !== comparable(text) ? `${text} ("${cutAt(quote, MAX_QUOTE)}")` : text;
}

/** Longest part of a quote that is shown to the model that judges a report: as much as a reading model is asked for. */
const MAX_QUOTE = 300;

function hasHost(text: string, host: string): boolean {
	return hostsIn(text).some((one) => one.toLowerCase() === host.toLowerCase());
}
