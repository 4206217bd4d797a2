import type { JobRecord } from '../../operation/operation';
import type { ServiceClient } from '../../service/client';
import { isJsonObject } from '../../service/http/answer';
import type { JsonObject } from '../../service/http/transport';
import type { PageError } from '../../service/results/pageErrors';
import type { Slice } from '../../service/results/pages';
import { count } from '../../text/amounts';
import { MEASURE } from '../../text/contentHash';
import { creditsLeft } from '../connection/creditsLeft';
import type { RunContext } from '../connection/runContext';
import { loadMemory, memoryTexts } from '../memory/memory';
import type { NodeMemory } from '../memory/memory';
import { sentences } from '../output/hints';
import type { Notes } from '../output/notes';
import { withLinesInRoom } from './changedLines';
import { MAX_CHARACTERS, MAX_PAGES, notComparable, packPages, sizeOf, unpackPages } from './markedPages';
import type { MarkedPages } from './markedPages';
import { PageChanges, RUNS_UNREADABLE, isGivenOut } from './pageChanges';
import type { ChangesAsked, ChangesBase, PageChange } from './pageChanges';

/** A plan with what its pages are compared with. */
interface PlanWithChanges {
	changes?: ChangesAsked | undefined;
}

/** The differences that the jobs of one run found beside the last run, and the memory for the next. */
export class RunChanges {
	private readonly all = new Map<object, PageChanges>();

	private memory: ChangeMemory | undefined;

	private hasOtherSettings = false;

	private hasOtherMeasure = false;

	private isFirst = false;

	/** Why nothing was stored. */
	private notStored: string | undefined;

	constructor(
		private readonly ctx: RunContext,
		private readonly client: ServiceClient,
	) {}

	/**
	 * To be called before the pages of jobs are compared. Throws a ServiceFailure only when the execution was stopped.
	 */
	async load(plans: readonly PlanWithChanges[]): Promise<void> {
		const asks = plans.find(({ changes }) => changes)?.changes;
		if (!asks || this.memory) return;
		const { ctx, client } = this;
		const { time } = client;
		const memory = await loadMemory({ ctx, time, tableName: asks.memoryTable });
		this.memory = new ChangeMemory(memory, () => time.wallClock());
	}

	/** The pages of a job beside those of the last run; undefined where all pages are wanted. */
	of(plan: PlanWithChanges): PageChanges | undefined {
		const { changes: asks } = plan;
		const known = this.all.get(plan);
		if (!asks || known) return known;
		if (!this.memory) throw new Error('The memory of pages was not loaded.');
		const before = this.memory.read(asks.asked);
		const hasMeasure = before?.measure === MEASURE;
		const isSame = hasMeasure && before.settings === asks.settings;
		this.hasOtherMeasure ||= before !== undefined && !hasMeasure;
		this.hasOtherSettings ||= before !== undefined && hasMeasure && !isSame;
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

	/**
	 * To be called once, when the run puts out these jobs, which ended well, and n8n does not run it again. Throws a
	 * ServiceFailure only when the execution was stopped.
	 */
	async store(plans: readonly object[]): Promise<void> {
		this.notStored = await this.memory?.store(plans.flatMap((plan) => this.all.get(plan) ?? []));
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
		if (this.hasOtherMeasure) notes.add('otherMeasure');
		const { memory } = this.memory;
		const unknown = memory.lost ?? memory.damaged;
		if (unknown !== undefined) notes.say('memoryUnknown', unknown);
		else if (this.isFirst && memory.notStored === undefined) notes.add('firstRun');
		for (const text of memoryTexts(memory, this.notStored)) notes.say('memory', text);
		notes.add('notComparable', { amount: sum('unknown'), detail: String(MAX_PAGES) });
		for (const { unexplained } of told) notes.add('unexplained', { amount: unexplained });
		for (const { held, noProof } of told) {
			notes.say('goneNotProven', noProof);
			notes.add('notFoundOnce', { amount: held });
		}
	}
}

/** Key in the node's memory. Stored: do not rename. */
const KEY = 'webDataPages';

/** Sites that were not asked for for so long make room for others. */
const FORGOTTEN_AFTER_MS = 35 * 24 * 60 * 60 * 1000;

/** The stored memory of the last run that asked for the same. */
interface StoredMark {
	/** See ChangesAsked. */
	settings: string;
	/** The measure of its pages (contentHash.ts); undefined for the first one. */
	measure?: number;
	/** The time when it was stored, in milliseconds since 1970. */
	at: number;
	/** The number of pages that it holds. */
	count: number;
	pages: string;
	doubtedSince?: number;
}

/** The pages of earlier runs, in the memory of the node. Of two runs of one site that overlap, the later one wins. */
class ChangeMemory {
	private readonly marks: ReadonlyMap<string, StoredMark>;

	constructor(
		readonly memory: NodeMemory,
		private readonly wallClock: () => number,
	) {
		this.marks = this.readMarks(memory.value);
	}

	/** The memory for a request, and the settings by which its pages were compared. */
	read(asked: string): (ChangesBase & Pick<StoredMark, 'settings' | 'measure'>) | undefined {
		const mark = this.marks.get(asked);
		if (!mark) return undefined;
		const { settings, doubtedSince, measure = 1 } = mark;
		return { pages: unpackPages(mark.pages), settings, measure, doubtedSince };
	}

	/** The room that is left beside the other memory of the node. */
	roomFor(asked: string): { pages: number; characters: number } {
		const others = [...this.marks].filter(([one]) => one !== asked);
		return {
			pages: others.reduce((left, [, { count }]) => left - count, MAX_PAGES),
			characters: others.reduce((left, [, { pages }]) => left - pages.length, MAX_CHARACTERS),
		};
	}

	/** The room that all addresses and hashes leave: no page is forgotten for the lines of another one. */
	private roomForLines(all: readonly PageChanges[]): number {
		const own = new Set(all.map(({ asks }) => asks.asked));
		const others = [...this.marks].flatMap(([asked, { pages }]) => (own.has(asked) ? [] : [pages.length]));
		const sizes = [...others, ...all.map((changes) => sizeOf(changes.after().pages))];
		return Math.max(
			0,
			sizes.reduce((left, size) => left - size, MAX_CHARACTERS),
		);
	}

	/** Remembers what jobs have put out; what other runs have stored of other sites stays. Says why it could not. */
	async store(all: readonly PageChanges[]): Promise<string | undefined> {
		if (all.length === 0) return undefined;
		const own = new Map<string, { mark: StoredMark; pages: MarkedPages }>();
		let room = this.roomForLines(all);
		for (const changes of all) {
			const { asked, settings } = changes.asks;
			const { pages: whole, doubtedSince } = changes.after(own.get(asked)?.pages);
			const { pages, left } = withLinesInRoom(whole, room);
			room = left;
			const [at, packed] = [this.wallClock(), packPages(pages)];
			const mark = {
				settings,
				measure: MEASURE,
				at,
				count: pages.size,
				pages: packed,
				...(doubtedSince !== undefined && { doubtedSince }),
			};
			own.set(asked, { mark, pages });
		}
		const marks = [...own].map(([asked, { mark }]) => [asked, mark] as const);
		return await this.memory.store((value) => {
			const others = [...this.readMarks(value)].filter(([asked]) => !own.has(asked));
			return { ...value, [KEY]: Object.fromEntries(withinSize(marks, others)) as unknown as JsonObject };
		});
	}

	private readMarks({ [KEY]: stored }: JsonObject): Map<string, StoredMark> {
		const since = this.wallClock() - FORGOTTEN_AFTER_MS;
		const read = Object.entries(isJsonObject(stored) ? stored : {}).flatMap(([asked, mark]) => {
			const known = readMark(mark);
			return known && known.at > since ? [[asked, known] as const] : [];
		});
		return new Map(read);
	}
}

/** Those of this run, and of the others the latest that have room beside them. */
function withinSize(
	own: ReadonlyArray<readonly [string, StoredMark]>,
	others: ReadonlyArray<readonly [string, StoredMark]>,
): Array<readonly [string, StoredMark]> {
	let room = own.reduce((left, [, { pages }]) => left - pages.length, MAX_CHARACTERS);
	const kept = [...others]
		.sort(([, one], [, other]) => other.at - one.at)
		.filter(([, { pages }]) => (room -= pages.length) >= 0);
	return [...kept, ...own];
}

/** Whatever else stands there starts over. */
function readMark(stored: unknown): StoredMark | undefined {
	if (!isJsonObject(stored)) return undefined;
	const { settings, measure, at, count, pages, doubtedSince } = stored;
	if (typeof settings !== 'string' || typeof pages !== 'string' || pages.length > MAX_CHARACTERS) return undefined;
	if (typeof at !== 'number' || typeof count !== 'number') return undefined;
	const known = { settings, at, count, pages, ...(typeof measure === 'number' && { measure }) };
	return { ...known, ...(typeof doubtedSince === 'number' && { doubtedSince }) };
}
