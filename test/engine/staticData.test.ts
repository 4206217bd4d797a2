import type { IDataObject } from 'n8n-workflow';

import { ProcessedItems } from '../../tools/n8n-engine/index.ts';
import { changedCrawl, ChangedSite, told } from './changedSite';
import { startSandbox } from './run';
import { retryResearch, runResearch } from './webResearchRun';

/** What other nodes and n8n's triggers remember in the same workflow: it is written back whole. */
const OTHERS: IDataObject = { global: { count: 3 }, 'node:Schedule': { recurrenceRules: [7] } };

const Q = 'Zippo, Rolla and Kixx scooters?';
const NEWS = { report: 'news', historyName: '', whenNothingNew: 'item', options: { pagesPerSite: 5 } };

describe('What n8n stores with the workflow', () => {
	it.each([
		['all is told', {}],
		['it tells what is new', NEWS],
	])('is not touched by a Retry of a research that was given none of it: %s', async (_what, parameters) => {
		const sandbox = await startSandbox({ seed: 1 });
		const processed = new ProcessedItems();
		const settings = { parameters, items: [{ q: Q }], mode: 'trigger' as const, staticData: OTHERS, processed };
		sandbox.faults.add({ step: 'model', kind: 'status', httpStatus: 401 });
		const failed = await runResearch(sandbox, settings);
		expect(failed.error).toBeDefined();
		expect(failed.staticData).toBeUndefined();
		sandbox.faults.clear();
		const retried = await retryResearch(sandbox, failed, { ...settings, original: true });
		expect(retried.error).toBeUndefined();
		expect(retried.staticData).toBeUndefined();
	});

	it('is not touched by a research that remembers nothing, also on a worker', async () => {
		const sandbox = await startSandbox({ seed: 1 });
		const settings = { items: [{ q: Q }], mode: 'trigger' as const, staticData: OTHERS };
		for (const onWorker of [false, true]) {
			expect((await runResearch(sandbox, { ...settings, onWorker })).staticData).toBeUndefined();
		}
	});

	it.each([[true], [false]])('is not touched by a Retry of a crawl for what is new: original %s', async (original) => {
		const site = await ChangedSite.open();
		site.tables = undefined;
		await site.run();
		site.write('b', 'Another text');
		site.state = 'failed';
		const failed = await site.run();
		expect(failed.error).toBeDefined();
		site.state = 'completed';
		const retried = await site.retry(failed, changedCrawl(), { original });
		expect(retried.error).toBeUndefined();
		expect(told(retried)).toHaveLength(original ? 4 : 1);
		expect(retried.staticData).toBeUndefined();
	});
});
