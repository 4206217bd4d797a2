import { retryFromStored } from '../../engine/index.ts';
import { suspendingCrawl, openWaitingSetup } from './suspension';
import type { WaitingSetup } from './suspension';
import { errorText, executionOptions, NODE } from './research';

let setup: WaitingSetup;
afterEach(async () => await setup.stop());

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
		const options = await executionOptions(setup.sandbox, crawl, {});
		const retried = await retryFromStored(failed, options);
		expect(errorText(retried)).toBe('');
		expect(retried.items(NODE).length).toBeGreaterThan(0);
		expect(setup.sandbox.stats().starts.total).toBe(2);
	});
});
