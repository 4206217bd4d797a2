const BUCKETS = [
	...(['scrape', 'map', 'crawl', 'search', 'agent'] as const),
	...(['crawlStatus', 'agentStatus', 'interact', 'interactExecute'] as const),
] as const;
/** The counters of requests a minute; every operation counts in one of them (docs/service-notes.md#requests-a-minute). */
export type Bucket = (typeof BUCKETS)[number];

/** How a 429 says how long to wait: a header in seconds, a header with a date, only in the text, or not at all. */
export type RetryAfterStyle = 'seconds' | 'date' | 'text' | 'none';

/** What an account may do. `Infinity` means no limit. */
export interface Plan {
	name: string;
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

interface PlanRow {
	/** In the order of BUCKETS. */
	perMinute: readonly number[];
	jobsAtOnce: number;
	credits: number;
}

const UNLIMITED_ROW: PlanRow = { perMinute: [], jobsAtOnce: Infinity, credits: Infinity };

// docs/service-notes.md#requests-a-minute, docs/service-notes.md#jobs-at-once (Scale says 150+). The plans name
// no credits: these are round figures of the sandbox's own.
const PLAN_ROWS: Readonly<Record<string, PlanRow>> = {
	free: { perMinute: [10, 10, 2, 10, 2, 500, 500, 2, 10], jobsAtOnce: 2, credits: 500 },
	hobby: { perMinute: [100, 100, 20, 100, 20, 5000, 5000, 20, 100], jobsAtOnce: 5, credits: 3000 },
	standard: {
		perMinute: [500, 500, 100, 500, 100, 25_000, 25_000, 100, 500],
		jobsAtOnce: 50,
		credits: 100_000,
	},
	growth: {
		perMinute: [5000, 5000, 1000, 5000, 1000, 250_000, 250_000, 1000, 5000],
		jobsAtOnce: 100,
		credits: 500_000,
	},
	scale: {
		perMinute: [10_000, 10_000, 2000, 10_000, 2000, 500_000, 500_000, 1500, 7500],
		jobsAtOnce: 150,
		credits: 1_000_000,
	},
	unlimited: UNLIMITED_ROW,
};

export const PLAN_NAMES: readonly string[] = Object.keys(PLAN_ROWS);

function rowToPlan(name: string, row: PlanRow): Plan {
	const limit = (bucket: Bucket): number => row.perMinute[BUCKETS.indexOf(bucket)] ?? Infinity;
	return {
		name,
		requestsPerMinute: Object.fromEntries(
			BUCKETS.map((bucket) => [bucket, limit(bucket)]),
		) as Plan['requestsPerMinute'],
		jobsAtOnce: row.jobsAtOnce,
		credits: row.credits,
		retryAfter: 'seconds',
	};
}

/**
 * The plan of the given name, or the given plan with its gaps filled.
 * Throws an Error in one sentence for a name that is not known.
 */
export function readPlan(plan: string | CustomPlan): Plan {
	if (typeof plan === 'string') {
		const row = Object.hasOwn(PLAN_ROWS, plan) ? PLAN_ROWS[plan] : undefined;
		if (!row) throw new Error(`There is no plan "${plan}"; choose one of ${PLAN_NAMES.join(', ')}.`);
		return rowToPlan(plan, row);
	}
	const base = rowToPlan('custom', UNLIMITED_ROW);
	return {
		...base,
		...plan,
		requestsPerMinute: { ...base.requestsPerMinute, ...plan.requestsPerMinute },
	};
}

/** What a request did to its counter. */
interface WindowCount {
	allowed: boolean;
	/** Requests counted in this window, this one and refused ones included (recordings auth-30 to auth-32). */
	consumed: number;
	resetsAtMs: number;
}

/**
 * Counts requests in fixed windows, one per bucket, each opened by its first request.
 * A refused request counts too. All keys share the counters, as all keys of one account do
 * (docs/service-notes.md#requests-a-minute).
 */
export function rateLimits(requestsPerMinute: Readonly<Record<Bucket, number>>, windowMs: number) {
	const open = new Map<Bucket, { consumed: number; resetsAtMs: number }>();
	return {
		count(bucket: Bucket, nowMs: number): WindowCount {
			let window = open.get(bucket);
			if (!window || nowMs >= window.resetsAtMs) {
				window = { consumed: 0, resetsAtMs: nowMs + windowMs };
				open.set(bucket, window);
			}
			window.consumed += 1;
			return {
				allowed: window.consumed <= requestsPerMinute[bucket],
				consumed: window.consumed,
				resetsAtMs: window.resetsAtMs,
			};
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
