const BUCKETS = [
	...(['scrape', 'map', 'crawl', 'search', 'agent'] as const),
	...(['crawlStatus', 'agentStatus', 'interact', 'interactExecute'] as const),
] as const;
/** The counters of requests a minute; every operation counts in one of them (docs/reference/service-notes.md#requests-a-minute). */
export type Bucket = (typeof BUCKETS)[number];

/** How a 429 says how long to wait: a header in seconds, or not at all. */
export type RetryAfterStyle = 'seconds' | 'none';

/** What an account may do. `Infinity` means no limit. */
export interface Plan {
	requestsPerMinute: Record<Bucket, number>;
	jobsAtOnce: number;
	credits: number;
	retryAfter: RetryAfterStyle;
}

/** A plan of one's own: what is left out is unlimited. */
export interface CustomPlan {
	requestsPerMinute?: Partial<Record<Bucket, number>>;
	jobsAtOnce?: number;
	credits?: number;
	retryAfter?: RetryAfterStyle;
}

// docs/reference/service-notes.md#requests-a-minute, docs/reference/service-notes.md#jobs-at-once. The plans name no credits: these are a
// round figure of the sandbox's own.
const PLANS: Readonly<Record<string, CustomPlan>> = {
	free: {
		requestsPerMinute: {
			...{ scrape: 10, map: 10, crawl: 2, search: 10, agent: 2 },
			...{ crawlStatus: 500, agentStatus: 500, interact: 2, interactExecute: 10 },
		},
		jobsAtOnce: 2,
		credits: 500,
	},
	unlimited: {},
};

export const PLAN_NAMES: readonly string[] = Object.keys(PLANS);

/**
 * The plan of the given name, or the given plan with its gaps filled.
 * Throws an Error in one sentence for a name that is not known.
 */
export function readPlan(plan: string | CustomPlan): Plan {
	const given = typeof plan === 'string' ? (Object.hasOwn(PLANS, plan) ? PLANS[plan] : undefined) : plan;
	if (!given) throw new Error(`There is no plan "${String(plan)}"; choose one of ${PLAN_NAMES.join(', ')}.`);
	const limit = (bucket: Bucket) => [bucket, given.requestsPerMinute?.[bucket] ?? Infinity];
	return {
		jobsAtOnce: given.jobsAtOnce ?? Infinity,
		credits: given.credits ?? Infinity,
		retryAfter: given.retryAfter ?? 'seconds',
		requestsPerMinute: Object.fromEntries(BUCKETS.map(limit)) as Plan['requestsPerMinute'],
	};
}

/**
 * Counts requests in fixed windows, one per bucket, each opened by its first request.
 * A refused request counts too. All keys share the counters, as all keys of one account do
 * (docs/reference/service-notes.md#requests-a-minute).
 */
export function rateLimits(requestsPerMinute: Readonly<Record<Bucket, number>>, windowMs: number) {
	const open = new Map<Bucket, { consumed: number; resetsAtMs: number }>();
	return {
		/** Whether it is allowed, and when the window ends. */
		count(bucket: Bucket, nowMs: number) {
			let window = open.get(bucket);
			if (!window || nowMs >= window.resetsAtMs) {
				window = { consumed: 0, resetsAtMs: nowMs + windowMs };
				open.set(bucket, window);
			}
			window.consumed += 1;
			return { allowed: window.consumed <= requestsPerMinute[bucket], resetsAtMs: window.resetsAtMs };
		},
		clear: () => open.clear(),
	};
}

/** The account's credits. `total` may be Infinity. */
export function credits(total: number) {
	let used = 0;
	return {
		left: () => Math.max(0, total - used),
		used: () => used,
		/** Takes credits; a job that costs more than is left takes what there is. */
		charge: (amount: number) => void (used += amount),
		refill: () => void (used = 0),
	};
}

export type Credits = ReturnType<typeof credits>;
