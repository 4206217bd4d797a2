import { join } from 'node:path';
import { Attempts, POLICIES } from '../../nodes/service/http/retry';
import type { Moment, Trouble } from '../../nodes/service/http/retry';
import { expectGoldenFile } from '../helpers/goldenFile';

/** Troubles by the words that a person would use. */
const TROUBLES = {
	'nobody answers': { kind: 'unreachable', mayHaveExecuted: false },
	'it broke off': { kind: 'connection', mayHaveExecuted: true },
	'500': { kind: 'http', httpCode: 500, mayHaveExecuted: true },
	'503, in 4 s': { kind: 'http', httpCode: 503, mayHaveExecuted: true, retryAfterMs: 4000 },
	'400': { kind: 'http', httpCode: 400, mayHaveExecuted: false },
	'408': { kind: 'http', httpCode: 408, mayHaveExecuted: true },
	'408, goes on': { kind: 'http', httpCode: 408, mayHaveExecuted: true, retryInMs: 30_000 },
	'404': { kind: 'http', httpCode: 404, mayHaveExecuted: false, notFound: true },
	'429': { kind: 'rateLimited', httpCode: 429, mayHaveExecuted: false },
	'429, in 20 s': { kind: 'rateLimited', httpCode: 429, mayHaveExecuted: false, retryAfterMs: 20_000 },
	'a web page': { kind: 'notJson', httpCode: 200, mayHaveExecuted: true },
	'too large': { kind: 'tooLarge', mayHaveExecuted: true },
	'a redirect': { kind: 'redirect', httpCode: 302, mayHaveExecuted: false },
	'not on this server': { kind: 'http', httpCode: 501, mayHaveExecuted: false, isMissingOnServer: true },
	stopped: { kind: 'aborted', mayHaveExecuted: false },
} satisfies Record<string, Trouble>;

const troubleOf = (name: keyof typeof TROUBLES): Trouble => TROUBLES[name];

/** So many tries are told. */
const MOST = 9;

/** The seconds at which it is tried again where the same trouble comes each time, and how that ends. */
function course(policy: keyof typeof POLICIES, trouble: Trouble, known: Omit<Moment, 'ms' | 'random'> = {}): string {
	let nowMs = 0;
	const attempts = new Attempts(POLICIES[policy], { now: () => nowMs, random: () => 0 });
	const times: string[] = [];
	while (times.length < MOST) {
		const next = attempts.after(trouble, known);
		if (typeof next === 'string') return [...times, next].join(' ');
		nowMs = next.atMs;
		times.push(String(nowMs / 1000));
	}
	return [...times, '…'].join(' ');
}

it('tries again when it did, and no more often', () => {
	const policies = Object.keys(POLICIES) as Array<keyof typeof POLICIES>;
	const lines = policies.flatMap((policy) => [
		`# ${policy}`,
		...Object.entries(TROUBLES).map(([name, trouble]) => `${name}: ${course(policy, trouble)}`),
		`500 until 10 s: ${course(policy, troubleOf('500'), { deadlineMs: 10_000 })}`,
		`nobody answers since 2 s: ${course(policy, troubleOf('nobody answers'), { unansweredSinceMs: -2000 })}`,
		`429 without any movement for 10 minutes: ${course(policy, troubleOf('429'), { lastActivityMs: -600_000 })}`,
		`429, free after the end: ${course(policy, troubleOf('429'), { freeAtMs: 30_000, deadlineMs: 20_000 })}`,
		'',
	]);
	expectGoldenFile(join(__dirname, '../golden/retries.txt'), `${lines.join('\n').trimEnd()}\n`);
});

it('begins anew after another trouble', () => {
	let nowMs = 0;
	const attempts = new Attempts(POLICIES.poll, { now: () => nowMs, random: () => 0 });
	const times: number[] = [];
	for (const name of ['404', '404', '500', '404', '500', '500'] as const) {
		const next = attempts.after(troubleOf(name));
		if (typeof next !== 'object') throw new Error(`Gives up after ${name}.`);
		times.push(next.atMs - nowMs);
		nowMs = next.atMs;
	}
	expect(times).toEqual([1000, 2000, 1000, 1000, 2000, 4000]);
});
