import type { Bucket } from './plan.ts';

/** What a request did to its counter. */
export interface WindowCount {
	allowed: boolean;
	/** Requests counted in this window, this one and refused ones included (recordings auth-30 to auth-32). */
	consumed: number;
	resetsAtMs: number;
}

export interface RateLimits {
	count(bucket: Bucket, nowMs: number): WindowCount;
	clear(): void;
}

/**
 * Counts requests in fixed windows, one per bucket, each opened by its first request.
 * A refused request counts too. All keys share the counters, as all keys of one account do
 * (docs/service-notes.md#requests-a-minute).
 */
export function rateLimits(
	requestsPerMinute: Readonly<Record<Bucket, number>>,
	windowMs: number,
): RateLimits {
	const open = new Map<Bucket, { consumed: number; resetsAtMs: number }>();
	return {
		count(bucket, nowMs) {
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
