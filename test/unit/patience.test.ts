import { Secrets } from '../../nodes/service/secrets';

import { ServiceClient } from '../../nodes/service/limits/client';
import { SharedLimits } from '../../nodes/service/limits/limits';
import { minuteWindow } from './minuteWindow.ts';
import { httpResponse } from './httpResponse.ts';
import { researchTask } from './researchTask.ts';
import { VirtualTime } from './virtualTime.ts';
import { errorOf, Waiting } from './waiting.ts';

const MINUTE_MS = 60_000;
const slice = { method: 'GET', path: '/v2/crawl/job-1', bucket: 'crawlStatus' } as const;

/** A client whose service answers as `answer` says: a status, by default 200. */
function reader(answer: (nowMs: number) => number) {
	const time = new VirtualTime();
	let sent = 0;
	const http = async () => {
		sent += 1;
		return await Promise.resolve(httpResponse({ status: answer(time.now()), text: '{"error":"Rate limit exceeded"}' }));
	};
	const limits = new SharedLimits();
	const client = new ServiceClient({
		http,
		baseUrl: 'https://a.example',
		limits,
		time,
		secrets: new Secrets(''),
	});
	return { time, client, limits, sent: () => sent };
}

it('reads on when the minute is over, however often it was refused in it', async () => {
	const window = minuteWindow(1);
	const { time, client } = reader((nowMs) => (window(nowMs) > 0 ? 429 : 200));
	await time.until(client.call(slice));
	await time.until(client.call(slice));
	expect(time.now()).toBeGreaterThan(MINUTE_MS);
	expect(time.now()).toBeLessThan(MINUTE_MS + 1500);
});

it('looks once at the deadline, also in a pause of a quarter of an hour', async () => {
	let isRefused = false;
	const waiting = new Waiting({
		durationMs: () => 30_000,
		fault: ({ kind, atMs }) => {
			if (kind !== 'poll' || isRefused || atMs < 10_000) return undefined;
			isRefused = true;
			return { after: 'nothing', status: 429, headers: { 'retry-after': '900' } };
		},
	});
	const [outcome] = await waiting.outcomes([researchTask(0, { maxWaitMs: 120_000 })]);
	expect(outcome).toMatchObject({ kind: 'done' });
	expect(waiting.time.now()).toBeLessThan(121_000);
});

describe('a start that is given up says what really happened', () => {
	it('when the service is down', async () => {
		const waiting = new Waiting({ fault: () => ({ after: 'nothing', code: 'ECONNREFUSED' }) });
		const [outcome] = await waiting.outcomes([researchTask(0, { maxWaitMs: 5000 })]);
		expect(errorOf(outcome)).toMatch(/nothing answers there/);
		expect(errorOf(outcome)).not.toContain('limits');
	});
});
