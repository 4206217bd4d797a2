import { field, until } from '../sandbox/client';
import { errorText, executionOptions, hintsIn, hintsOf, jsonOf, NODE, startedIds } from './run';
import { openWaitingSetup, suspendingCrawl } from './suspension';
import type { WaitingSetup } from './suspension';

let setup: WaitingSetup;

/** The id of the job whose address has this word. */
const idOf = (word: string) => setup.sandbox.stats().starts.list.find(({ query }) => query.includes(word))?.id;

describe('while jobs are started', () => {
	it('Cancel on Stop cancels them, too, while they are checked before the execution is suspended', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 60_000 });
		setup.sandbox.faults.add({ kind: 'slow', step: 'crawlStart', when: 'after', ms: 1100 });
		setup.sandbox.faults.add({ kind: 'slow', step: 'crawlStatus', ms: 5000 });
		const stop = new AbortController();
		const options = { waitOptions: { cancelOnStop: true } };
		const running = setup.run(suspendingCrawl(setup.sandbox, { options }), { signal: stop.signal });
		await until('the check', () => setup.sandbox.stats().requests > 1);
		stop.abort();
		expect(errorText(await running)).toContain('Cancelled at the service');
		expect(setup.sandbox.stats()).toMatchObject({ starts: { total: 1 }, jobsRunning: 0 });
	});

	it('a refusal that quotes an address with "webhook" in it is no refusal of the calls', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 60_000 });
		setup.sandbox.faults.add({
			kind: 'body',
			step: 'crawlStart',
			httpStatus: 400,
			query: 'webhooks-guide',
			body: { success: false, error: 'Invalid URL: https://docs.example/webhooks-guide[' },
		});
		const suspended = await setup.run(suspendingCrawl(setup.sandbox, { url: '={{ $json.url }}' }), {
			items: [{ url: 'https://docs.example/webhooks-guide' }, { url: setup.sandbox.siteUrl }],
			node: { onError: 'continueRegularOutput' },
		});
		expect([suspended.run.status, hintsOf(suspended)]).toEqual(['waiting', []]);
		expect(jsonOf(suspended.items(NODE))[0]).toMatchObject({
			suspendedJob: { reason: expect.stringContaining('Invalid URL') as unknown },
		});
	});
});

it('where the plan holds up starts, jobs are watched until the last is started, and all are done as soon', async () => {
	const plan = { jobsAtOnce: 2, retryAfter: 'none' } as const;
	setup = await openWaitingSetup({ lightWork: true, jobDurationMs: 30_000, plan });
	const items = Array.from({ length: 8 }, (_none, n) => ({ n: n + 1 }));
	const beganMs = Date.now();
	const { executionId } = await setup.run(suspendingCrawl(setup.sandbox, { pageLimit: '={{ $json.n }}' }), { items });
	const suspendedMs = Date.now() - beganMs;
	expect(setup.sandbox.stats().starts.total).toBe(8);
	expect(suspendedMs).toBeLessThan(1.06 * 90_000);
	expect((await setup.host.ended(executionId)).error).toBeUndefined();
	expect(Date.now() - beganMs).toBeLessThan(1.06 * 120_000);
});

describe('a job that is over while the plan holds up the start of another', () => {
	const pageLimit = '={{ $json.n }}';
	const items = [{ n: 1 }, { n: 2 }];
	const failing = { kind: 'failJob', step: 'crawlStart', times: 1, error: 'No luck' } as const;
	const holdUp = (retryAfter: number) => {
		setup.sandbox.faults.add({
			kind: 'rateLimit',
			step: 'crawlStart',
			skip: 1,
			times: 1,
			retryAfter,
		});
	};

	it('because it has failed, and its pages are wanted: is passed on at Max Wait', async () => {
		setup = await openWaitingSetup({ jobDurationMs: ({ index }) => (index === 0 ? 200 : 60_000) });
		setup.sandbox.faults.add(failing);
		holdUp(2);
		const options = { waitOptions: { onFailure: 'output' } };
		const suspended = await setup.run(suspendingCrawl(setup.sandbox, { pageLimit, options }), {
			items,
		});
		const passedOn = await setup.host.timeIsUp(suspended.executionId);
		const jobs = jsonOf(passedOn.items(NODE)).map((json) => field(json, 'suspendedJob.jobId'));
		expect(jobs).toEqual(startedIds(setup.sandbox));
		expect(jobs).toHaveLength(2);
	});
});

it('a job whose start was lost, and that was found again, is named as such by the execution that is woken', async () => {
	setup = await openWaitingSetup({ jobDurationMs: 60_000 });
	setup.sandbox.faults.add({ kind: 'reset', step: 'crawlStart', when: 'after', times: 1 });
	const suspended = await setup.run(suspendingCrawl(setup.sandbox));
	expect(suspended.run.status).toBe('waiting');
	const ended = await setup.host.ended(suspended.executionId);
	expect([errorText(ended), startedIds(setup.sandbox).length]).toEqual(['', 1]);
	expect(hintsIn(ended)).toContain('Found 1 job again');
});

describe('an item with Do Not Wait beside one that is freed', () => {
	const mixed = { waitForCompletion: '={{ $json.wait }}', url: '={{ $json.url }}' };

	it('is not checked when the execution is woken, so nothing is started again', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 500 });
		setup.sandbox.faults.add({
			kind: 'status',
			httpStatus: 404,
			step: 'crawlStatus',
			query: 'second',
			error: 'Job not found',
		});
		const items = [
			{ wait: 'free', url: setup.sandbox.siteUrl },
			{ wait: false, url: `${setup.sandbox.siteUrl}/?second` },
		];
		const ended = await setup.runToEnd(suspendingCrawl(setup.sandbox, mixed), { items });
		expect(errorText(ended)).toBe('');
		expect(jsonOf(ended.items(NODE)).at(-1)?.id).toBe(idOf('second'));
		expect(setup.sandbox.stats().starts.total).toBe(2);
	});
});

describe('Execute Once', () => {
	it('passes all items on at Max Wait, the first with its job, the others with the reason', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 60_000 });
		const settings = { items: [{ n: 1 }, { n: 2 }], node: { executeOnce: true } };
		const suspended = await setup.run(suspendingCrawl(setup.sandbox), settings);
		const passedOn = await setup.host.timeIsUp(suspended.executionId);
		const [jobId] = startedIds(setup.sandbox);
		expect(jsonOf(passedOn.items(NODE))).toEqual([
			{ n: 1, suspendedJob: { jobId, collectWith: 'Crawl · Get' } },
			{
				n: 2,
				suspendedJob: { reason: 'This node has Execute Once: it uses the first item only.' },
			},
		]);
	});
});

describe('what is shown while it is suspended', () => {
	it('is each item with its job, or with the reason why it has none, in order', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 60_000 });
		const body = { success: false, error: 'The URL is not one that can be crawled' };
		const refused = { kind: 'body', step: 'crawlStart', httpStatus: 400, times: 1, body } as const;
		setup.sandbox.faults.add(refused);
		const suspended = await setup.run(suspendingCrawl(setup.sandbox, { pageLimit: '={{ $json.n }}' }), {
			items: [{ n: 1 }, { n: 2 }],
			node: { onError: 'continueRegularOutput' },
		});
		const shown = suspended.items(NODE).map(({ json, pairedItem }) => ({ json, pairedItem }));
		expect(shown).toEqual([
			{
				json: { suspendedJob: { reason: expect.stringContaining(body.error) as unknown } },
				pairedItem: { item: 0 },
			},
			{
				json: { suspendedJob: { jobId: startedIds(setup.sandbox)[0], collectWith: 'Crawl · Get' } },
				pairedItem: { item: 1 },
			},
		]);
	});
});

const waits = (...values: Array<string | boolean>) => values.map((w) => ({ w }));

const asked = { waitForCompletion: '={{ $json.w }}' };

it('one item that holds holds all, and a hint says which', async () => {
	setup = await openWaitingSetup({ jobDurationMs: 300 });
	const ended = await setup.run(suspendingCrawl(setup.sandbox, asked), {
		items: waits('free', true),
	});
	expect(ended.run.status).toBe('success');
	expect(ended.items(NODE)).toHaveLength(6);
	expect(hintsIn(ended)).toContain(
		'Waiting in the background was not possible, so the node kept running: item 1 asks to hold it.',
	);
	expect(setup.sandbox.stats().starts.total).toBe(2);
});

it('where the execution has no id, nobody could call it: it is held, and a hint says why', async () => {
	setup = await openWaitingSetup({ jobDurationMs: 300 });
	const options = await executionOptions(setup.sandbox, suspendingCrawl(setup.sandbox));
	const ended = await setup.host.run({
		...options,
		executionId: '',
		pinData: { Items: [{ json: {} }] },
	});
	expect(ended.items(NODE)).toHaveLength(3);
	expect(hintsIn(ended)).toContain(
		'Waiting in the background was not possible, so the node kept running: n8n has no address at which this execution can be called.',
	);
});

it('an item that is not waited for does not hold the others, and puts out its start', async () => {
	setup = await openWaitingSetup({ jobDurationMs: 400 });
	const url = `=${setup.sandbox.siteUrl}/?wait={{ $json.w }}`;
	const parameters = suspendingCrawl(setup.sandbox, { ...asked, url });
	const suspended = await setup.run(parameters, { items: waits('free', false) });
	expect(suspended.run.status).toBe('waiting');
	const ended = await setup.host.ended(suspended.executionId);
	// The two starts are on their way side by side: either may arrive first.
	const { list } = setup.sandbox.stats().starts;
	const unwatched = list.find(({ query }) => query.includes('wait=false'));
	expect(ended.items(NODE)).toHaveLength(4);
	expect(jsonOf(ended.items(NODE)).at(-1)).toMatchObject({ id: unwatched?.id });
	expect(list).toHaveLength(2);
});

it.each([1, 2])(
	'once a start was refused with its webhook, no other asks for a call, %i at once',
	async (concurrency) => {
		setup = await openWaitingSetup({ jobDurationMs: 300 });
		const body = { success: false, error: 'Unrecognized key in body: webhook' };
		setup.sandbox.faults.add({ kind: 'body', step: 'crawlStart', httpStatus: 400, times: 1, body });
		const crawl = suspendingCrawl(setup.sandbox, {
			options: { waitOptions: { maxJobsAtOnce: concurrency } },
		});
		const ended = await setup.run(crawl, { items: waits('a', 'b', 'c', 'd', 'e') });
		expect(ended.items(NODE)).toHaveLength(15);
		const { starts, calls } = setup.sandbox.stats();
		expect([starts.total, calls.crawlStart]).toEqual([5, 6]);
		// What was on its way with the one that was refused.
		expect(setup.host.calls.length).toBeLessThan(concurrency);
	},
);
