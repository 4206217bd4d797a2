import type { IDataObject } from 'n8n-workflow';
import type { JobRecord } from '../../operation/operation';
import type { ServiceClient } from '../../service/client';
import { isJsonObject } from '../../service/http/answer';
import { failureOrThrow } from '../../service/http/failure';
import type { JsonObject, ServiceRequest } from '../../service/http/transport';
import type { PageError } from '../../service/results/pageErrors';
import type { Slice } from '../../service/results/pages';
import { count } from '../../text/amounts';
import type { RunContext } from '../connection/runContext';
import { sentences } from '../output/hints';
import type { Notes } from '../output/notes';
import { MAX_CHARACTERS, MAX_PAGES, notComparable, packPages, unpackPages } from './markedPages';
import type { MarkedPages } from './markedPages';
import { PageChanges, RUNS_UNREADABLE, isGivenOut } from './pageChanges';
import type { ChangesAsked, ChangesBase, PageChange } from './pageChanges';

/** The time that an answer may take which is only asked for to be sure. */
const CREDITS_TIMEOUT_MS = 15_000;

/** A plan with what its pages are compared with. */
interface PlanWithChanges {
	changes?: ChangesAsked | undefined;
}

/** The differences that the jobs of one run found beside the last run, and the memory for the next. */
export class RunChanges {
	private readonly all = new Map<object, PageChanges>();

	private memory: ChangeMemory | undefined;

	private hasOtherSettings = false;

	private isFirst = false;

	constructor(
		private readonly ctx: RunContext,
		private readonly client: ServiceClient,
	) {}

	/** The pages of a job beside those of the last run; undefined where all pages are wanted. */
	of(plan: PlanWithChanges): PageChanges | undefined {
		const { changes: asks } = plan;
		const known = this.all.get(plan);
		if (!asks || known) return known;
		this.memory ??= new ChangeMemory(this.ctx, () => this.client.time.wallClock());
		const before = this.memory.read(asks.asked);
		const isSame = before?.settings === asks.settings;
		this.hasOtherSettings ||= before !== undefined && !isSame;
		this.isFirst ||= before === undefined;
		const pause = async () => await this.client.time.sleep(0);
		const base = before && (isSame ? before : { ...before, pages: notComparable(before.pages) });
		const now = () => this.client.time.wallClock();
		const changes = new PageChanges(asks, base, this.memory.roomFor(asks.asked), pause, now);
		this.all.set(plan, changes);
		return changes;
	}

	/** The slice with the pages that are put out: where only new and changed ones are wanted, with these. */
	async wanted(plan: PlanWithChanges, slice: Slice): Promise<Slice> {
		const changes = this.of(plan);
		if (!changes) return slice;
		const judged = await changes.judge(slice.pages);
		const kept = judged.flatMap((page, index) => (isGivenOut(page) ? [{ page, index }] : []));
		return {
			...slice,
			pages: kept.map(({ page }) => page),
			numbers: kept.flatMap(({ index }) => slice.numbers[index] ?? []),
		};
	}

	/** Pages of the last run that the job has not found, when all of its pages were read; none where all are wanted. */
	async absent(
		plan: PlanWithChanges,
		{ body: { completed, creditsUsed } }: JobRecord,
		{ isDone }: { isDone: boolean },
		{ pages }: { pages: number },
		failures: readonly PageError[] | undefined,
	): Promise<JsonObject[]> {
		const isWhole = isDone && typeof completed === 'number' && pages >= completed;
		const used = typeof creditsUsed === 'number' ? Math.max(creditsUsed, pages) : pages;
		const mayBeCut = async (limit: number) => !((await creditsLeft(this.client)) + used >= limit);
		return (await this.of(plan)?.absent({ isWhole, pages, failures, mayBeCut })) ?? [];
	}

	/** To be called when the pages of a job are not put out: what was seen of them is not remembered. */
	drop(plan: object): void {
		this.all.delete(plan);
	}

	/** To be called when the run puts out these jobs, which ended well, and n8n does not run it again. */
	store(plans: Iterable<object>): void {
		for (const plan of plans) {
			const changes = this.all.get(plan);
			if (changes) this.memory?.store(changes);
		}
	}

	/** To be called last. */
	tell(notes: Notes): void {
		if (!this.memory) return;
		const told = [...this.all.values()];
		const sum = (change: PageChange) => told.reduce((all, { counts }) => all + counts[change], 0);
		const saved = told.reduce((all, { savedCharacters }) => all + savedCharacters, 0);
		const [unchanged, failed, unreadable] = [sum('unchanged'), sum('failed'), sum('unreadable')];
		const counts = [
			`${sum('new')} new, ${sum('changed')} changed, ${sum('gone')} gone.`,
			unchanged > 0
				? `${count(unchanged, 'unchanged page')} left out, which saves the next nodes ${saved} characters.`
				: '',
			unreadable > 0
				? `${count(unreadable, 'page')} could not be read in ${RUNS_UNREADABLE} runs in a row, and ${unreadable === 1 ? 'is' : 'are'} returned with the reason.`
				: '',
			failed > 0 ? `${count(failed, 'page')} with an error left out and not counted as gone.` : '',
		];
		notes.say('changes', sentences(counts));
		if (this.hasOtherSettings) notes.add('otherSettings');
		if (this.isFirst && this.memory.isKept) notes.add('firstRun');
		if (!this.memory.isKept) notes.add('notStored');
		notes.add('notComparable', { amount: sum('unknown'), detail: String(MAX_PAGES) });
		for (const { held, noProof } of told) {
			notes.say('goneNotProven', noProof);
			notes.add('notFoundOnce', { amount: held });
		}
	}
}

/** The credits of the account after a job: a server without credits has no end of them; NaN where it is not known. */
async function creditsLeft(client: ServiceClient): Promise<number> {
	const request: ServiceRequest = {
		method: 'GET',
		path: '/v2/team/credit-usage',
		bucket: 'crawlStatus',
	};
	try {
		const { data } = await client.send(request, CREDITS_TIMEOUT_MS);
		const { remainingCredits, remaining_credits: older } = isJsonObject(data) ? data : {};
		return Number(remainingCredits ?? older ?? Infinity);
	} catch (error) {
		const failure = failureOrThrow(error);
		if (failure.kind === 'aborted') throw failure;
		// A server without a database has no end of credits (recordings plain-30 to plain-33).
		return failure.httpCode === 404 || failure.isMissingOnServer ? Infinity : NaN;
	}
}

/** Key in the node's static data. Stored with workflows: do not rename. */
const KEY = 'webDataPages';

/** Sites that were not asked for for so long make room for others. */
const FORGOTTEN_AFTER_MS = 35 * 24 * 60 * 60 * 1000;

/** The stored memory of the last run that asked for the same. */
interface StoredMark {
	/** See ChangesAsked. */
	settings: string;
	/** The time when it was stored, in milliseconds since 1970. */
	at: number;
	/** The number of pages that it holds. */
	count: number;
	pages: string;
	doubtedSince?: number;
}

/**
 * The pages of earlier runs, in the static data that n8n stores with the workflow, of which an execution sees what was
 * there at its start (docs/reference/n8n-internals.md#static-data-of-a-node). Of two runs that overlap, the
 * one that ends last wins: a page may be told twice then.
 */
class ChangeMemory {
	private readonly stored: IDataObject;

	/** The memory that earlier jobs of this run have left, by what was asked for. */
	private readonly ofThisRun = new Map<string, MarkedPages>();

	constructor(
		private readonly ctx: RunContext,
		private readonly wallClock: () => number,
	) {
		this.stored = ctx.getWorkflowStaticData('node');
	}

	/** False in a manual run: n8n keeps nothing of what it stores. */
	get isKept(): boolean {
		return this.ctx.getMode() !== 'manual';
	}

	/** The memory for a request, and the settings by which its pages were compared. */
	read(asked: string): (ChangesBase & { settings: string }) | undefined {
		const mark = this.marks()[asked];
		if (!mark) return undefined;
		const { settings, doubtedSince } = mark;
		return { pages: unpackPages(mark.pages), settings, doubtedSince };
	}

	/** The room that is left beside the other memory of the node. */
	roomFor(asked: string): { pages: number; characters: number } {
		const others = this.others(asked);
		return {
			pages: others.reduce((left, [, { count }]) => left - count, MAX_PAGES),
			characters: others.reduce((left, [, { pages }]) => left - pages.length, MAX_CHARACTERS),
		};
	}

	/** Remembers what a job has put out. */
	store(changes: PageChanges): void {
		// n8n writes the static data of the whole workflow back, and has given a Retry none of it.
		if (!this.isKept || this.ctx.getMode() === 'retry') return;
		const { asked, settings } = changes.asks;
		const { pages, doubtedSince } = changes.after(this.ofThisRun.get(asked));
		this.ofThisRun.set(asked, pages);
		const mark: StoredMark = {
			settings,
			at: this.wallClock(),
			count: pages.size,
			pages: packPages(pages),
			...(doubtedSince !== undefined && { doubtedSince }),
		};
		const all = [...this.others(asked), [asked, mark]];
		this.stored[KEY] = Object.fromEntries(all) as unknown as IDataObject;
	}

	private others(asked: string): Array<[string, StoredMark]> {
		const since = this.wallClock() - FORGOTTEN_AFTER_MS;
		return Object.entries(this.marks()).filter(([one, { at }]) => one !== asked && at > since);
	}

	private marks(): Record<string, StoredMark> {
		const stored = this.stored[KEY];
		const read = Object.entries(isJsonObject(stored) ? stored : {}).flatMap(([asked, mark]) => {
			const known = readMark(mark);
			return known ? [[asked, known] as const] : [];
		});
		return Object.fromEntries(read);
	}
}

/** Whatever else stands there starts over. */
function readMark(stored: unknown): StoredMark | undefined {
	if (!isJsonObject(stored)) return undefined;
	const { settings, at, count, pages, doubtedSince } = stored;
	if (typeof settings !== 'string' || typeof pages !== 'string') return undefined;
	if (typeof at !== 'number' || typeof count !== 'number') return undefined;
	return { settings, at, count, pages, ...(typeof doubtedSince === 'number' && { doubtedSince }) };
}
