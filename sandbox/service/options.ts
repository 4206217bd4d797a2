import type { Allowance } from '../account/allowance.ts';
import type { CustomPlan } from '../account/plan.ts';
import type { JobDuration } from '../jobs/jobStore.ts';

/** Milliseconds, or what gives them again with each request. */
type Lag = number | (() => number);

/** How a sandbox is to be. All may be left out. */
export interface SandboxOptions {
	/** Port of the service; 0 (default) takes a free one. */
	port?: number;
	/**
	 * Divides job durations, rate limit windows and waits. Default 1. The `ms` of a fault and the timeouts
	 * of requests are taken as they are.
	 */
	speed?: number;
	/** A plan's name or limits of one's own. Default `unlimited`. */
	plan?: string | CustomPlan;
	/** Makes durations, ids and the `share` of faults repeatable. Default: different each time. */
	seed?: number;
	/**
	 * Accepted API keys. Default `['fc-sandbox']`. An empty list means no authentication, as on a self-hosted server,
	 * which calls a webhook once; others call again after 1, 5 and 15 minutes divided by `speed`.
	 */
	keys?: readonly string[];
	/**
	 * Other accounts of the same service, by their keys: each has lists, ids, credits, counters and a catalogue of its
	 * own. All keys of `keys` are of one account. Default: there is no other.
	 */
	otherAccounts?: ReadonlyArray<readonly string[]>;
	/**
	 * Answers scrapes, searches and parses without a key too, as the hosted service does, within what each IP address may
	 * use in an hour. Default: a key is needed for everything.
	 */
	keyless?: Partial<Allowance>;
	/**
	 * How long jobs last, in milliseconds; a [lasts:SECONDS] in a research's query goes first. A crawl or a
	 * batch shows its pages evenly over that time, and lasts longer where its work does. Left out: a share
	 * of its time limit for a research, as long as its work takes for the others.
	 */
	jobDurationMs?: JobDuration;
	/**
	 * Jobs fetch nothing. A research gives a small made-up record; a crawl `limit` made-up pages, a batch one
	 * for each address but those on a host that ends in .invalid, which fail. Only for load tests.
	 */
	lightWork?: boolean;
	/** Pages in one slice of a crawl's or batch's results. Default 100. */
	sliceSize?: number;
	/**
	 * Whether it has its database. Default: it has. The plain self-hosted one has none: it fails on the feed and the
	 * balance (recordings plain-30, plain-35), and knows no scrape any more (plain-11).
	 */
	database?: boolean;
	/**
	 * Whether the account may do what the recorded one may not: use threat protection, crawl against robots.txt, ask
	 * support. Default: it may.
	 */
	enterprise?: boolean;
	/**
	 * Whether agents have conversations, in which they may pay data providers, as on the hosted service since autumn
	 * 2026. Default: they have not, as on the recorded server, which refuses both fields (recordings agent-94).
	 */
	paidProviders?: boolean;
	/**
	 * How far what is told of jobs is behind, in milliseconds: a job answers 404 for so long after its start and runs
	 * on for so long after its end, and the activity and the list of active crawls are those of so long ago. A function
	 * is asked with each request, as one of many machines may answer it. Calls of webhooks come in time. Default 0.
	 */
	lagMs?: Lag;
	/** The clock, in milliseconds since 1970; the Date header follows it. Default `Date.now`. */
	now?: () => number;
}

const UNBOUNDED: Allowance = { requests: Infinity, credits: Infinity };

/** The options with their defaults filled in. Throws an Error in one sentence for a speed that makes no sense. */
export function readOptions(options: SandboxOptions) {
	const speed = options.speed ?? 1;
	if (!Number.isFinite(speed) || speed <= 0) throw new Error('The speed must be a number above 0.');
	if (!((options.sliceSize ?? 1) > 0)) throw new Error('sliceSize must be a number above 0.');
	const keys = new Set(options.keys ?? ['fc-sandbox']);
	return {
		hasDatabase: options.database ?? true,
		port: options.port ?? 0,
		speed,
		plan: options.plan ?? 'unlimited',
		seed: options.seed ?? Math.floor(Math.random() * 2 ** 32),
		keys,
		otherAccounts: options.otherAccounts ?? [],
		keyless: options.keyless && { ...UNBOUNDED, ...options.keyless },
		jobDuration: options.jobDurationMs,
		sliceSize: options.sliceSize ?? 100,
		lightWork: options.lightWork ?? false,
		enterprise: options.enterprise ?? true,
		paidProviders: options.paidProviders ?? false,
		lagMs: readLag(options.lagMs),
		now: options.now ?? Date.now,
	};
}

export type ReadOptions = ReturnType<typeof readOptions>;

function readLag(lag: Lag = 0): () => number {
	return typeof lag === 'function' ? lag : () => lag;
}
