import type { Time } from '../../../service/http/time';
import { findPossibleOrphans } from '../../../service/sessions/orphanedSessions';
import type {
	LostOpening,
	OrphanFinding,
	PossibleOrphan,
} from '../../../service/sessions/orphanedSessions';
import type { SessionEntry } from '../../../service/sessions/sessionLedger';
import type { RunContext } from '../connection/runContext';
import { beginningOf, isAfterCrash } from '../memory/crashRecovery';
import { MAX_NAMED, sentences } from '../output/hints';
import type { ItemFailure } from '../output/itemError';
import type { LostEntry, SessionRun } from './sessionMemory';
import { orphansText } from './sessionSteps';
import type { SessionPlan } from './sessionSteps';

const DAY_MS = 24 * 3_600_000;

/** Longest time that anybody waits for the answer to an opening, in milliseconds. */
const LONGEST_OPENING_MS = 150_000;

/** What some lost openings of a run have in common. */
type Origin = 'own' | 'earlier' | 'kill';

/** What has happened, by the number of openings: a sentence without its full stop. */
const HAPPENED = {
	own: (openings: number) => `The ${answersOf(openings)} lost`,
	replaced: (openings: number) =>
		`The ${answersOf(openings)} lost, and another session was opened in ${openings === 1 ? 'its' : 'each'} place`,
	earlier: (openings: number) =>
		`In an earlier try of this execution the ${answersOf(openings)} lost`,
	kill: () => 'n8n was ended while this node ran',
};

function answersOf(openings: number): string {
	return openings === 1 ? 'answer to an opening was' : `answers to ${openings} openings were`;
}

interface Told {
	opening: LostOpening;
	origin: Origin;
	/** Undefined for what n8n was killed over: then nothing is in the ledger. */
	entry?: LostEntry;
}

/** What a person should know of some lost openings. */
interface OrphanNote {
	/** Which sessions may be theirs. */
	text: string;
	/** The same, after what has happened; empty where the list shows that nothing of them is open. */
	after(happened: keyof typeof HAPPENED): string;
	/** Ids of the sessions that are named. */
	candidates: string[];
}

/** What the items of a run came to, by item. */
interface SessionOutcomes {
	failures: ReadonlyMap<number, ItemFailure>;
	stories: ReadonlyMap<number, unknown>;
	/** The failure that ends the run; undefined where each item has its result or its error. */
	ended: ItemFailure | undefined;
}

/**
 * The openings of a run, of its earlier tries and of an execution that was killed with an end that nobody
 * knows, and which open sessions may be theirs. These are named, and left: they may be somebody else's.
 */
export class LostOpenings {
	private all: Told[] = [];

	private finding: OrphanFinding = { kind: 'unknown' };

	private readonly killed: LostOpening | undefined;

	/** To be made before the run opens anything: what it opens itself was not left by a kill. */
	constructor(
		ctx: RunContext,
		private readonly plans: readonly SessionPlan[],
		private readonly run: SessionRun,
	) {
		if (!isAfterCrash(ctx)) return;
		const { time } = run.client;
		const sentAt = beginningOf(ctx) ?? time.wallClock() - DAY_MS;
		const times = monotonicTimes({ sentAt, lostAt: time.wallClock() }, time);
		this.killed = { ...times, isFresh: false, mayBeUsed: true };
	}

	/** Looks for their sessions. To be called when nothing more is opened. Throws no ServiceFailure. */
	async lookFor(): Promise<void> {
		const { memory, register, client } = this.run;
		const { killed } = this;
		this.all = [
			...memory.lost.map((entry) => this.told(entry)),
			...(killed ? [{ opening: killed, origin: 'kill' as const }] : []),
		];
		if (this.all.length === 0) return;
		const openings = this.all.map(({ opening }) => opening);
		this.finding = await findPossibleOrphans(openings, register, client);
		if (this.finding.kind === 'unknown') return;
		// A session that the list no longer shows has ended, or never existed.
		this.forget(this.all.filter((told) => this.orphansOf([told]).length === 0));
	}

	/**
	 * Adds to each item that failed which sessions may be its own, and gives what is to be told besides. When
	 * the run `ended` with an error, that error tells everything, because nobody sees a hint then.
	 */
	tell({ failures, stories, ended }: SessionOutcomes): string[] {
		if (ended) {
			const own = this.noteOf('own');
			const isAbout = this.noteOf('own', (item) => item === ended.item) !== undefined;
			addTo(
				ended,
				[(isAbout ? own?.text : own?.after('own')) ?? '', ...this.othersTold()],
				own?.candidates,
			);
			return [];
		}
		for (const failure of failures.values()) {
			const note = this.noteOf('own', (item) => item === failure.item);
			if (note) addTo(failure, [note.text], note.candidates);
		}
		const replaced = this.noteOf('own', (item) => stories.has(item))?.after('replaced') ?? '';
		return [replaced, ...this.othersTold()];
	}

	/** To be called when a person has been told of all of them. */
	forgetAll(): void {
		this.forget(this.all);
	}

	/** Undefined where that is not known: of other tries, whose parameters may have been others. */
	private idleSecondsOf(some: Told[]): number | undefined {
		const { plans, run } = this;
		const seconds = some.map(({ entry }) => {
			const plan = plans.find(({ item }) => item === entry?.item);
			return plan ? run.operation.idleSeconds(plan.sent) : NaN;
		});
		const longest = Math.max(...seconds);
		return Number.isNaN(longest) ? undefined : longest;
	}

	private othersTold(): string[] {
		const origins = ['earlier', 'kill'] as const;
		return origins.map((origin) => this.noteOf(origin)?.after(origin) ?? '');
	}

	/** Of those of one origin, of these items only; undefined when there are none. */
	private noteOf(
		origin: Origin,
		isMeant: (item: number) => boolean = () => true,
	): OrphanNote | undefined {
		const some = this.all.filter((one) => one.origin === origin && isMeant(one.entry?.item ?? -1));
		if (some.length === 0) return undefined;
		const orphans = this.orphansOf(some);
		const isUnknown = this.finding.kind === 'unknown';
		const text = orphansText(isUnknown ? undefined : orphans, this.idleSecondsOf(some));
		const isOver = !isUnknown && orphans.length === 0;
		return {
			text,
			after: (happened) => (isOver ? '' : `${HAPPENED[happened](some.length)}. ${text}`),
			candidates: orphans.map(({ id }) => id),
		};
	}

	private orphansOf(some: Told[]): PossibleOrphan[] {
		if (this.finding.kind === 'unknown') return [];
		return this.finding.orphans.filter(({ openings }) =>
			some.some(({ opening }) => openings.includes(opening)),
		);
	}

	private told(entry: LostEntry): Told {
		const isFresh = entry.item !== undefined;
		const times = monotonicTimes(entry.entry, this.run.client.time);
		const opening = { ...times, isFresh, mayBeUsed: false };
		return { opening, origin: isFresh ? 'own' : 'earlier', entry };
	}

	private forget(some: Told[]): void {
		for (const { entry } of some) if (entry) this.run.memory.forget(entry.key);
	}
}

/** When it was sent and lost. What was cut off by a stop has no time of its loss. */
function monotonicTimes(
	{ sentAt, lostAt = sentAt + LONGEST_OPENING_MS }: Pick<SessionEntry, 'sentAt' | 'lostAt'>,
	time: Time,
): Pick<LostOpening, 'sentMs' | 'lostMs'> {
	const monotonic = (at: number) => Math.min(time.now(), time.now() - (time.wallClock() - at));
	return { sentMs: monotonic(sentAt), lostMs: monotonic(lostAt) };
}

function addTo(failure: ItemFailure, texts: string[], candidates: string[] = []): void {
	failure.message = sentences([failure.message.trimEnd(), ...texts]);
	if (candidates.length > 0) failure.candidates = candidates.slice(0, MAX_NAMED);
}
