import { runFast } from './fastClock';
import { freedCrawl, openLot } from './parking';
import type { Lot } from './parking';
import { executionOptions, hintsIn, jsonOf, NODE } from './research';

runFast(5);

let lot: Lot;
afterEach(async () => await lot.stop());

const waits = (...values: Array<string | boolean>) => values.map((w) => ({ w }));
const asked = { waitForCompletion: '={{ $json.w }}' };
const goesOn = { onError: 'continueRegularOutput' } as const;

it('one item that holds holds all, and a hint says which', async () => {
	lot = await openLot({ jobDurationMs: 300 });
	const ended = await lot.run(freedCrawl(lot.sandbox, asked), { items: waits('free', true) });
	expect(ended.run.status).toBe('success');
	expect(ended.items(NODE)).toHaveLength(6);
	expect(hintsIn(ended)).toContain(
		'Waiting in the background was not possible, so the node kept running: item 1 asks to hold it.',
	);
	expect(lot.sandbox.stats().starts.total).toBe(2);
});

it('nothing is said of freeing where it is freed, or not asked for', async () => {
	lot = await openLot({ jobDurationMs: 300 });
	expect(hintsIn(await lot.runToEnd(freedCrawl(lot.sandbox)))).not.toMatch(
		/Waiting in the background/,
	);
	const held = await lot.run(freedCrawl(lot.sandbox, { waitForCompletion: true }));
	expect(hintsIn(held)).not.toMatch(/Waiting in the background/);
});

it('where the execution has no id, nobody could call it: it is held, and a hint says why', async () => {
	lot = await openLot({ jobDurationMs: 300 });
	const options = await executionOptions(lot.sandbox, freedCrawl(lot.sandbox));
	const ended = await lot.host.run({
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
	lot = await openLot({ jobDurationMs: 400 });
	const url = `=${lot.sandbox.siteUrl}/?wait={{ $json.w }}`;
	const parameters = freedCrawl(lot.sandbox, { ...asked, url });
	const parked = await lot.run(parameters, { items: waits('free', false) });
	expect(parked.run.status).toBe('waiting');
	const ended = await lot.host.ended(parked.executionId);
	// The two starts are on their way side by side: either may arrive first.
	const { list } = lot.sandbox.stats().starts;
	const unwatched = list.find(({ query }) => query.includes('wait=false'));
	expect(ended.items(NODE)).toHaveLength(4);
	expect(jsonOf(ended.items(NODE)).at(-1)).toMatchObject({ id: unwatched?.id });
	expect(list).toHaveLength(2);
});

it.each([
	[400, 'The URL is not one that can be crawled'],
	[403, 'This key may have no webhook'],
])(
	'a start that is refused with %i, "%s", is not sent without its webhook',
	async (httpStatus, error) => {
		lot = await openLot({ jobDurationMs: 300 });
		const body = { success: false, error };
		lot.sandbox.faults.add({ kind: 'body', step: 'crawlStart', httpStatus, times: 1, body });
		const ended = await lot.run(freedCrawl(lot.sandbox), { node: goesOn });
		const [item] = jsonOf(ended.items(NODE));
		expect(String(item?.error)).toContain(error);
		expect(lot.sandbox.stats().starts.total).toBe(0);
		expect(hintsIn(ended)).not.toMatch(/Waiting in the background/);
	},
);

it('one start that is refused with its webhook holds all, those that the service would call for too', async () => {
	lot = await openLot({ jobDurationMs: 1500 });
	const body = { success: false, error: 'Unrecognized key in body: webhook' };
	lot.sandbox.faults.add({ kind: 'body', step: 'crawlStart', httpStatus: 400, times: 1, body });
	const ended = await lot.run(freedCrawl(lot.sandbox), { items: waits('a', 'b') });
	expect(ended.run.status).toBe('success');
	expect(ended.items(NODE)).toHaveLength(6);
	expect(hintsIn(ended)).toContain('the service refuses to call n8n');
	expect(lot.sandbox.stats().starts.total).toBe(2);
});

it.each([1, 2])(
	'once a start was refused with its webhook, no other asks for a call, %i at once',
	async (concurrency) => {
		lot = await openLot({ jobDurationMs: 300 });
		const body = { success: false, error: 'Unrecognized key in body: webhook' };
		lot.sandbox.faults.add({ kind: 'body', step: 'crawlStart', httpStatus: 400, times: 1, body });
		const crawl = freedCrawl(lot.sandbox, {
			options: { waitOptions: { maxJobsAtOnce: concurrency } },
		});
		const ended = await lot.run(crawl, { items: waits('a', 'b', 'c', 'd', 'e') });
		expect(ended.items(NODE)).toHaveLength(15);
		const { starts, calls } = lot.sandbox.stats();
		expect([starts.total, calls.crawlStart]).toEqual([5, 6]);
		// What was on its way with the one that was refused.
		expect(lot.host.calls.length).toBeLessThan(concurrency);
	},
);

it('an execution that was woken for jobs that cannot be read ends, and names them', async () => {
	lot = await openLot({ jobDurationMs: 300 });
	lot.sandbox.faults.add({
		kind: 'status',
		httpStatus: 403,
		step: 'crawlStatus',
		error: 'Not now',
	});
	const ended = await lot.runToEnd(freedCrawl(lot.sandbox), { node: goesOn });
	const [job] = lot.sandbox.stats().starts.list;
	const [item] = jsonOf(ended.items(NODE));
	expect(JSON.stringify(item)).toContain(job?.id);
	expect(lot.host.calls.filter(({ woke }) => woke)).toHaveLength(1);
});
