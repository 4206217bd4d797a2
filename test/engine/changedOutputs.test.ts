import type { IDataObject } from 'n8n-workflow';
import type { INodeParameters } from 'n8n-workflow';

import { DataTables } from '../../tools/n8n-engine/index.ts';
import { changedCrawl, ChangedSite, told } from './changedSite';
import { batchStart, hintsOf, NODE } from './run';

let site: ChangedSite;

beforeEach(async () => {
	site = await ChangedSite.open();
});

describe('Only New and Changed Pages of other outputs', () => {
	it('are the pages in the file and in the list of the job', async () => {
		for (const output of ['file', 'job']) {
			site.tables = new DataTables();
			site.write('b', 'Text of b');
			const asked = changedCrawl({}, { output });
			await site.run(asked);
			site.write('b', `Another text for ${output}`);
			const [item] = (await site.run(asked)).items(NODE);
			if (output === 'file') expect(item?.json).toMatchObject({ pagesInFile: 1 });
			else {
				const [page, ...others] = (item?.json.pages ?? []) as IDataObject[];
				expect(others).toEqual([]);
				expect(page).toMatchObject({ url: `${site.home}b`, change: 'changed' });
				// What is read at a glance stands before the text.
				expect(Object.keys(page ?? {}).at(-1)).toBe('markdown');
			}
		}
	});

	it('of Batch Scrape go to the items that asked for them', async () => {
		const items = ['a', 'b', 'c'].map((name) => ({ url: `${site.home}${name}` }));
		const batch = batchStart({ options: { onlyChanged: true } });
		expect(await site.told(batch, { items })).toHaveLength(3);
		site.write('b', 'Another text');
		site.statusCodes.set(`${site.home}c`, 404);
		const second = await site.run(batch, { items });
		expect(told(second)).toEqual(['b changed', 'c gone']);
		expect(second.items(NODE).map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 2 }]);
		// What is not asked for is not gone.
		expect(await site.told(batch, { items: items.slice(0, 1) })).toEqual([]);
		expect(await site.told(batch, { items: items.slice(0, 2) })).toEqual([]);
	});

	it('of Get are compared with the last job that was collected, without absent ones', async () => {
		const get = (jobId: string) =>
			({
				resource: 'crawl',
				operation: 'get',
				jobId,
				options: { onlyChanged: true },
			}) as INodeParameters;
		await site.run(changedCrawl());
		expect(await site.told(get('job-0'))).toHaveLength(4);
		site.write('b', 'Another text');
		site.remove('c');
		await site.run(changedCrawl());
		expect(await site.told(get('job-1'))).toEqual(['b changed']);
	});

	it('beyond 10,000 are returned in every run, and a hint says so', async () => {
		site.pages = new Map(Array.from({ length: 10_003 }, (_unused, at) => [`${site.home}${at}`, `Text ${at}`]));
		const many = changedCrawl({}, { pageLimit: 20_000 });
		const first = await site.run(many);
		expect(first.items(NODE)).toHaveLength(10_003);
		expect(Buffer.byteLength(JSON.stringify(site.remembered))).toBeLessThan(1_000_000);
		for (let at = 0; at < 100; at += 1) site.write(`${at * 100}`, 'Another text');
		const second = await site.run(many);
		const changes = second.items(NODE).map(({ json }) => json.change);
		expect(changes.filter((change) => change === 'changed')).toHaveLength(100);
		expect(changes.filter((change) => change === 'unknown')).toHaveLength(3);
		expect(changes).toHaveLength(103);
		expect(hintsOf(second).join(' ')).toContain('3 pages cannot be compared');
	});

	it('are told by the try that follows one that failed', async () => {
		const items = ['a', 'b'].map((name) => ({ url: `${site.home}${name}` }));
		const batch = batchStart({ options: { onlyChanged: true } });
		site.service.instead = ({ method, path }, count) =>
			method === 'GET' && path.includes('batch') && count < 4
				? { status: 403, body: { error: 'Forbidden' } }
				: undefined;
		const node = { retryOnFail: true, maxTries: 5, waitBetweenTries: 1 };
		expect(await site.told(batch, { items, node })).toEqual(['a new', 'b new']);
		expect(site.service.count('POST')).toBe(1);
		expect(await site.told(batch, { items, node })).toEqual([]);
	});
});
