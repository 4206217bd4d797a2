import { suspendingCrawl, openWaitingSetup } from './suspension';
import type { WaitingSetup } from './suspension';
import { executionOptions, hintsIn, jsonOf, NODE } from './research';

let setup: WaitingSetup;
afterEach(async () => await setup.stop());

const waits = (...values: Array<string | boolean>) => values.map((w) => ({ w }));
const asked = { waitForCompletion: '={{ $json.w }}' };
const goesOn = { onError: 'continueRegularOutput' } as const;

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

it('nothing is said of freeing where it is freed, or not asked for', async () => {
	setup = await openWaitingSetup({ jobDurationMs: 300 });
	expect(hintsIn(await setup.runToEnd(suspendingCrawl(setup.sandbox)))).not.toMatch(/Waiting in the background/);
	const held = await setup.run(suspendingCrawl(setup.sandbox, { waitForCompletion: true }));
	expect(hintsIn(held)).not.toMatch(/Waiting in the background/);
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

it.each([
	[400, 'The URL is not one that can be crawled'],
	[403, 'This key may have no webhook'],
])('a start that is refused with %i, "%s", is not sent without its webhook', async (httpStatus, error) => {
	setup = await openWaitingSetup({ jobDurationMs: 300 });
	const body = { success: false, error };
	setup.sandbox.faults.add({ kind: 'body', step: 'crawlStart', httpStatus, times: 1, body });
	const ended = await setup.run(suspendingCrawl(setup.sandbox), { node: goesOn });
	const [item] = jsonOf(ended.items(NODE));
	expect(String(item?.error)).toContain(error);
	expect(setup.sandbox.stats().starts.total).toBe(0);
	expect(hintsIn(ended)).not.toMatch(/Waiting in the background/);
});

it('one start that is refused with its webhook holds all, those that the service would call for too', async () => {
	setup = await openWaitingSetup({ jobDurationMs: 1500 });
	const body = { success: false, error: 'Unrecognized key in body: webhook' };
	setup.sandbox.faults.add({ kind: 'body', step: 'crawlStart', httpStatus: 400, times: 1, body });
	const ended = await setup.run(suspendingCrawl(setup.sandbox), { items: waits('a', 'b') });
	expect(ended.run.status).toBe('success');
	expect(ended.items(NODE)).toHaveLength(6);
	expect(hintsIn(ended)).toContain('the service refuses to call n8n');
	expect(setup.sandbox.stats().starts.total).toBe(2);
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

it('an execution that was woken for jobs that cannot be read ends, and names them', async () => {
	setup = await openWaitingSetup({ jobDurationMs: 300 });
	setup.sandbox.faults.add({
		kind: 'status',
		httpStatus: 403,
		step: 'crawlStatus',
		error: 'Not now',
	});
	const ended = await setup.runToEnd(suspendingCrawl(setup.sandbox), { node: goesOn });
	const [job] = setup.sandbox.stats().starts.list;
	const [item] = jsonOf(ended.items(NODE));
	expect(JSON.stringify(item)).toContain(job?.id);
	expect(setup.host.calls.filter(({ woke }) => woke)).toHaveLength(1);
});
