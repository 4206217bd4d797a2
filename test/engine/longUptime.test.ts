import type { IDataObject } from 'n8n-workflow';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { SharedState } from '../../nodes/service/client';
import type { FaultRule } from '../../sandbox/control/faultBook.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { pollingTrigger } from '../../tools/n8n-engine/index.ts';
import { keptEntries } from './keptEntries';
import { after, builtPackage, KEY, runNode, startParameters, startSandbox } from './run';
import { onJobs, trigger } from './triggerHost';

// What a process keeps of executions that are over.

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({
		lightWork: true,
		plan: { jobsAtOnce: 20, retryAfter: 'seconds' },
		speed: 5,
	});
});

/** What the built node, in this process, knows of the limits of the credential. */
async function stateInUse(): Promise<SharedState> {
	const file = join(__dirname, '../../dist/nodes/service/client.js');
	const { sharedState } = createRequire(__filename)(file) as {
		sharedState: (credentialHash: string, time: unknown) => SharedState;
	};
	const text = JSON.stringify([sandbox.baseUrl, KEY]);
	return sharedState(createHash('sha256').update(text).digest('hex'), undefined);
}

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

it('a hundred executions with refusals, faults and stops leave nothing behind', async () => {
	const faults: FaultRule[] = [
		{ step: 'start', kind: 'status', httpStatus: 500, times: 4 },
		{ step: 'start', kind: 'reset', when: 'after', times: 4 },
		{ step: 'start', kind: 'rateLimit', retryAfter: 1, times: 4 },
		{ step: 'status', kind: 'truncated', times: 4 },
		{ step: 'status', kind: 'htmlError', times: 4 },
	];
	for (const fault of faults) sandbox.faults.add(fault);
	const warnings: Error[] = [];
	const warn = (warning: Error) => void warnings.push(warning);
	process.on('warning', warn);
	const before = timers();
	let stopped = 0;
	const execute = async (number: number) => {
		const stop = new AbortController();
		const isStopped = number % 10 === 0;
		if (isStopped) setTimeout(() => stop.abort(), 100 + 20 * (number % 30));
		const items = [{ q: `[lasts:0.5] question ${number}` }];
		const { run } = await runNode(sandbox, startParameters(), { items, signal: stop.signal });
		if (run.status === 'canceled') stopped += 1;
	};
	for (let batch = 0; batch < 2; batch++) {
		await Promise.all(Array.from({ length: 50 }, async (_, index) => await execute(50 * batch + index)));
	}
	process.off('warning', warn);

	await after(20 * 60_000);
	const state = await stateInUse();
	const { starts } = sandbox.stats();
	expect(stopped).toBeGreaterThan(2);
	expect(starts.total).toBeGreaterThan(75);
	expect(state.limits.isIdle).toBe(true);
	expect(state.limits.lastActivityMs(0)).toBeLessThan(performance.now());
	// Whose each job is, that its id came from an answer, and a pause and a queue for the two buckets of starts and
	// looks.
	expect(keptEntries(state)).toBeGreaterThan(75);
	expect(keptEntries(state)).toBeLessThanOrEqual(2 * starts.total + 10);
	expect(timers()).toBeLessThanOrEqual(before);
	expect(warnings).toEqual([]);
}, 60_000);

it('many polls for jobs that have ended keep a mark of bounded size', async () => {
	const trigger = pollingTrigger({
		package: await builtPackage(),
		credential: { baseUrl: sandbox.baseUrl, apiKey: KEY },
		nodeName: 'webDataPollTrigger',
		parameters: { event: 'jobFinished', jobOutput: 'job' },
	});
	let newest = 0;
	// A feed of a hundred jobs that have ended, 90 of them new at each check.
	const feed = () => {
		newest += 90;
		sandbox.faults.clear();
		const data = Array.from({ length: 100 }, (_, index) => ({
			id: `019b0000-0000-7000-8000-${String(newest - index).padStart(12, '0')}`,
			endpoint: 'scrape',
			target: 'https://example.com/',
			created_at: new Date(Date.UTC(2026, 0, 1) + (newest - index) * 1000).toISOString(),
		}));
		const body: IDataObject = { success: true, data, cursor: null, has_more: false };
		sandbox.faults.add({ step: 'activity', kind: 'body', body });
	};
	const sizes: number[] = [];
	for (let poll = 0; poll < 125; poll++) {
		feed();
		await trigger.poll();
		sizes.push(Buffer.byteLength(JSON.stringify(trigger.staticData())));
	}
	expect(Math.max(...sizes)).toBeLessThanOrEqual(120_000);
	// From the 112th on, 10,000 jobs are known.
	expect(sizes.at(-1)).toBe(sizes[115]);
}, 60_000);

it('six hundred calls of jobs keep the latest five hundred', async () => {
	const host = await trigger(sandbox, onJobs({ jobOutput: 'event', jobOptions: { headerSecret: 'mine' } }));
	await host.activate();
	const sizes: number[] = [];
	for (let batch = 0; batch < 30; batch++) {
		await Promise.all(
			Array.from({ length: 20 }, async (_, index) => {
				const id = `019b0000-0000-7000-8000-${String(20 * batch + index).padStart(12, '0')}`;
				const body = JSON.stringify({ type: 'crawl.completed', id, success: true, data: [] });
				const headers = { 'x-web-data-secret': 'mine' };
				await fetch(host.webhookUrl, { method: 'POST', headers, body });
			}),
		);
		sizes.push(Buffer.byteLength(JSON.stringify(host.stored())));
	}
	expect(host.executions).toHaveLength(600);
	expect(host.stored().seen).toHaveLength(500);
	expect(sizes.at(-1)).toBe(sizes[26]);
	expect(sizes.at(-1)).toBeLessThan(50_000);
}, 60_000);
