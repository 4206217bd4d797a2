import { field, until } from '../sandbox/client';
import { hintsOf } from './pagesRun';
import { freedCrawl, openLot } from './parking';
import type { Lot } from './parking';
import { errorText, jsonOf, NODE, sourceItems } from './research';

let lot: Lot;
afterEach(async () => await lot.stop());

const startedIds = () => lot.sandbox.stats().starts.list.map(({ id }) => id);

/** The id of the job whose address has this word. */
const idOf = (word: string) =>
	lot.sandbox.stats().starts.list.find(({ query }) => query.includes(word))?.id;

describe('while jobs are started', () => {
	it('Cancel on Stop cancels those that run', async () => {
		lot = await openLot({ jobDurationMs: 60_000 });
		lot.sandbox.faults.add({ kind: 'rateLimit', step: 'crawlStart', skip: 2, retryAfter: 30 });
		const stop = new AbortController();
		const options = { waitOptions: { cancelOnStop: true } };
		const running = lot.run(freedCrawl(lot.sandbox, { pageLimit: '={{ $json.n }}', options }), {
			items: [{ n: 1 }, { n: 2 }, { n: 3 }],
			signal: stop.signal,
		});
		await until('a refused start', () => lot.sandbox.stats().requests > 2);
		stop.abort();
		const execution = await running;
		expect(errorText(execution)).toContain('Cancelled at the service');
		expect(lot.sandbox.stats()).toMatchObject({ starts: { total: 2 }, jobsRunning: 0 });
	});

	it('Cancel on Stop cancels them, too, while they are looked at before the execution is parked', async () => {
		lot = await openLot({ jobDurationMs: 60_000 });
		lot.sandbox.faults.add({ kind: 'slow', step: 'crawlStart', when: 'after', ms: 1100 });
		lot.sandbox.faults.add({ kind: 'slow', step: 'crawlStatus', ms: 5000 });
		const stop = new AbortController();
		const options = { waitOptions: { cancelOnStop: true } };
		const running = lot.run(freedCrawl(lot.sandbox, { options }), { signal: stop.signal });
		await until('the look', () => lot.sandbox.stats().requests > 1);
		stop.abort();
		expect(errorText(await running)).toContain('Cancelled at the service');
		expect(lot.sandbox.stats()).toMatchObject({ starts: { total: 1 }, jobsRunning: 0 });
	});

	it('a refusal that quotes an address with "webhook" in it is no refusal of the calls', async () => {
		lot = await openLot({ jobDurationMs: 60_000 });
		lot.sandbox.faults.add({
			kind: 'body',
			step: 'crawlStart',
			httpStatus: 400,
			query: 'webhooks-guide',
			body: { success: false, error: 'Invalid URL: https://docs.example/webhooks-guide[' },
		});
		const parked = await lot.run(freedCrawl(lot.sandbox, { url: '={{ $json.url }}' }), {
			items: [{ url: 'https://docs.example/webhooks-guide' }, { url: lot.sandbox.siteUrl }],
			node: { onError: 'continueRegularOutput' },
		});
		expect([parked.run.status, hintsOf(parked)]).toEqual(['waiting', []]);
		expect(jsonOf(parked.items(NODE))[0]).toMatchObject({
			parkedJob: { reason: expect.stringContaining('Invalid URL') as unknown },
		});
	});
});

describe('a job that is over while the plan holds up the start of another', () => {
	const pageLimit = '={{ $json.n }}';
	const items = [{ n: 1 }, { n: 2 }];
	const failing = { kind: 'failJob', step: 'crawlStart', times: 1, error: 'No luck' } as const;
	const holdUp = (retryAfter: number) => {
		lot.sandbox.faults.add({
			kind: 'rateLimit',
			step: 'crawlStart',
			skip: 1,
			times: 1,
			retryAfter,
		});
	};

	it('because it has failed, and its pages are wanted: is passed on at Max Wait', async () => {
		lot = await openLot({ jobDurationMs: ({ index }) => (index === 0 ? 200 : 60_000) });
		lot.sandbox.faults.add(failing);
		holdUp(2);
		const options = { waitOptions: { onFailure: 'output' } };
		const parked = await lot.run(freedCrawl(lot.sandbox, { pageLimit, options }), { items });
		const passedOn = await lot.host.timeIsUp(parked.executionId);
		const jobs = jsonOf(passedOn.items(NODE)).map((json) => field(json, 'parkedJob.jobId'));
		expect(jobs).toEqual(startedIds());
		expect(jobs).toHaveLength(2);
	});

	it('because its Max Wait has passed: is passed on with the others, or read when they are', async () => {
		lot = await openLot({ jobDurationMs: ({ index }) => (index === 0 ? 6000 : 2500) });
		holdUp(3);
		const maxWait = '={{ $json.n === 1 ? 1 : 60 }}';
		const options = { waitOptions: { maxWait, onTimeout: 'output' } };
		const parked = await lot.run(freedCrawl(lot.sandbox, { pageLimit, options }), { items });
		expect(parked.run.status).toBe('waiting');
		const jobs = jsonOf(parked.items(NODE)).map((json) => field(json, 'parkedJob.jobId'));
		expect(jobs).toEqual(startedIds());
		const ended = await lot.host.ended(parked.executionId);
		expect(errorText(ended)).toBe('');
		expect(sourceItems(ended.items(NODE))).toEqual([0, 1, 1]);
		expect(lot.sandbox.stats().starts.total).toBe(2);
	});
});

describe('an item with Do Not Wait beside one that is freed', () => {
	const mixed = { waitForCompletion: '={{ $json.wait }}', url: '={{ $json.url }}' };

	it('is not looked at when the execution is woken, so nothing is started again', async () => {
		lot = await openLot({ jobDurationMs: 500 });
		lot.sandbox.faults.add({
			kind: 'status',
			httpStatus: 404,
			step: 'crawlStatus',
			query: 'second',
			error: 'Job not found',
		});
		const items = [
			{ wait: 'free', url: lot.sandbox.siteUrl },
			{ wait: false, url: `${lot.sandbox.siteUrl}/?second` },
		];
		const ended = await lot.runToEnd(freedCrawl(lot.sandbox, mixed), { items });
		expect(errorText(ended)).toBe('');
		expect(jsonOf(ended.items(NODE)).at(-1)?.id).toBe(idOf('second'));
		expect(lot.sandbox.stats().starts.total).toBe(2);
	});

	it('is passed on at Max Wait with its own job, whatever stood there before', async () => {
		lot = await openLot({ jobDurationMs: 60_000 });
		const url = lot.sandbox.siteUrl;
		const items = [
			{ wait: 'free', url: `${url}/?first`, parkedJob: '' },
			{ wait: false, url: `${url}/?second`, parkedJob: 'of a node before' },
		];
		const parked = await lot.run(freedCrawl(lot.sandbox, mixed), { items });
		const passedOn = await lot.host.timeIsUp(parked.executionId);
		const jobs = jsonOf(passedOn.items(NODE)).map((json) => field(json, 'parkedJob.jobId'));
		expect(jobs).toEqual([idOf('first'), idOf('second')]);
	});
});

describe('Execute Once', () => {
	it('passes all items on at Max Wait, the first with its job, the others with the reason', async () => {
		lot = await openLot({ jobDurationMs: 60_000 });
		const settings = { items: [{ n: 1 }, { n: 2 }], node: { executeOnce: true } };
		const parked = await lot.run(freedCrawl(lot.sandbox), settings);
		const passedOn = await lot.host.timeIsUp(parked.executionId);
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
		lot = await openLot({ jobDurationMs: 400 });
		const settings = { items: [{ n: 1 }, { n: 2 }], node: { executeOnce: true } };
		const urlsOf = async (waitForCompletion: boolean | string) => {
			const ended = await lot.runToEnd(freedCrawl(lot.sandbox, { waitForCompletion }), settings);
			return jsonOf(ended.items(NODE)).map(({ url }) => url);
		};
		const freed = await urlsOf('free');
		expect(freed).toHaveLength(3);
		expect(freed).toEqual(await urlsOf(true));
	});
});

describe('what is shown while it is parked', () => {
	it('is each item with its job, or with the reason why it has none, in order', async () => {
		lot = await openLot({ jobDurationMs: 60_000 });
		const body = { success: false, error: 'The URL is not one that can be crawled' };
		const refused = { kind: 'body', step: 'crawlStart', httpStatus: 400, times: 1, body } as const;
		lot.sandbox.faults.add(refused);
		const parked = await lot.run(freedCrawl(lot.sandbox, { pageLimit: '={{ $json.n }}' }), {
			items: [{ n: 1 }, { n: 2 }],
			node: { onError: 'continueRegularOutput' },
		});
		const shown = parked.items(NODE).map(({ json, pairedItem }) => ({ json, pairedItem }));
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

describe('how long it is parked', () => {
	it('is the longest Max Wait of its items', async () => {
		lot = await openLot({ jobDurationMs: 60_000 });
		const options = { waitOptions: { maxWait: '={{ $json.seconds }}' } };
		const beganMs = Date.now();
		const { run } = await lot.run(freedCrawl(lot.sandbox, { options }), {
			items: [{ seconds: 900 }, { seconds: 3600 }, { seconds: 600 }],
		});
		const seconds = (Number(run.waitTill) - beganMs) / 1000;
		expect(Math.round(seconds / 60)).toBe(60);
	});
});

it('where the look before it parks tells nothing, it parks', async () => {
	lot = await openLot({ jobDurationMs: 60_000 });
	const { faults } = lot.sandbox;
	faults.add({ kind: 'slow', step: 'crawlStart', when: 'after', ms: 1100, times: 1 });
	faults.add({ kind: 'status', httpStatus: 404, step: 'crawlStatus', error: 'Job not found' });
	const { run } = await lot.run(freedCrawl(lot.sandbox));
	expect([run.status, lot.sandbox.stats().starts.total]).toEqual(['waiting', 1]);
});

it('where it is held, no start asks the service to call', async () => {
	lot = await openLot({ jobDurationMs: 300 });
	const items = [{ wait: 'free' }, { wait: true }];
	const parameters = freedCrawl(lot.sandbox, { waitForCompletion: '={{ $json.wait }}' });
	const { run } = await lot.run(parameters, { items });
	expect([run.status, lot.sandbox.webhooks.sent()]).toEqual(['success', []]);
});
