import type { CustomPlan } from '../account/plan.ts';
import type { JobDuration } from '../jobs/jobStore.ts';
import { serverKind } from './serverKind.ts';
import type { Lists } from './serverKind.ts';

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
	/** Accepted API keys. Default `['fc-sandbox']`; an empty list means no authentication, as on a self-hosted server. */
	keys?: readonly string[];
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
	/** Whether it has its database. Default: it has; `false` plays the plain self-hosted one. */
	database?: boolean;
	/** The lists a lost start is looked for in: of active crawls, and the feed of activity. Default: as recorded. */
	lists?: Lists;
	/** An account that may do what others are refused: threat protection, crawling against robots.txt. Default: it may; recorded is one that may not. */
	enterprise?: boolean;
	/** Signs the bodies of webhooks. Default: unsigned, as where no secret is set. */
	webhookSecret?: string;
	/** Calls of webhooks are made once, as self-hosted servers do (default), or again after 1, 5 and 15 minutes divided by `speed`. */
	webhookTries?: 'once' | 'retried';
	/** How long an agent goes on after it was cancelled, in milliseconds; default not at all (recordings agent-11, auth26-52). */
	agentCancelMs?: number;
	/** Whether its support answers. Default: not, as recorded (support-01). */
	support?: boolean;
	/**
	 * How far the status of a job is behind, in milliseconds: the job answers 404 for so long after its start,
	 * and runs on for so long after its end. A function is asked with each request, as one of many machines
	 * may answer it. Calls of webhooks come in time. Default 0.
	 */
	statusLagMs?: Lag;
	/** How long before its status shows the end of a job the call of its webhook comes, in milliseconds. Default 0. */
	webhookLeadMs?: number;
	/** How far the lists of jobs are behind: the activity and the active crawls. Default 0. */
	listsLagMs?: Lag;
	/** The clock, in milliseconds since 1970; the Date header follows it. Default `Date.now`. */
	now?: () => number;
}

/** The options with their defaults filled in. Throws an Error in one sentence for a speed that makes no sense. */
export function readOptions(options: SandboxOptions) {
	const speed = options.speed ?? 1;
	if (!Number.isFinite(speed) || speed <= 0) throw new Error('The speed must be a number above 0.');
	if (!((options.sliceSize ?? 1) > 0)) throw new Error('sliceSize must be a number above 0.');
	const keys = new Set(options.keys ?? ['fc-sandbox']);
	return {
		...serverKind(options),
		port: options.port ?? 0,
		speed,
		plan: options.plan ?? 'unlimited',
		seed: options.seed ?? Math.floor(Math.random() * 2 ** 32),
		keys,
		jobDuration: options.jobDurationMs,
		sliceSize: options.sliceSize ?? 100,
		lightWork: options.lightWork ?? false,
		enterprise: options.enterprise ?? true,
		webhookSecret: options.webhookSecret,
		webhookTries: options.webhookTries ?? 'once',
		agentCancelMs: options.agentCancelMs ?? 0,
		support: options.support ?? false,
		statusLagMs: readLag(options.statusLagMs),
		webhookLeadMs: options.webhookLeadMs ?? 0,
		listsLagMs: readLag(options.listsLagMs),
		now: options.now ?? Date.now,
	};
}

export type ReadOptions = ReturnType<typeof readOptions>;

function readLag(lag: Lag = 0): () => number {
	return typeof lag === 'function' ? lag : () => lag;
}
