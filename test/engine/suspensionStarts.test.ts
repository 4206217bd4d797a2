import { field, until } from '../sandbox/client';
import { hintsOf } from './pagesRun';
import { suspendingCrawl, openWaitingSetup } from './suspension';
import type { WaitingSetup } from './suspension';
import { errorText, jsonOf, NODE, sourceItems } from './research';

let setup: WaitingSetup;
afterEach(async () => await setup.stop());

const startedIds = () => setup.sandbox.stats().starts.list.map(({ id }) => id);

/** The id of the job whose address has this word. */
const idOf = (word: string) => setup.sandbox.stats().starts.list.find(({ query }) => query.includes(word))?.id;

describe('while jobs are started', () => {
	it('Cancel on Stop cancels those that run', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 60_000 });
		setup.sandbox.faults.add({ kind: 'rateLimit', step: 'crawlStart', skip: 2, retryAfter: 30 });
		const stop = new AbortController();
		const options = { waitOptions: { cancelOnStop: true } };
		const running = setup.run(suspendingCrawl(setup.sandbox, { pageLimit: '={{ $json.n }}', options }), {
			items: [{ n: 1 }, { n: 2 }, { n: 3 }],
			signal: stop.signal,
		});
		await until('a refused start', () => setup.sandbox.stats().requests > 2);
		stop.abort();
		const execution = await running;
		expect(errorText(execution)).toContain('Cancelled at the service');
		expect(setup.sandbox.stats()).toMatchObject({ starts: { total: 2 }, jobsRunning: 0 });
	});

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
			parkedJob: { reason: expect.stringContaining('Invalid URL') as unknown },
		});
	});
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
		const jobs = jsonOf(passedOn.items(NODE)).map((json) => field(json, 'parkedJob.jobId'));
		expect(jobs).toEqual(startedIds());
		expect(jobs).toHaveLength(2);
	});

	it('because its Max Wait has passed: is passed on with the others, or read when they are', async () => {
		setup = await openWaitingSetup({ jobDurationMs: ({ index }) => (index === 0 ? 6000 : 2500) });
		holdUp(3);
		const maxWait = '={{ $json.n === 1 ? 1 : 60 }}';
		const options = { waitOptions: { maxWait, onTimeout: 'output' } };
		const suspended = await setup.run(suspendingCrawl(setup.sandbox, { pageLimit, options }), {
			items,
		});
		expect(suspended.run.status).toBe('waiting');
		const jobs = jsonOf(suspended.items(NODE)).map((json) => field(json, 'parkedJob.jobId'));
		expect(jobs).toEqual(startedIds());
		const ended = await setup.host.ended(suspended.executionId);
		expect(errorText(ended)).toBe('');
		expect(sourceItems(ended.items(NODE))).toEqual([0, 1, 1]);
		expect(setup.sandbox.stats().starts.total).toBe(2);
	});
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

	it('is passed on at Max Wait with its own job, whatever stood there before', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 60_000 });
		const url = setup.sandbox.siteUrl;
		const items = [
			{ wait: 'free', url: `${url}/?first`, parkedJob: '' },
			{ wait: false, url: `${url}/?second`, parkedJob: 'of a node before' },
		];
		const suspended = await setup.run(suspendingCrawl(setup.sandbox, mixed), { items });
		const passedOn = await setup.host.timeIsUp(suspended.executionId);
		const jobs = jsonOf(passedOn.items(NODE)).map((json) => field(json, 'parkedJob.jobId'));
		expect(jobs).toEqual([idOf('first'), idOf('second')]);
	});
});

describe('Execute Once', () => {
	it('passes all items on at Max Wait, the first with its job, the others with the reason', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 60_000 });
		const settings = { items: [{ n: 1 }, { n: 2 }], node: { executeOnce: true } };
		const suspended = await setup.run(suspendingCrawl(setup.sandbox), settings);
		const passedOn = await setup.host.timeIsUp(suspended.executionId);
		const [jobId] = startedIds();
		expect(jsonOf(passedOn.items(NODE))).toEqual([
			{ n: 1, parkedJob: { jobId, collectWith: 'Crawl · Get' } },
			{
				n: 2,
				parkedJob: { reason: 'This node has Execute Once: it uses the first item only.' },
			},
		]);
	});

	it('puts out when it is woken what holding does', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 400 });
		const settings = { items: [{ n: 1 }, { n: 2 }], node: { executeOnce: true } };
		const urlsOf = async (waitForCompletion: boolean | string) => {
			const ended = await setup.runToEnd(suspendingCrawl(setup.sandbox, { waitForCompletion }), settings);
			return jsonOf(ended.items(NODE)).map(({ url }) => url);
		};
		const freed = await urlsOf('free');
		expect(freed).toHaveLength(3);
		expect(freed).toEqual(await urlsOf(true));
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
				json: { parkedJob: { reason: expect.stringContaining(body.error) as unknown } },
				pairedItem: { item: 0 },
			},
			{
				json: { parkedJob: { jobId: startedIds()[0], collectWith: 'Crawl · Get' } },
				pairedItem: { item: 1 },
			},
		]);
	});
});

describe('how long it is suspended', () => {
	it('is the longest Max Wait of its items', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 60_000 });
		const options = { waitOptions: { maxWait: '={{ $json.seconds }}' } };
		const beganMs = Date.now();
		const { run } = await setup.run(suspendingCrawl(setup.sandbox, { options }), {
			items: [{ seconds: 900 }, { seconds: 3600 }, { seconds: 600 }],
		});
		const seconds = (Number(run.waitTill) - beganMs) / 1000;
		expect(Math.round(seconds / 60)).toBe(60);
	});
});

it('where the check before it suspends tells nothing, it suspends', async () => {
	setup = await openWaitingSetup({ jobDurationMs: 60_000 });
	const { faults } = setup.sandbox;
	faults.add({ kind: 'slow', step: 'crawlStart', when: 'after', ms: 1100, times: 1 });
	faults.add({ kind: 'status', httpStatus: 404, step: 'crawlStatus', error: 'Job not found' });
	const { run } = await setup.run(suspendingCrawl(setup.sandbox));
	expect([run.status, setup.sandbox.stats().starts.total]).toEqual(['waiting', 1]);
});

it('where it is held, no start asks the service to call', async () => {
	setup = await openWaitingSetup({ jobDurationMs: 300 });
	const items = [{ wait: 'free' }, { wait: true }];
	const parameters = suspendingCrawl(setup.sandbox, { waitForCompletion: '={{ $json.wait }}' });
	const { run } = await setup.run(parameters, { items });
	expect([run.status, setup.sandbox.webhooks.sent()]).toEqual(['success', []]);
});
