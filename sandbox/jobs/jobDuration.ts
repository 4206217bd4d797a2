import type { Random } from '../runtime/random.ts';

/** A fixed duration in milliseconds, or one for each job. Taken as it is: `speed` does not divide it. */
export type JobDuration = number | ((start: { query: string; index: number }) => number);

const SHORTEST_SECONDS = 5;
const DURATION_MARKER = /\[(?:slow|lasts):(\d+(?:\.\d+)?)\]/;

/**
 * How long a job lasts, in milliseconds: what its query asks for with [lasts:SECONDS] or [slow:SECONDS],
 * else what the sandbox is told, else a seeded share (0.2 to 0.6) of its time limit (in seconds).
 */
export function jobDurationMs(
	request: { query: string; timeLimit: number },
	index: number,
	setup: { speed: number; random: Random; jobDuration?: JobDuration | undefined },
): number {
	const asked = DURATION_MARKER.exec(request.query)?.[1];
	if (asked !== undefined) return (Number(asked) * 1000) / setup.speed;
	if (typeof setup.jobDuration === 'number') return setup.jobDuration;
	if (setup.jobDuration) return setup.jobDuration({ query: request.query, index });
	const share = 0.2 + 0.4 * setup.random();
	return (Math.max(SHORTEST_SECONDS, share * request.timeLimit) * 1000) / setup.speed;
}
