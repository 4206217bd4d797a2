import { addressKey } from '../text/addressKey';
import type { PageReading, PageReader } from './claims/readPage';
import { isInstruction } from './claims/verifyClaim';
import type { DraftClaim } from './claims/verifyClaim';
import { evenOut, MAX_PAGE_CHARACTERS } from './claims/pageText';
import { ResearchFailure } from './contract/failure';
import type { ScrapedPage } from './contract/parts';
import { isRecord } from './model/answers';
import { LimitReached } from './model/budget';
import { isOutOfCredits, reasonText } from './runState';
import type { PageRecord, RunState } from './runState';
import { isWanted, oneLine } from './select';
import type { Candidate } from './select';

/** A page with its claims, as the notes keep it: without its text. */
interface ReadPage extends PageRecord {
	url: string;
	verified: DraftClaim[];
	unsupported: DraftClaim[];
	/** Why nothing or not everything of it could be read, in one sentence. */
	trouble: string;
}

function isReadPage(value: unknown): value is ReadPage & Record<string, unknown> {
	return isRecord(value) && typeof value.url === 'string' && Array.isArray(value.verified);
}

const TROUBLES: Record<NonNullable<PageReading['trouble']>, string> = {
	refused: 'The chat model refused to read it.',
	tooLong: 'It is too long for the chat model, even in small pieces.',
	noJson: 'The chat model gave no answer that could be read, twice.',
	limit: 'A limit was reached before it was read.',
};

/** A page that was paid for in an earlier try and cannot be had again for nothing. */
class NotReadBack extends Error {
	constructor() {
		super('It was paid for in an earlier try and cannot be read back: it is not paid for twice.');
	}
}

/** The page itself: read back where it was paid for before, else scraped. */
async function fetchPage(run: RunState, { url, key }: Candidate): Promise<ScrapedPage> {
	const { parts, budget, question } = run;
	const noted = parts.notes.read(`page ${key}`);
	if (isRecord(noted)) {
		if (typeof noted.id === 'string' && noted.id !== '') return await parts.readBack(noted.id, url);
		throw new NotReadBack();
	}
	budget.reserveCredits(question.pageCredits);
	const page = await parts.scrape(url).catch((error: unknown) => {
		budget.failCredits(question.pageCredits, error);
		throw error;
	});
	budget.settleCredits(question.pageCredits, page.creditsUsed);
	parts.notes.write(`page ${key}`, { id: page.id });
	return page;
}

/** One page and its claims; a sentence says why there is nothing. Throws LimitReached and ResearchFailure. */
async function readOne(
	run: RunState,
	reader: PageReader,
	candidate: Candidate,
): Promise<ReadPage | string> {
	const { parts, phases, question } = run;
	const step = `claims ${candidate.key} ${reader.key}`;
	const noted = parts.notes.read(step);
	if (isReadPage(noted)) return noted;
	run.log('scrape', 'processing', `Reading: ${candidate.url}`);
	const page = await phases.race(async () => await fetchPage(run, candidate), phases.reading);
	const url = isWanted(page.url, { includeDomains: [], excludeDomains: [] })
		? page.url
		: candidate.url;
	if (!candidate.isNamed && !isWanted(url, question)) return 'It leads to a site that is excluded.';
	if (evenOut(page.markdown) === '') return 'It has no text: it may be empty or gone.';
	const reading = await reader.read(candidate.key, page.markdown);
	if (reading.limit) run.keepLimit(reading.limit);
	if (reading.instructions > 0) {
		run.warnings.push(
			`${url}: ${reading.instructions} statements that read as instructions to a model were left out.`,
		);
	}
	const read: ReadPage = {
		url,
		title: shownText(page.title) || shownText(candidate.title),
		description: shownText(page.description) || shownText(candidate.description),
		readAt: run.timestamp(),
		verified: reading.verified,
		unsupported: reading.unsupported,
		trouble: troubleOf(reading, page.markdown.length),
	};
	if (!reading.limit) parts.notes.write(step, { ...read });
	return read;
}

/** What a page says of itself, unless it says that to a model. */
function shownText(text: string): string {
	const line = oneLine(text);
	return isInstruction(line) ? '' : line;
}

function troubleOf({ trouble, unreadPieces, pieces }: PageReading, length: number): string {
	if (trouble) {
		const why = TROUBLES[trouble];
		return unreadPieces < pieces ? `${unreadPieces} of its ${pieces} parts: ${why}` : why;
	}
	if (length <= MAX_PAGE_CHARACTERS) return '';
	return `Only its first ${MAX_PAGE_CHARACTERS} of ${length} characters were read.`;
}

/**
 * Reads pages side by side and adds their claims in the order of the pages. Returns how many of them are new.
 * Throws ResearchFailure; limits are kept in the run.
 */
export async function readPages(
	run: RunState,
	reader: PageReader,
	candidates: readonly Candidate[],
): Promise<number> {
	run.pagesTaken += candidates.length;
	const read = await Promise.all(
		candidates.map(async (candidate) => {
			try {
				return await readOne(run, reader, candidate);
			} catch (error) {
				run.phases.throwIfStopped();
				return reasonNotRead(run, error);
			}
		}),
	);
	let added = 0;
	for (const [index, page] of read.entries()) {
		const candidate = candidates[index];
		if (page !== undefined && candidate) added += addPage(run, candidate.url, page);
	}
	return added;
}

/** Why a page was not read; undefined for a limit. */
function reasonNotRead(run: RunState, error: unknown): string | undefined {
	if (error instanceof ResearchFailure) throw error;
	if (error instanceof LimitReached) {
		run.keepLimit(error);
		return undefined;
	}
	if (isOutOfCredits(error)) run.limit ??= 'credits';
	return reasonText(error);
}

function addPage(run: RunState, asked: string, page: ReadPage | string): number {
	if (typeof page === 'string') return skip(run, asked, page);
	const { url, verified, unsupported, trouble, ...record } = page;
	const key = addressKey(url);
	if ([...run.pages.keys()].some((other) => addressKey(other) === key)) {
		return skip(run, asked, 'It leads to a page that was read already.');
	}
	if (trouble !== '') skip(run, url, trouble);
	const isUnread = trouble !== '' && verified.length + unsupported.length === 0;
	if (!isUnread) run.pagesRead += 1;
	run.pages.set(url, record);
	run.unsupportedClaims += unsupported.length;
	const seen = new Set(run.claims.map(({ text }) => text.toLowerCase()));
	const add = (claim: DraftClaim, isVerified: boolean) => {
		const { text, quote, question } = claim;
		const number = run.claims.length + 1;
		run.claims.push({ number, text, quote, question, source: url, verified: isVerified });
	};
	for (const claim of verified) add(claim, true);
	for (const claim of unsupported) add(claim, false);
	run.log('analyze', 'complete', `${verified.length} claims: ${url}`);
	return new Set(verified.map(({ text }) => text.toLowerCase()).filter((text) => !seen.has(text)))
		.size;
}

function skip(run: RunState, url: string, reason: string): number {
	run.skipped.push({ url, reason });
	run.log('analyze', 'error', `${url}: ${reason}`);
	return 0;
}
