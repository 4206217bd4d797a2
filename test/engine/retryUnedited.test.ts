import type { INodeParameters } from 'n8n-workflow';
import type { Execution } from '../../tools/n8n-engine/index.ts';
import {
	after,
	batchStart,
	crawlStart,
	errorText,
	hintsIn,
	hintsOf,
	jsonOf,
	KEY,
	NODE,
	RETRY,
	retryNode,
	runNode,
	sourceItems,
	startSandbox,
	urlsOf,
} from './run';
import type { RunSettings } from './run';
import { serve, service } from './pageService';
import type { PageServiceParts } from './pageService';
import { createSession } from './browserRun';
import { MonitorService } from './monitorService';

/** While true, no job can be checked. */
let isRefusing: boolean;
const site = (name: string) => `https://site.example/${name}`;
const items = (...names: string[]) => names.map((name) => ({ url: site(name) }));
const MOVING = '={{ $json.url }}-{{ Math.random() }}';

/** An execution that starts its jobs and fails when it checks them. */
async function failing(
	parameters: INodeParameters,
	run: RunSettings,
	parts: PageServiceParts = {},
): Promise<Execution> {
	isRefusing = true;
	await serve({
		...parts,
		instead: ({ method }) =>
			method === 'GET' && isRefusing ? { status: 403, body: { error: 'Forbidden' } } : undefined,
	});
	const failed = await runNode(service, parameters, run);
	expect(failed.error).toBeDefined();
	return failed;
}

const asked = () => [...service.jobs.values()].map(({ body }) => body.url ?? body.urls);

describe('Retry of a failed execution in which nothing was edited', () => {
	it('takes up the job of each item, although an expression differs each time', async () => {
		const parameters = crawlStart({ url: MOVING });
		const failed = await failing(parameters, { items: items('a', 'b') });
		const again = await retryNode(service, failed, parameters);
		expect(again.error).toBeDefined();
		isRefusing = false;
		const retried = await retryNode(service, again, parameters);
		expect(service.count('POST')).toBe(2);
		expect(urlsOf(retried.items(NODE))).toEqual(asked());
		expect(sourceItems(retried.items(NODE))).toEqual([0, 1]);
		expect(hintsOf(retried).join(' ')).toContain('Reused 2 jobs from an earlier try');
		expect(hintsOf(retried).join(' ')).not.toContain('something else');
		expect(retried.context(NODE)).toMatchObject({ webDataJobs: {} });
	});

	it('takes up the batch with the same items, although the URLs differ each time', async () => {
		const parameters = batchStart({ url: MOVING });
		const failed = await failing(parameters, { items: items('a', 'b', 'c') });
		isRefusing = false;
		const retried = await retryNode(service, failed, parameters);
		expect(retried.error).toBeUndefined();
		expect(service.count('POST')).toBe(1);
		expect(urlsOf(retried.items(NODE))).toEqual(asked()[0]);
		expect(sourceItems(retried.items(NODE))).toEqual([0, 1, 2]);
	});

	it('takes up the batch of items that ask for something different by now', async () => {
		const later = Date.now() + 60_000;
		const parameters = batchStart({
			scrapeOptions: { waitFor: `={{ Date.now() < ${later} ? 1000 : 2000 + 500 * $itemIndex }}` },
		});
		const failed = await failing(parameters, { items: items('a', 'b', 'c') });
		isRefusing = false;
		await after(60_000);
		const retried = await retryNode(service, failed, parameters);
		expect([errorText(retried), urlsOf(retried.items(NODE))]).toEqual(['', asked()[0]]);
		expect(service.count('POST')).toBe(1);
	});

	it('starts a job again after a parameter was edited, and keeps it from then on', async () => {
		const parameters = crawlStart({ url: MOVING });
		const failed = await failing(parameters, { items: items('a') });
		const edited = crawlStart({ url: `${MOVING}-edited` });
		const other = await retryNode(service, failed, edited, { node: { parameters: edited } });
		expect(other.error).toBeDefined();
		isRefusing = false;
		const retried = await retryNode(service, other, edited);
		expect(urlsOf(retried.items(NODE))).toEqual([asked()[1]]);
		expect(service.count('POST')).toBe(2);
		expect(hintsOf(retried).join(' ')).toMatch(/did not use 1 job .*job-0/);
	});

	it('puts out what was started without waiting, as it was asked for first', async () => {
		let refusals = 1;
		await serve({
			instead: ({ method, body }) =>
				method === 'POST' && String(body.url).includes('/b-') && refusals-- > 0
					? { status: 403, body: { error: 'Forbidden' } }
					: undefined,
		});
		const parameters = crawlStart({ url: MOVING, waitForCompletion: false });
		const failed = await runNode(service, parameters, { items: items('a', 'b') });
		expect(failed.error).toBeDefined();
		const retried = await retryNode(service, failed, parameters);
		const out = jsonOf(retried.items(NODE));
		expect(out.map(({ url }) => url)).toEqual(asked());
		expect(service.jobs.size).toBe(2);
	});
});

// Retry On Fail does nothing twice that an earlier try has done: what is deleted is gone, code has its effects.

const FAILS_ONCE = { kind: 'status', httpStatus: 500, skip: 1, times: 1 } as const;

it('deletes no monitor twice when one of several fails', async () => {
	const service = await MonitorService.start({ keys: [KEY] });
	const items: Array<{ id: string }> = [];
	for (const name of ['a', 'b', 'c']) items.push({ id: await service.created(name) });
	service.sandbox.faults.add({ step: 'monitor', ...FAILS_ONCE });
	const parameters = { resource: 'monitor', operation: 'delete', monitorId: '={{ $json.id }}' };
	const execution = await runNode(service.sandbox, parameters, { items, node: RETRY });
	expect(execution.error).toBeUndefined();
	expect(jsonOf(execution.items(NODE))).toHaveLength(3);
	expect(hintsIn(execution)).toContain('of an earlier try instead of asking for');
});

it('runs no code twice when that of one item fails', async () => {
	const sandbox = await startSandbox({ lightWork: true, keys: [KEY] });
	const created = await runNode(sandbox, createSession(), {
		items: ['a', 'b', 'c'].map((q) => ({ q })),
	});
	const items = jsonOf(created.items(NODE)).map(({ id }) => ({ id: String(id) }));
	sandbox.faults.add({ step: 'browserExecute', ...FAILS_ONCE });
	const execution = await runNode(
		sandbox,
		{
			resource: 'browser',
			operation: 'runCode',
			sessionId: '={{ $json.id }}',
			code: "console.log('one')",
		},
		{ items, node: RETRY },
	);
	expect(execution.error).toBeUndefined();
	expect(jsonOf(execution.items(NODE)).map(({ result }) => result)).toEqual(['one', 'one', 'one']);
	expect(sandbox.stats().calls.browserExecute).toBe(4);
});

it('a batch of one item has its page in the Retry, although an expression differs each time', async () => {
	const moving = batchStart({ url: MOVING });
	const failed = await failing(moving, { items: items('a') });
	isRefusing = false;
	const retried = await retryNode(service, failed, moving);
	expect(retried.items(NODE)).toHaveLength(1);
	expect(service.count('POST')).toBe(1);
});

it('starts again what names a variable of n8n that was edited', async () => {
	const parameters = crawlStart({ url: '={{ $vars.site }}' });
	const failed = await failing(parameters, { variables: { site: site('old') } });
	isRefusing = false;
	const same = await retryNode(service, failed, parameters, { variables: { site: site('old') } });
	expect(service.count('POST')).toBe(1);
	expect(same.error).toBeUndefined();
	await retryNode(service, failed, parameters, { variables: { site: site('new') } });
	expect(asked()).toEqual([site('old'), site('new')]);
});
