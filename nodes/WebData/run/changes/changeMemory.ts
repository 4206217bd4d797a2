import type { IDataObject } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import type { RunContext } from '../connection/runContext';
import type { PageChanges } from './pageChanges';
import {
	MAX_CHARACTERS,
	MAX_PAGES,
	mergeMarks,
	packPages,
	unpackPages,
	withinRoom,
} from './pageMark';
import type { MarkedPages } from './pageMark';

/** Key in the node's static data. Stored with workflows: do not rename. */
const KEY = 'webDataPages';

/** What was not asked for for so long makes room for what is. */
const FORGOTTEN_AFTER_MS = 35 * 24 * 60 * 60 * 1000;

/** What is stored of the last run that asked for the same. */
interface StoredMark {
	/** See ChangesAsked. */
	settings: string;
	/** When it was stored, in milliseconds since 1970, later than the one before. */
	at: number;
	/** How many pages it holds. */
	count: number;
	pages: string;
}

/** Most marks of this process that are kept for runs that overlap. */
const MAX_LATEST = 20;

/**
 * What was last stored in this process, by workflow, node and what was asked for. n8n gives an execution the
 * static data as they were at its start, so one that ends later would overwrite what another has stored
 * (docs/n8n-internals.md#static-data-of-a-node).
 */
const latest = new Map<string, StoredMark>();

/** The pages of earlier runs, in the static data that n8n stores with the workflow. */
export class ChangeMemory {
	/** By what was asked for: from when on what is stored was stored by another run, or by another job of this one. */
	private readonly sinceMs = new Map<string, number>();

	private readonly startedMs: number;

	private readonly stored: IDataObject;

	private readonly name: string;

	constructor(
		private readonly ctx: RunContext,
		private readonly wallClock: () => number,
	) {
		this.startedMs = wallClock();
		this.stored = ctx.getWorkflowStaticData('node');
		this.name = `${ctx.getWorkflow().id} ${ctx.getNode().id}`;
	}

	/** False in a manual run: n8n keeps nothing of what it stores. */
	get isKept(): boolean {
		return this.ctx.getMode() !== 'manual';
	}

	/** The pages that were put out for what is asked for, and the settings by which they were compared. */
	read(asked: string): { pages: MarkedPages; settings: string } | undefined {
		const mark = this.marks()[asked];
		if (!this.sinceMs.has(asked)) this.sinceMs.set(asked, mark?.at ?? this.startedMs - 1);
		return mark && { pages: unpackPages(mark.pages), settings: mark.settings };
	}

	/** How many pages can be remembered of it, beside what else the node remembers. */
	roomFor(asked: string): number {
		return MAX_PAGES - this.others(asked).reduce((sum, [, { count }]) => sum + count, 0);
	}

	/**
	 * Remembers what a job has put out, and returns how many of its pages had no room. What another run, or another
	 * job of this one, has put out since the pages to compare with were read stays remembered.
	 */
	store({ asks: { asked, settings }, base, after }: PageChanges): number {
		if (!this.isKept) return 0;
		const before = this.marks()[asked];
		const other = latest.get(`${this.name} ${asked}`);
		const isLater = other !== undefined && other.at > (this.sinceMs.get(asked) ?? 0);
		const isOther = isLater && other.settings === settings;
		const merged = isOther ? mergeMarks(base ?? new Map(), after, unpackPages(other.pages)) : after;
		const others = this.others(asked);
		const pages = withinRoom(merged, {
			pages: this.roomFor(asked),
			characters: MAX_CHARACTERS - others.reduce((sum, [, mark]) => sum + mark.pages.length, 0),
		});
		const at = Math.max(this.wallClock(), (before?.at ?? 0) + 1, (other?.at ?? 0) + 1);
		const mark: StoredMark = { settings, at, count: pages.size, pages: packPages(pages) };
		this.stored[KEY] = Object.fromEntries([...others, [asked, mark]]) as unknown as IDataObject;
		this.keepLatest(`${this.name} ${asked}`, mark);
		return merged.size - pages.size;
	}

	private keepLatest(name: string, mark: StoredMark): void {
		latest.delete(name);
		latest.set(name, mark);
		const [oldest] = latest.keys();
		if (latest.size > MAX_LATEST && oldest !== undefined) latest.delete(oldest);
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
	const { settings, at, count, pages } = stored;
	if (typeof settings !== 'string' || typeof pages !== 'string') return undefined;
	return typeof at === 'number' && typeof count === 'number'
		? { settings, at, count, pages }
		: undefined;
}
