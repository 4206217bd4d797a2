import type { FaultRule } from '../../sandbox/control/faultRule.ts';
import { runFast } from './fastClock';
import { freedCrawl, openLot } from './parking';
import type { Lot } from './parking';
import { errorText, hintsIn, jsonOf, NODE } from './research';

runFast(5);

let lot: Lot;
afterEach(async () => await lot.stop());

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
	] as const)(
		'starts no more jobs than it has tries: %s, %i tries, %j',
		async (onError, maxTries, fault) => {
			lot = await openLot({ lightWork: true, jobDurationMs: 50 });
			lot.sandbox.faults.add(fault);
			const node = { onError, ...tries(maxTries) };
			const ended = await lot.runToEnd(freedCrawl(lot.sandbox), { node });
			expect(lot.sandbox.stats().starts.total).toBe(maxTries);
			expect(lot.host.calls.filter(({ woke }) => woke)).toHaveLength(1);
			const items = [0, 1].flatMap((output) => jsonOf(ended.items(NODE, output)));
			const told = [errorText(ended), ...items.map(({ error }) => String(error))].join(' ');
			expect(told).toMatch(/No luck|was cancelled|without a page/);
		},
	);

	it('has the results of all items in the end, and says why its second try was held', async () => {
		lot = await openLot({ lightWork: true, jobDurationMs: 50 });
		lot.sandbox.faults.add({ ...fails, query: 'n-0', times: 1 });
		const crawl = freedCrawl(lot.sandbox, { url: '=https://site.example/n-{{ $json.n }}' });
		const node = { onError: 'continueRegularOutput', ...tries(2) } as const;
		const ended = await lot.runToEnd(crawl, { items: [{ n: 0 }, { n: 1 }], node });
		expect(ended.items(NODE)).toHaveLength(6);
		expect(lot.sandbox.stats().starts.total).toBe(3);
		expect(hintsIn(ended)).toContain(
			'Waiting in the background was not possible, so the node kept running: this is a further try of Retry On Fail, whose tries n8n counts again after each wait.',
		);
		expect(JSON.stringify(ended.context(NODE))).not.toContain('webDataParked');
	});

	it('keeps to Max Credits over its wait: a job that failed is counted', async () => {
		lot = await openLot({ lightWork: true, jobDurationMs: 50 });
		lot.sandbox.faults.add(fails);
		const crawl = freedCrawl(lot.sandbox, { options: { maxCredits: 3 } });
		const ended = await lot.runToEnd(crawl, { node: tries(3) });
		expect(lot.sandbox.stats().starts.total).toBe(1);
		expect(errorText(ended)).toContain('counted already for what this execution has started');
	});
});
