import { oneBesideMany } from './oneBesideMany.ts';

it.each([
	['2 at once', 2, {}],
	['2 at once, Retry-After', 2, { retryAfter: true }],
	['Free', 2, { startsPerMinute: 2 }],
	['10 at once', 10, {}],
])('a single job does not wait behind 400 of another execution: %s', async (_name, places, more) => {
	for (const joinsAtMs of [600_000, 1_000_000, 1_500_000]) {
		const { tookMs, fairMs } = await oneBesideMany(places, joinsAtMs, more);
		expect(tookMs / fairMs).toBeLessThanOrEqual(1.1);
	}
});
