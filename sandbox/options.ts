import type { JobDuration } from './jobDuration.ts';
import type { CustomPlan } from './plan.ts';

/** How a sandbox is to be. All may be left out. */
export interface SandboxOptions {
	/** Port of the service; 0 (default) takes a free one. */
	port?: number;
	/** Port of the pages it researches; 0 (default) takes a free one. */
	sitePort?: number;
	/** Divides job durations, rate limit windows and waits. Default 1. The `ms` of a fault is taken as it is. */
	speed?: number;
	/** A plan's name or limits of one's own. Default `unlimited`. */
	plan?: string | CustomPlan;
	/** Makes durations, ids and the `share` of faults repeatable. Default: different each time. */
	seed?: number;
	/** Accepted API keys. Default `['fc-sandbox']`; an empty list means no authentication, as on a self-hosted server. */
	keys?: readonly string[];
	/** How long jobs last, in milliseconds; a [lasts:SECONDS] in the query goes first. */
	jobDurationMs?: JobDuration;
	/** Jobs read no pages and give a small made-up record. Only for load tests. */
	lightWork?: boolean;
	/** `finalAnalysis` is an object where markdown and json are both asked for, as in recording dr-06b. */
	analysisAsObject?: boolean;
	/** The clock, in milliseconds since 1970. Default `Date.now`. */
	now?: () => number;
}

/** The options with their defaults filled in. Throws an Error in one sentence for a speed that makes no sense. */
export function readOptions(options: SandboxOptions) {
	const speed = options.speed ?? 1;
	if (!Number.isFinite(speed) || speed <= 0) throw new Error('The speed must be a number above 0.');
	return {
		port: options.port ?? 0,
		sitePort: options.sitePort ?? 0,
		speed,
		plan: options.plan ?? 'unlimited',
		seed: options.seed ?? Math.floor(Math.random() * 2 ** 32),
		keys: new Set(options.keys ?? ['fc-sandbox']),
		jobDuration: options.jobDurationMs,
		lightWork: options.lightWork ?? false,
		analysisAsObject: options.analysisAsObject ?? false,
		now: options.now ?? Date.now,
	};
}

export type ReadOptions = ReturnType<typeof readOptions>;
