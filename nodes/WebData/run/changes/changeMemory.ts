import type { IDataObject } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import type { RunContext } from '../connection/runContext';
import type { ChangesBase, PageChanges } from './pageChanges';
import { MAX_CHARACTERS, MAX_PAGES, packPages, unpackPages } from './pageMark';
import type { MarkedPages } from './pageMark';

/** Key in the node's static data. Stored with workflows: do not rename. */
const KEY = 'webDataPages';

/** What was not asked for for so long makes room for what is. */
const FORGOTTEN_AFTER_MS = 35 * 24 * 60 * 60 * 1000;

/** What is stored of the last run that asked for the same. */
interface StoredMark {
	/** See ChangesAsked. */
	settings: string;
	/** When it was stored, in milliseconds since 1970. */
	at: number;
	/** How many pages it holds. */
	count: number;
	pages: string;
	doubtedSince?: number;
}

/**
 * The pages of earlier runs, in the static data that n8n stores with the workflow, of which an execution sees what was
 * there at its start (docs/n8n-internals.md#static-data-of-a-node). Of two runs that overlap, the
 * one that ends last wins: a page may be told twice then.
 */
export class ChangeMemory {
	private readonly stored: IDataObject;

	/** What earlier jobs of this run have left, by what was asked for. */
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

	/** What was put out for what is asked for, and the settings by which it was compared. */
	read(asked: string): (ChangesBase & { settings: string }) | undefined {
		const mark = this.marks()[asked];
		if (!mark) return undefined;
		const { settings, doubtedSince } = mark;
		return { pages: unpackPages(mark.pages), settings, doubtedSince };
	}

	/** What there is room for, beside what else the node remembers. */
	roomFor(asked: string): { pages: number; characters: number } {
		const others = this.others(asked);
		return {
			pages: others.reduce((left, [, { count }]) => left - count, MAX_PAGES),
			characters: others.reduce((left, [, { pages }]) => left - pages.length, MAX_CHARACTERS),
		};
	}

	/** Remembers what a job has put out. */
	store(changes: PageChanges): void {
		if (!this.isKept) return;
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
