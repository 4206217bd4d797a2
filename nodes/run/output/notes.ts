import type { NodeExecutionHint } from 'n8n-workflow';
import { hint, withMore } from '../../operation/hint';
import { asSentence } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import { readWarnings } from '../../service/results/pageErrors';
import { count } from '../../text/amounts';
import { ValueCounts } from './valueCounts';

/** The text of a hint, and how much it names. */
interface HintText {
	type: NodeExecutionHint['type'];
	/**
	 * `n` counts what was added, `names` has the first of it. `detail`: what it was added with, else the operation
	 * that collects the jobs of the run: `Crawl · Get`.
	 */
	say: (n: number, names: string, detail: string) => string;
	/** Most names that are shown; default: 3. */
	most?: number;
	/**
	 * The separator of two names; default: a semicolon. A space: they are whole sentences, and the others are not
	 * counted.
	 */
	between?: string;
	/** Each name is followed by how often it was added. */
	isCounted?: true;
	/** Most sentences, where each detail has one of its own. */
	mostSentences?: number;
}

type Say = HintText['say'];
type HintLimits = Pick<HintText, 'most' | 'between' | 'isCounted' | 'mostSentences'>;

const info = (say: Say, more?: HintLimits): HintText => ({ type: 'info', say, ...more });
const warning = (say: Say, more?: HintLimits): HintText => ({ type: 'warning', say, ...more });

/** Ids are needed to act on, so more of them are named. */
const IDS: HintLimits = { most: 20, between: ', ' };

const asItIs: Say = (_n, _names, text) => text;
const was = (n: number) => (n === 1 ? 'was' : 'were');
const it = (n: number) => (n === 1 ? 'it' : 'them');
const its = (n: number) => (n === 1 ? 'its' : 'their');

/** Every hint of a run of Web Data, in the order in which they are shown. */
const HINTS = {
	/** Results, costs, and what held the run up. */
	summary: info(asItIs),

	// Earlier tries
	reusedJobs: info((n) => `Reused ${count(n, 'job')} from an earlier try instead of starting ${it(n)} again.`),
	foundJobs: info(
		(n, ids) =>
			`Found ${count(n, 'job')} again whose start got no clear answer (${ids}), instead of starting ${it(n)} again.`,
		IDS,
	),
	startedAfterKill: warning(
		(n, ids) =>
			`n8n was killed while this node ran. The service's lists, read with today's API key, showed no job of that try for ${count(n, 'item')}, so ${count(n, 'job')} ${was(n)} started: ${ids}.`,
		IDS,
	),
	startedAgain: warning(
		(n) =>
			`${count(n, 'start')} got no clear answer and ${was(n)} sent again, as If Start Is Uncertain says: the work may be paid for twice.`,
	),
	startedAnew: warning(
		(n, ids) =>
			`The service no longer knew ${count(n, 'job')} of an earlier try (${ids}), so the work was started again and is paid for again.`,
		IDS,
	),
	collected: info(
		(n, _names, unit) => `Collected ${count(n, unit)} of an earlier try instead of asking for ${it(n)} again.`,
	),
	notCollected: warning(
		(n, reasons, unit) =>
			`${count(n, unit)} of an earlier try could not be collected, so ${was(n)} requested and paid for again. ${reasons}`,
		{ between: ' ' },
	),
	answeredBefore: info((n) => `Used ${count(n, 'answer')} of an earlier try instead of asking for ${it(n)} again.`),
	paidAgain: warning(
		(n, _names, cost) =>
			`${count(n, 'request')} of an earlier try ${was(n)} sent and paid for again${cost}: the service keeps no results of such requests.`,
	),

	// Browser sessions
	replacedSessions: warning(
		(n) =>
			`The answer to ${count(n, 'request')} to open a session was lost, so another session was opened. What the first may have opened ends by itself when its Idle Limit is over; Browser · Get Many Sessions lists what is open.`,
	),
	closedSessions: warning((n, ids) => `Closed ${count(n, 'session')} that an earlier try had left open (${ids}).`, IDS),
	openSessions: warning(
		(n, ids) =>
			`${count(n, 'session')} could not be closed: ${ids}. They cost until their Idle Limit is over; Browser · Close Session closes them.`,
		IDS,
	),

	// Only New and Changed Pages
	changes: info(asItIs),
	otherSettings: info(() => 'The settings have changed since the last run, so all pages are returned as new.'),
	otherMeasure: info(
		() =>
			'This version of the package compares pages in another way than the one of the last run, so all pages are returned as new, once.',
	),
	firstRun: info(() => 'There is no earlier run to compare with, so all pages are new.'),
	memory: info(asItIs),
	memoryUnknown: warning(asItIs),
	unexplained: info(
		(n) =>
			`Of ${count(n, 'changed page')} it is not said which lines were added: the memory of the node had no room for their lines, or began with this run.`,
	),
	notComparable: info(
		(n, _names, most) =>
			`${count(n, 'page')} cannot be compared, because they have no text or exceed the ${most} pages that the node remembers. They are returned in every run.`,
	),
	goneNotProven: info((_n, _names, why) => `Pages that were not found are not reported as gone, because ${why}.`),
	notFoundOnce: info(
		(n) =>
			`${count(n, 'known page')} not found, and not reported as gone yet: a page is gone when its own address answers 404 or 410, or when two complete runs in a row do not have it.`,
	),

	// Things that are not complete, or not as they were asked for
	mergedAddresses: info(
		(n, names) =>
			`${count(n, 'address', 'addresses')} ${was(n)} listed that ${n === 1 ? 'is' : 'are'} probably another spelling of a listed page; alsoListedAs in the items has ${it(n)}: ${names}.`,
	),
	nothingFound: warning((_n, names) => `Nothing was found: no ${names}.`, { between: '; no ' }),
	filesLeftOut: warning(
		(n, names) => `${count(n, 'file')} left out, because the service cannot read ${it(n)}: ${names}.`,
	),
	notShown: info((_n, names) => `Firecrawl's answer also has what the items do not show: ${names}.`),
	remark: warning(asItIs, { mostSentences: 3 }),
	partial: warning((_n, names) => `The output is incomplete: ${names}.`),
	notFoundPages: warning((n) => `${count(n, 'page')} ${was(n)} not found (404).`),
	httpErrors: warning((n, statuses) => `${count(n, 'page')} answered with an HTTP error: ${statuses}.`, {
		isCounted: true,
		most: 10,
		between: ', ',
	}),
	faultyPages: warning((n, names) => `${count(n, 'page')} could not be read: ${names}.`),
	failedPages: warning((n, names, get) => `${count(n, 'page')} failed: ${names}. ${get} Errors lists them.`),
	robotsPages: warning(
		(n, names) => `${count(n, 'page')} left out, because the robots.txt of the site forbids ${it(n)}: ${names}.`,
	),
	ruledOutPages: warning((n, names) => `${count(n, 'page')} left out by a rule of the crawl: ${names}.`),
	cancelledPages: warning((n) => `${count(n, 'page')} ${was(n)} not scraped, because the job was cancelled.`),
	overCap: warning(asItIs),
	refusedUrls: warning((n, names) => `${count(n, 'address', 'addresses')} not accepted by Firecrawl: ${names}.`),
	fragments: info(
		(n, names) =>
			`${count(n, 'address', 'addresses')} read as one page with another, since no server sees what stands behind #: ${names}.`,
	),
	missingPages: warning(
		(n, _names, get) =>
			`${count(n, 'page')} that the service counts did not come: ${get} Errors with the job ID may tell why.`,
	),
	fewPages: warning((_n, _names, advice) => `The crawl found one page. ${advice}`),
	brokenOff: warning(
		(_n, names) => `Pages may be missing: the service named more pages and then returned none, for ${names}.`,
	),
	beyondCount: warning(
		(_n, names) =>
			`Pages may be missing: the service named more and more pages, far beyond its own count, so this node stopped reading, in ${names}.`,
	),
	lackingFiles: warning(
		(_n, kinds) => `Pages without what Store as Files asks for: ${kinds}. The service returned none for them.`,
		{ isCounted: true, most: 10, between: ', ' },
	),
	lackingFormats: warning((n, _names, what) => `${count(n, 'page')} ${n === 1 ? 'has' : 'have'} no ${what}.`),
	emptiedText: warning(
		() => 'A server without the service for Redact Personal Data returns empty text, which is paid for.',
	),
	unprovenValues: warning(asItIs),
	provenValues: info(asItIs),
	valuesWithoutText: warning(asItIs),
	linkedScreenshots: info(
		(n) =>
			`${count(n, 'screenshot')} came as ${n === 1 ? 'a link that expires' : 'links that expire'}: Page Options > Store as Files > Screenshots keeps the picture${n === 1 ? '' : 's'}.`,
	),
	unreadPdfs: warning(
		(n) =>
			`${count(n, 'PDF file')} came without Markdown, because Store as Files with PDF Files keeps them unread: to get their text, scrape them without it.`,
	),
	filesNotStored: warning((n) => `${count(n, 'file')} could not be stored: filesNotStored in the items says why.`),
	uncheckedJobs: warning(
		(n, _names, get) => `Could not check ${count(n, 'job')} for failed pages. Run ${get} Errors with the job ID.`,
	),
	serviceSays: warning((_n, texts) => `The service says: ${texts}`, { most: 10, between: ' ' }),

	// Requests whose answer was lost
	foundAnswers: warning(
		(n, names, shows) =>
			`The answer to ${count(n, 'request')} was lost, and found again by ${its(n)} ${shows} and time only, so check that ${n === 1 ? 'it is' : 'they are'} what you asked for: ${names}.`,
		IDS,
	),
	sentAgain: warning(
		(n, names) =>
			`The answer to ${count(n, 'request')} of an earlier try was lost and not found, so ${n === 1 ? 'it was' : 'they were'} sent again and may be paid for twice: ${names}.`,
		IDS,
	),

	sentAfterKill: warning(
		(n, names) =>
			`n8n was killed while this node ran: ${count(n, 'request')} that it may have sent by then ${was(n)} not found with today's API key and sent again, and may be paid for twice: ${names}.`,
		IDS,
	),

	sameIdAfterKill: info(
		(n, names) =>
			`n8n was killed while this node ran: ${count(n, 'request')} ${was(n)} sent with the request ID of before, which Firecrawl charges once in an account: ${names}.`,
		IDS,
	),

	// The way in which the run was carried out
	notCounted: info(asItIs),
	inForeground: info(
		(_n, _names, why) => `Waiting in the background was not possible, so the node kept running: ${why}.`,
	),
	joinedJobs: info(
		(n, ids) => `${count(n, 'job')} ${was(n)} already running and ${was(n)} used instead of starting another: ${ids}.`,
		IDS,
	),
	unprovenJobs: info(
		(n, ids, shows) =>
			`${count(n, 'job')} ${was(n)} found by ${its(n)} ${shows} and time only, and may be somebody else's: such a job is read, but not cancelled on Stop (${ids}).`,
		IDS,
	),
	unusedJobs: warning(
		(n, ids, collectWith) =>
			`This try asks for something else, so it did not use ${n === 1 ? '1 job or scrape' : `${n} jobs or scrapes`} of an earlier try: ${ids}. They may be paid for: ${collectWith} collects them by ID.`,
		IDS,
	),
	failedBefore: warning(
		(n, ids, collectWith) =>
			`${count(n, 'job')} of an earlier try failed and ${was(n)} started again: ${ids}. What was done until then may be paid for: ${collectWith} shows it by ID.`,
		IDS,
	),
	killedRun: warning(asItIs),
} satisfies Record<string, HintText>;

type NoteKey = keyof typeof HINTS;

/** An addition to a note. */
interface Addition {
	/** A function is not called once enough is named. */
	name?: string | (() => string);
	amount?: number;
	detail?: string | undefined;
}

/** The details that were added under one key, with one detail. */
interface CountedNote {
	n: number;
	names: Map<string, number>;
	detail: string | undefined;
}

/**
 * Remarks of a run that are no errors but that a person should know: counted as it happens, so that it does not grow
 * with the pages.
 */
export class Notes {
	private readonly notes = new Map<NoteKey, Map<string, CountedNote>>();

	/** What was found of the values that were checked on their page. */
	readonly values = new ValueCounts();

	/** Remarks of the service that were added. */
	private readonly said = new Set<string>();

	/** `collectWith` names the operation that collects the jobs of the run: `Crawl · Get`. */
	constructor(private readonly collectWith = '') {}

	/** Counts it, and keeps its name while there is room. An amount of 0 adds nothing. */
	add(key: NoteKey, { name, amount = 1, detail }: Addition = {}): void {
		if (amount === 0) return;
		const byDetail = this.notes.get(key) ?? new Map<string, CountedNote>();
		this.notes.set(key, byDetail);
		const note = byDetail.get(detail ?? '') ?? { n: 0, names: new Map<string, number>(), detail };
		byDetail.set(detail ?? '', note);
		note.n += amount;
		const { most = MAX_NAMES, isCounted }: HintText = HINTS[key];
		if (name === undefined || (note.names.size >= most && !isCounted)) return;
		const text = typeof name === 'string' ? name : name();
		const before = note.names.get(text);
		if (before !== undefined || note.names.size < most) note.names.set(text, (before ?? 0) + amount);
	}

	/** Adds a whole sentence, the same one only once. An empty text adds nothing. */
	say(key: NoteKey, text: string | undefined): void {
		if (text !== undefined && text !== '') this.add(key, { detail: text });
	}

	/** Adds what the service remarks, each remark once: a start and its checks say the same of two routes (recording extract-02). */
	addRemarks(body: JsonObject): void {
		if (this.said.size >= MAX_REMARKS) return;
		for (const text of readWarnings(body)) {
			const same = text.replace(/\/:\w+/g, '');
			if (this.said.has(same)) continue;
			this.said.add(same);
			this.add('serviceSays', { name: asSentence(text) });
		}
	}

	hints(): NodeExecutionHint[] {
		this.say('unprovenValues', this.values.unprovenText);
		this.say('provenValues', this.values.provenText);
		this.say('valuesWithoutText', this.values.withoutTextText);
		return KEYS.flatMap((key) => {
			const { type, say, mostSentences = Infinity, ...more }: HintText = HINTS[key];
			const notes = [...(this.notes.get(key)?.values() ?? [])].slice(0, mostSentences);
			return notes.map((note) => hint(say(note.n, namesOf(note, more), note.detail ?? this.collectWith), type));
		});
	}
}

const KEYS = Object.keys(HINTS) as NoteKey[];

const MAX_NAMES = 3;
const MAX_REMARKS = 10;

function namesOf({ n, names }: CountedNote, { between = '; ', isCounted }: HintLimits): string {
	const shown = [...names].map(([name, amount]) => (isCounted ? `${name} (${amount})` : name));
	const counted = [...names.values()].reduce((sum, amount) => sum + amount, 0);
	const isNamed = shown.length > 0 && between !== ' ';
	return withMore(shown, isNamed ? n - counted : 0, between);
}
