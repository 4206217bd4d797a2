import { keyOf, pageKey } from '../text/addresses';
import { isRecord } from '../text/values';
import { comparePage, copiedFrom, digestOfPage, longSentencesOf, marksOfPage } from './claims/knownPage';
import type { PageDigest } from './claims/knownPage';
import { MAX_PAGE_CHARACTERS, evenOut, plainStatement } from '../text/pageText';
import { QuotedPage } from './claims/passages';
import type { PageReader, PageReading } from './claims/readPage';
import type { DraftClaim, UnverifiedClaim } from './claims/verifyClaims';
import { ResearchFailure } from './contract/result';
import type { KnownPage } from './contract/history';
import type { ScrapedPage } from './contract/parts';
import { rereadPage } from './history/rereadPage';
import type { PageNow, RereadPage, StatementNow } from './history/rereadPage';
import { LimitReached } from './model/budget';
import { throwIfOver } from './model/phases';
import { pageLinks } from './pageLinks';
import type { PageLead } from './pageLinks';
import { reasonText } from './runState';
import type { PageRecord, RunState } from './runState';
import { isWanted, oneLine, siteOf } from './select';
import type { Candidate } from './select';

/** A page with its claims, as the notes keep it: without its text. */
interface ReadPage extends PageRecord {
	url: string;
	verified: DraftClaim[];
	unverified: UnverifiedClaim[];
	/** The reason why nothing or not everything of it could be read, in one sentence. */
	trouble: string;
	/** The model has not read or judged all of it. */
	isOpen?: true;
	/** For runs that tell what is new: the page as the history keeps it, where all of it was read; its earlier statements. */
	marks?: Pick<KnownPage, 'hash' | 'sentences' | 'was'>;
	statements?: StatementNow[];
	/** For rows that are compared with earlier runs, where all of it was read. */
	digest?: PageDigest;
	/** Marks of its long sentences, where pages with the same text are told. */
	sentences?: string;
	/** Where it leads, as far as that may have what is missing. */
	links?: PageLead[];
}

/** A page that was not read. */
interface NotRead {
	/** One sentence. */
	reason: string;
	/** Whether it may say anything: nobody has decided against it, and it is not gone. */
	isOpen: boolean;
}

/** Reads pages for their claims, by a model or without one. */
export type ReadsPages = Pick<PageReader, 'key' | 'isUseless' | 'hasAnswered' | 'hasUnread' | 'read'>;

function isReadPage(value: unknown): value is ReadPage {
	return isRecord(value) && typeof value.url === 'string' && Array.isArray(value.verified);
}

const TROUBLES: Record<NonNullable<PageReading['trouble']>, string> = {
	refused: 'The chat model refused to read it.',
	tooLong: 'It is too long for the chat model, even in small pieces: connect one with a longer context.',
	noJson: 'The chat model gave no answer that could be read, twice.',
	limit: 'A limit was reached before it was read.',
};

/**
 * The page itself: read back where it was paid for before, else scraped. A server that keeps no pages has to scrape
 * it again, which is said.
 */
async function fetchPage(run: RunState, { url, key, isKnown }: Candidate): Promise<ScrapedPage> {
	const { parts, budget, question } = run;
	const fetched = run.fetched.get(key);
	if (fetched instanceof Error) throw fetched;
	if (fetched) return fetched;
	const noted = parts.notes.read(`page ${key}`);
	if (isRecord(noted)) {
		const { id } = noted;
		const kept = typeof id === 'string' && id !== '' ? await readBack(run, id, url) : undefined;
		if (kept) return kept;
		run.scrapedAgain += 1;
	}
	const reserved = await budget.reserveCredits(question.leastPageCredits, question.pageCredits);
	const page = await parts.scrape(url, reserved, isKnown === true).catch((error: unknown) => {
		budget.failCredits(reserved, error);
		throw error;
	});
	budget.settleCredits(reserved, page.creditsUsed);
	parts.notes.write(`page ${key}`, { id: page.id });
	return page;
}

/** The address that has answered in the end; the one that was asked for where the service names none that is one. */
export function answeredAddress({ url }: Pick<ScrapedPage, 'url'>, asked: string): string {
	return siteOf(url) === '' ? asked : url;
}

/** A page before anything of it is read, or why it could not be fetched; undefined for a limit, which the run keeps. */
export async function fetchedPage(run: RunState, candidate: Candidate): Promise<ScrapedPage | Error | undefined> {
	try {
		return await run.phases.race(async () => await fetchPage(run, candidate), run.phases.reading);
	} catch (error) {
		run.phases.throwIfStopped();
		if (!(error instanceof LimitReached) && error instanceof Error) return error;
		run.keepLimit(error);
		return undefined;
	}
}

async function readBack(run: RunState, id: string, url: string): Promise<ScrapedPage | undefined> {
	try {
		return await run.parts.readBack(id, url);
	} catch {
		run.phases.throwIfStopped();
		return undefined;
	}
}

/** One page and its claims, or why there is nothing. Throws LimitReached and ResearchFailure. */
async function readOne(run: RunState, reader: ReadsPages, candidate: Candidate): Promise<ReadPage | NotRead> {
	const { parts, phases } = run;
	const step = `claims ${candidate.key} ${reader.key}`;
	const noted = parts.notes.read(step);
	if (isReadPage(noted)) {
		if (noted.sentences !== undefined) run.texts?.set(noted.url, noted.sentences);
		return noted;
	}
	if (isRecord(noted) && typeof noted.copyOf === 'string') return copied(run, noted.copyOf);
	if (reader.isUseless) throw reader.isUseless;
	throwIfOver(phases.reading);
	run.log('scrape', 'processing', `Reading: ${candidate.url}`);
	const place = await phases.race(async () => await run.room.enter(), phases.reading);
	try {
		const page = await phases.race(async () => await fetchPage(run, candidate), phases.reading);
		run.room.begin(place, page.markdown);
		return await readClaimsOf(run, reader, candidate, page, step);
	} finally {
		run.room.leave(place);
	}
}

async function readClaimsOf(
	run: RunState,
	reader: ReadsPages,
	candidate: Candidate,
	page: ScrapedPage,
	step: string,
): Promise<ReadPage | NotRead> {
	const { parts, question } = run;
	const url = answeredAddress(page, candidate.url);
	if (!candidate.isNamed && !isWanted(url, question))
		return { reason: 'It leads to a site that is excluded.', isOpen: false };
	if (page.statusCode !== undefined) {
		const isGone = page.statusCode === 404 || page.statusCode === 410;
		const reason = `It answered with HTTP ${page.statusCode}${isGone ? ': there is no such page any more' : ''}.`;
		return { reason, isOpen: !isGone };
	}
	if (evenOut(page.markdown) === '') return { reason: 'It has no text.', isOpen: true };
	const quoted = new QuotedPage(page.markdown);
	const sentences = run.texts && longSentencesOf(quoted);
	if (sentences !== undefined && run.texts) {
		// What the user has named, and what an earlier run has read, is read all the same.
		const other = candidate.isNamed || candidate.isKnown ? undefined : copiedFrom(sentences, run.texts);
		if (other !== undefined) {
			parts.notes.write(step, { copyOf: other });
			return copied(run, other);
		}
		run.texts.set(url, sentences);
	}
	const marks = question.history && marksOfPage(quoted);
	const again = marks && (await readAgain(run, candidate, { page: quoted, marks, url, length: page.markdown.length }));
	const { was } = again ?? {};
	const elsewhere = run.known?.sentences;
	const wasThere = again?.wasThere ?? (elsewhere && comparePage(quoted, { sentences: '' }, elsewhere).wasThere);
	const title = oneLine(page.title) || oneLine(candidate.title);
	const reading = await reader.read(
		candidate.key,
		{ text: quoted, url, title, publishedAt: page.publishedAt },
		again?.newPart,
	);
	const limit = again?.limit ?? reading.limit;
	if (limit) run.keepLimit(limit);
	// What nobody has read or judged is new to the next run.
	const isJudged =
		question.verification !== 'support' || reading.unverified.every(({ reason }) => reason !== 'notJudged');
	const isRead = isJudged && !limit && reading.unreadPieces === 0;
	const read: ReadPage = {
		url,
		title,
		description: oneLine(page.description) || oneLine(candidate.description),
		readAt: run.timestamp(),
		...(page.publishedAt !== undefined && { publishedAt: page.publishedAt }),
		verified: question.history ? reading.verified.map((claim) => placed(claim, quoted, wasThere)) : reading.verified,
		unverified: reading.unverified,
		trouble: troubleOf(reading, page.markdown.length),
		...(!isRead && { isOpen: true as const }),
		...(marks && isRead && { marks: { ...marks, ...(was !== undefined && { was }) } }),
		...(again && { statements: again.statements }),
		...(run.digests && isRead && { digest: digestOfPage(quoted, title) }),
		...(sentences !== undefined && { sentences }),
		...(run.subQuestions.length > 0 && { links: pageLinks(page.markdown, url, [question.query, ...run.subQuestions]) }),
	};
	if (!limit) parts.notes.write(step, { ...read });
	return read;
}

function copied(run: RunState, other: string): NotRead {
	run.copies += 1;
	return { reason: `It has the text of a page that was read: ${other}`, isOpen: false };
}

/** A claim with the table that its quote is a row of, and whether that was on the page at the visit before. */
function placed(claim: DraftClaim, page: QuotedPage, wasThere?: (quote: string) => boolean): DraftClaim {
	const { kind, path, head = [] } = page.placeOf(claim.quote)?.block ?? {};
	return {
		...claim,
		...(wasThere?.(claim.quote) === true && { wasThere: true }),
		...(kind === 'row' && head.length > 0 && { table: keyOf([path, ...head].join('\n')) }),
	};
}

/** The earlier statements of a page beside the page as it is now; undefined where no earlier run has read it. */
async function readAgain(
	{ known, model }: RunState,
	{ key, url: asked }: Candidate,
	{ url, length, ...now }: PageNow & { url: string; length: number },
): Promise<RereadPage | undefined> {
	const before = known?.pages.get(key);
	if (!known || !before) return undefined;
	// An address that leads to another page now proves nothing of the one that was read.
	// Neither does a page of which something was left out: who may write a comment on it could hide what it says.
	const isWhole = length <= MAX_PAGE_CHARACTERS && !now.page.isCut && pageKey(url) === pageKey(asked);
	const earlier = { statements: known.statementsOf(key), elsewhere: known.sentences };
	return await rereadPage({ ...now, isWhole }, before, earlier, model);
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
export async function readPages(run: RunState, reader: ReadsPages, candidates: readonly Candidate[]): Promise<number> {
	run.pagesTaken += candidates.length;
	const readOrNot = async (candidate: Candidate) => {
		try {
			return await run.pageTurns.run(async () => await readOne(run, reader, candidate));
		} catch (error) {
			run.phases.throwIfStopped();
			return whyNotRead(run, error);
		}
	};
	// A model that has made no plan may give no claims either: one page shows that.
	const alone = run.isPlanned || reader.hasAnswered ? 0 : 1;
	const read = await Promise.all(candidates.slice(0, alone).map(readOrNot));
	if (alone > 0 && !reader.hasAnswered && reader.hasUnread) throw run.model.unreadable;
	for (const page of await Promise.all(candidates.slice(alone).map(readOrNot))) read.push(page);
	let added = 0;
	for (const [index, page] of read.entries()) {
		const candidate = candidates[index];
		if (page !== undefined && candidate) {
			noteVisit(run, candidate, page);
			added += addPage(run, candidate.url, page);
		}
	}
	return added;
}

/** Why a page was not read; undefined for a limit. */
function whyNotRead(run: RunState, error: unknown): NotRead | undefined {
	if (error instanceof ResearchFailure) throw error;
	if (error instanceof LimitReached) {
		run.keepLimit(error);
		return undefined;
	}
	run.keepRefusal(error);
	return { reason: reasonText(error), isOpen: true };
}

/** Keeps for the history that a page was asked for. One that could not be read, or not whole, keeps what was known of it. */
function noteVisit(run: RunState, { url, key, title }: Candidate, page: ReadPage | NotRead): void {
	if (!run.question.history) return;
	const visitedAt = run.timestamp();
	if (isReadPage(page) && page.marks) {
		run.visited.set(key, { url: page.url, title: page.title, ...page.marks, visitedAt });
		return;
	}
	if (!isReadPage(page)) run.unreadReasons.set(key, page.reason);
	const before = run.known?.pages.get(key) ?? { url, title, hash: '', sentences: '' };
	run.visited.set(key, { ...before, visitedAt });
}

/** Earlier statements that still stand are claims of this run, too. */
function addKnownStatements(run: RunState, url: string, statements: readonly StatementNow[]): void {
	for (const now of statements) {
		const { index, quote, jump, otherwise } = now;
		run.statementsNow.set(index, now);
		const earlier = run.known?.statements[index];
		if (!earlier) continue;
		const { text, firstSeen } = earlier;
		const question = run.questionNumber(earlier.question);
		const number = run.claims.length + 1;
		if (otherwise) {
			const sentence = { ...otherwise, text: plainStatement(otherwise.quote) };
			run.claims.push({ number, ...sentence, question, source: url, verified: true, instead: index });
		}
		if (quote === undefined) continue;
		const seen = { firstSeen, lastSeen: run.timestamp() };
		const found = { quote, ...(jump !== undefined && { jump }) };
		run.claims.push({ number, text, ...found, question, source: url, verified: true, earlier: index, ...seen });
	}
}

function addPage(run: RunState, asked: string, page: ReadPage | NotRead): number {
	if (!isReadPage(page)) {
		if (page.isOpen) run.unread.set(asked, 'service');
		return skip(run, asked, page.reason);
	}
	const { url, title, description, readAt, publishedAt, verified, unverified, trouble, isOpen, statements = [] } = page;
	const record = { title, description, readAt, publishedAt };
	const key = pageKey(url);
	const known = [...run.pages.keys()].find((other) => pageKey(other) === key);
	if (known !== undefined) return skip(run, asked, `It leads to a page that was read already: ${known}`);
	if (isOpen) run.unread.set(url, trouble === '' ? 'judge' : 'model');
	if (trouble !== '') skip(run, url, trouble);
	const isUnread = trouble !== '' && verified.length + unverified.length === 0;
	if (!isUnread) run.pagesRead += 1;
	run.pages.set(url, record);
	if (page.digest) run.digests?.set(url, page.digest);
	for (const link of page.links ?? []) run.links.set(pageKey(link.url), link);
	for (const { reason } of unverified) run.unverifiedClaims[reason] += 1;
	addKnownStatements(run, url, statements);
	const seen = new Set(run.claims.map(({ text }) => text.toLowerCase()));
	const add = ({ text, quote, question, ...more }: DraftClaim, failed?: UnverifiedClaim) => {
		const number = run.claims.length + 1;
		const { reason } = failed ?? {};
		const { unproven } = more;
		const verdict = { verified: reason === undefined, ...(reason && { reason }), ...(unproven && { unproven }) };
		const { jump, wasThere, table, context, cell } = more;
		const place = {
			...(jump !== undefined && { jump }),
			...(wasThere && { wasThere }),
			...(table && { table }),
			...(context && { context }),
			...(cell && { cell }),
		};
		run.claims.push({ number, text, quote, question, source: url, ...place, ...verdict });
	};
	for (const claim of verified) add(claim);
	for (const claim of unverified) add(claim, claim);
	run.log('analyze', 'complete', `${verified.length} claims: ${url}`);
	return new Set(verified.map(({ text }) => text.toLowerCase()).filter((text) => !seen.has(text))).size;
}

function skip(run: RunState, url: string, reason: string): number {
	run.skipped.push({ url, reason });
	run.log('analyze', 'error', `${url}: ${reason}`);
	return 0;
}
