import { ServiceClient } from '../../nodes/service/limits/client';
import { Secrets } from '../../nodes/service/secrets';
import { runCalls } from '../../nodes/service/limits/runCalls';
import { SharedLimits } from '../../nodes/service/limits/limits';
import type { HttpCall } from '../../nodes/service/http/transport';
import { httpResponse } from './httpResponse.ts';
import { minuteWindow } from './minuteWindow.ts';
import { seededRandom } from './seededRandom.ts';
import { VirtualTime } from './virtualTime.ts';

const MINUTE_MS = 60_000;
const request = { method: 'POST', path: '/v2/scrape', bucket: 'scrape' } as const;

export interface ManyCallsParts {
	/** Calls of each execution. */
	executions: number[];
	/** What the plan takes; unlimited when left out. */
	perMinute?: number;
	atOnce?: number;
	/** Whether a 429 says how long to wait. */
	retryAfter?: boolean;
	/** How long an accepted call takes, at least and at most, in milliseconds. */
	lengthMs?: [number, number];
	/** When each execution begins, in milliseconds. Default: all at once. */
	beginsMs?: (execution: number) => number;
	/** When each execution is stopped, in milliseconds. Default: never. */
	stopsMs?: (execution: number) => number | undefined;
	/** The status of an answer in the place of 200; `broken` for none. */
	trouble?: (request: number) => number | 'broken' | undefined;
	/** Requests that another process sends at the beginning of each of the service's minutes. */
	foreign?: number;
	/** Until when it does, in milliseconds. Default: always. */
	foreignUntilMs?: number;
	seed?: number;
}

export interface ManyCallsResult {
	/** Answers of each execution. */
	answered: number[];
	failures: string[];
	/** When each execution was done, in milliseconds. */
	endsMs: number[];
	requests: number;
	tookMs: number;
	limits: SharedLimits;
}

/** Many executions that call a service on one credential, in virtual time. */
export async function manyCalls(parts: ManyCallsParts): Promise<ManyCallsResult> {
	const { executions, atOnce = Infinity, lengthMs = [500, 3000], seed = 1 } = parts;
	const time = new VirtualTime(seed);
	const random = seededRandom(seed + 1);
	const between = ([least, most]: [number, number]) => least + random() * (most - least);
	const window = minuteWindow(parts.perMinute ?? Infinity);
	const limits = new SharedLimits();
	const result = { answered: executions.map(() => 0), failures: [] as string[], requests: 0 };
	let inFlight = 0;
	let foreignAtMs = 0;
	const http: HttpCall = async () => {
		const trouble = parts.trouble?.(result.requests);
		result.requests += 1;
		await time.sleep(between([20, 80]));
		const foreignUntilMs = Math.min(time.now(), parts.foreignUntilMs ?? Infinity);
		for (; foreignAtMs <= foreignUntilMs; foreignAtMs += MINUTE_MS) {
			for (let sent = 0; sent < (parts.foreign ?? 0); sent++) window(foreignAtMs);
		}
		const waitMs = window(time.now()) || (inFlight >= atOnce ? 5000 : 0);
		if (waitMs > 0) {
			await time.sleep(between([20, 80]));
			const headers = { 'retry-after': String(Math.ceil(waitMs / 1000)) };
			const text = '{"error":"Rate limit exceeded"}';
			return httpResponse({ status: 429, text, ...(parts.retryAfter && { headers }) });
		}
		inFlight += 1;
		await time.sleep(between(lengthMs));
		inFlight -= 1;
		if (trouble === 'broken') throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
		return httpResponse({ status: trouble ?? 200, text: '{"success":true}' });
	};
	const endsMs = executions.map(() => 0);
	const runs = executions.map(async (calls, index) => {
		await time.sleep(parts.beginsMs?.(index) ?? 0);
		const baseUrl = 'https://a.example';
		const execution = `execution ${index}`;
		const secrets = new Secrets('');
		const stop = new AbortController();
		const stopMs = parts.stopsMs?.(index);
		if (stopMs !== undefined) time.at(stopMs, () => stop.abort());
		const { signal } = stop;
		const client = new ServiceClient({ http, baseUrl, limits, time, secrets, execution, signal });
		await runCalls(
			Array.from({ length: calls }, () => ({ request, timeoutMs: MINUTE_MS })),
			{
				answered: () => {
					result.answered[index] = (result.answered[index] ?? 0) + 1;
				},
				failed: (_index, { message }) => {
					result.failures.push(message);
					return false;
				},
			},
			client,
		).catch(() => undefined);
		endsMs[index] = time.now();
	});
	await time.until(Promise.all(runs));
	const tookMs = time.now();
	// What was on its way when an execution was stopped comes to its end.
	await time.pass(MINUTE_MS);
	return { ...result, endsMs, tookMs, limits };
}

/** How long so many calls take for somebody who knows the minute and needs no time on the way. */
export function oracleCallsMs(calls: number, perMinute: number): number {
	return (Math.ceil(calls / perMinute) - 1) * MINUTE_MS;
}
