import type { FaultRule } from '../../sandbox/control/faultBook.ts';
import { openWaitingSetup, suspendingCrawl } from './suspension';
import type { WaitingSetup } from './suspension';
import { errorText, hintsIn, jsonOf, NODE, retryNode } from './run';

let setup: WaitingSetup;

const tries = (maxTries: number) => ({ retryOnFail: true, maxTries, waitBetweenTries: 0 });

const fails: FaultRule = { kind: 'failJob', step: 'crawlStart', error: 'No luck' };

const ends = (status: string): FaultRule => ({
	kind: 'body',
	step: 'crawlStatus',
	body: { success: true, status, total: 0, completed: 0, data: [] },
});

describe('a freed execution with Retry On Fail', () => {
	it.each([
		['continueRegularOutput', 2, fails],
		['continueErrorOutput', 2, fails],
		['continueRegularOutput', 3, ends('cancelled')],
		['continueErrorOutput', 2, ends('completed')],
		['stopWorkflow', 3, fails],
	] as const)('starts no more jobs than it has tries: %s, %i tries, %j', async (onError, maxTries, fault) => {
		setup = await openWaitingSetup({ lightWork: true, jobDurationMs: 50 });
		setup.sandbox.faults.add(fault);
		const node = { onError, ...tries(maxTries) };
		const ended = await setup.runToEnd(suspendingCrawl(setup.sandbox), { node });
		expect(setup.sandbox.stats().starts.total).toBe(maxTries);
		expect(setup.host.calls.filter(({ woke }) => woke)).toHaveLength(1);
		const items = [0, 1].flatMap((output) => jsonOf(ended.items(NODE, output)));
		const told = [errorText(ended), ...items.map(({ error }) => String(error))].join(' ');
		expect(told).toMatch(/No luck|was cancelled|without a page/);
	});

	it('has the results of all items in the end, and says why its second try was held', async () => {
		setup = await openWaitingSetup({ lightWork: true, jobDurationMs: 50 });
		setup.sandbox.faults.add({ ...fails, query: 'n-0', times: 1 });
		const crawl = suspendingCrawl(setup.sandbox, { url: '=https://site.example/n-{{ $json.n }}' });
		const node = { onError: 'continueRegularOutput', ...tries(2) } as const;
		const ended = await setup.runToEnd(crawl, { items: [{ n: 0 }, { n: 1 }], node });
		expect(ended.items(NODE)).toHaveLength(6);
		expect(setup.sandbox.stats().starts.total).toBe(3);
		expect(hintsIn(ended)).toContain(
			'Waiting in the background was not possible, so the node kept running: this is a further try of Retry On Fail, whose tries n8n counts again after each wait.',
		);
		expect(JSON.stringify(ended.context(NODE))).not.toContain('webDataSuspended');
	});

	it('keeps to Max Credits over its wait: a job that failed is counted', async () => {
		setup = await openWaitingSetup({ lightWork: true, jobDurationMs: 50 });
		setup.sandbox.faults.add(fails);
		const crawl = suspendingCrawl(setup.sandbox, { options: { maxCredits: 3 } });
		const ended = await setup.runToEnd(crawl, { node: tries(3) });
		expect(setup.sandbox.stats().starts.total).toBe(1);
		expect(errorText(ended)).toContain('counted already for what this execution has started');
	});
});

const MOVING = '=https://site.example/{{ $json.n }}-{{ Math.random() }}';

const run = { items: [{ n: 0 }, { n: 1 }] };

describe('Retry of a suspended execution that failed after it was resumed', () => {
	it('takes up its jobs, although an expression differs each time', async () => {
		setup = await openWaitingSetup({ lightWork: true, jobDurationMs: 50 });
		const crawl = suspendingCrawl(setup.sandbox, { url: MOVING });
		const mend = setup.sandbox.faults.add({
			kind: 'status',
			httpStatus: 403,
			error: 'No',
			step: 'crawlStatus',
		});
		const failed = await setup.runToEnd(crawl, run);
		expect(failed.error).toBeDefined();
		mend();
		const retried = await retryNode(setup.sandbox, failed, crawl);
		expect(errorText(retried)).toBe('');
		expect(retried.items(NODE).length).toBeGreaterThan(0);
		expect(setup.sandbox.stats().starts.total).toBe(2);
	});
});
