import { retryFromStored } from '../../engine/index.ts';
import { freedCrawl, openLot } from './parking';
import type { Lot } from './parking';
import { errorText, executionOptions, NODE } from './research';

let lot: Lot;
afterEach(async () => await lot.stop());

const MOVING = '=https://site.example/{{ $json.n }}-{{ Math.random() }}';
const run = { items: [{ n: 0 }, { n: 1 }] };

describe('Retry of a suspended execution that failed after it was resumed', () => {
	it('takes up its jobs, although an expression differs each time', async () => {
		lot = await openLot({ lightWork: true, jobDurationMs: 50 });
		const crawl = freedCrawl(lot.sandbox, { url: MOVING });
		const mend = lot.sandbox.faults.add({
			kind: 'status',
			httpStatus: 403,
			error: 'No',
			step: 'crawlStatus',
		});
		const failed = await lot.runToEnd(crawl, run);
		expect(failed.error).toBeDefined();
		mend();
		const options = await executionOptions(lot.sandbox, crawl, {});
		const retried = await retryFromStored(failed, options);
		expect(errorText(retried)).toBe('');
		expect(retried.items(NODE).length).toBeGreaterThan(0);
		expect(lot.sandbox.stats().starts.total).toBe(2);
	});
});
