import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { pollingTrigger } from '../../tools/n8n-engine/index.ts';
import type { PollingTrigger } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { startScript } from '../helpers/script';
import type { ScriptedService } from '../helpers/script';
import { after, builtPackage, KEY, runNode, startSandbox } from './run';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ lightWork: true, jobDurationMs: 50 });
});

async function trigger(
	event: string,
	parameters: INodeParameters = {},
	staticData: IDataObject = {},
): Promise<PollingTrigger> {
	return pollingTrigger({
		package: await builtPackage(),
		credential: { baseUrl: sandbox.baseUrl, apiKey: KEY },
		nodeName: 'webDataPollTrigger',
		parameters: { event, ...parameters },
		staticData,
	});
}

const messageOf = async (work: Promise<unknown>): Promise<string> =>
	await work.then(
		() => '',
		(error: unknown) =>
			error instanceof Error
				? `${error.message}. ${'description' in error ? String(error.description) : ''}`
				: String(error),
	);

describe('New Pages on a Site', () => {
	const answer = (...paths: string[]) => {
		sandbox.faults.clear();
		const links = paths.map((path) => ({ url: `https://shop.test/${path}`, title: path }));
		sandbox.faults.add({
			step: 'map',
			kind: 'body',
			httpStatus: 200,
			body: { success: true, links },
		});
	};

	it('starts nothing at first, then once with each page that was not there', async () => {
		const polling = await trigger('newPages', { url: 'https://shop.test' });
		answer('a', 'b');
		expect(await polling.poll()).toBeUndefined();
		answer('a', 'c', 'b', 'd', 'c');
		expect((await polling.poll())?.map(({ json }) => json)).toEqual([
			{ url: 'https://shop.test/c', title: 'c' },
			{ url: 'https://shop.test/d', title: 'd' },
		]);
		answer('d', 'a');
		expect(await polling.poll()).toBeUndefined();
		// Away for a poll is not new.
		answer('b', 'd', 'a');
		expect(await polling.poll()).toBeUndefined();
	});

	it('is told of a page that differs from a known one in a number only', async () => {
		const polling = await trigger('newPages', { url: 'https://shop.test' });
		answer('article.pl?sid=12');
		await polling.poll();
		answer('article.pl?sid=12', 'article.pl?sid=13');
		expect((await polling.poll())?.map(({ json }) => json.url)).toEqual(['https://shop.test/article.pl?sid=13']);
	});

	it('goes on from what n8n has stored, and again when its settings change', async () => {
		const first = await trigger('newPages', { url: 'https://shop.test' });
		answer('a');
		await first.poll();
		answer('a', 'b');
		const again = await trigger('newPages', { url: 'https://shop.test' }, first.staticData());
		expect(await again.poll()).toHaveLength(1);
		const other = await trigger('newPages', { url: 'https://other.test' }, again.staticData());
		answer('x', 'y');
		expect(await other.poll()).toBeUndefined();
	});

	it('shows one page by hand and moves nothing', async () => {
		const polling = await trigger('newPages', { url: 'https://shop.test' });
		answer('a', 'b');
		expect(await polling.pollByHand()).toHaveLength(1);
		expect(polling.staticData()).toEqual({});
	});
});

describe('what goes wrong', () => {
	const down = () =>
		sandbox.faults.add({
			step: 'map',
			kind: 'body',
			httpStatus: 403,
			body: { error: 'Not today' },
		});

	it('is told when the workflow is activated, each time', async () => {
		const polling = await trigger('newPages', { url: 'https://shop.test' });
		down();
		expect(await messageOf(polling.poll())).toContain('Not today');
		expect(await messageOf(polling.poll())).toContain('Not today');
	});

	it('is told once later, and what changed meanwhile is not missed', async () => {
		const polling = await trigger('newPages', { url: sandbox.siteUrl, maxLinks: 5 });
		await polling.poll();
		down();
		expect(await messageOf(polling.poll())).toContain('Not today');
		expect(await polling.poll()).toBeUndefined();
		expect(await polling.poll()).toBeUndefined();
		sandbox.faults.clear();
		const links = [{ url: `${sandbox.siteUrl}/brand-new` }];
		sandbox.faults.add({
			step: 'map',
			kind: 'body',
			httpStatus: 200,
			body: { success: true, links },
		});
		expect(await polling.poll()).toHaveLength(1);
		down();
		sandbox.faults.clear();
		down();
		expect(await messageOf(polling.poll())).toContain('Not today');
	});

	it('bad input is said before anything is sent', async () => {
		expect(await messageOf((await trigger('newPages', { url: 'nowhere' })).poll())).toMatch(/URL/);
		const patterns = await trigger('pageChanged', { url: 'https://a.test', ignoredLines: '(' });
		expect(await messageOf(patterns.poll())).toMatch(/"Ignore Lines Matching".*\(/);
		const ids = await trigger('jobFinished', { which: 'ids', ids: 'a/b' });
		expect(await messageOf(ids.poll())).toMatch(/"Job IDs" contains something that is not an ID: a\/b/);
		expect(sandbox.stats().requests).toBe(0);
	});

	it('two polls at once are one', async () => {
		const polling = await trigger('newPages', { url: sandbox.siteUrl });
		await Promise.all([polling.poll(), polling.poll()]);
		expect(sandbox.stats().requests).toBe(1);
	});
});

describe('Page Changed', () => {
	let server: ScriptedService;
	let page: string;
	let status: number;
	let address: string;

	beforeAll(async () => {
		server = await startScript(() => ({
			status,
			headers: { 'content-type': 'text/html' },
			body: `<html><head><title>Prices</title></head><body><main>${page}</main></body></html>`,
		}));
		address = `${server.baseUrl}/prices`;
	});
	beforeEach(() => {
		status = 200;
		page = '<h1>Prices</h1><p>Tea 3</p><p>Cake 5</p><p>117 views</p>';
	});

	it('tells which lines came and went, and leaves those that are to be ignored', async () => {
		const polling = await trigger('pageChanged', { url: address, ignoredLines: '^\\d+ views$' });
		expect(await polling.poll()).toBeUndefined();
		page = page.replace('117', '118');
		expect(await polling.poll()).toBeUndefined();
		page = page.replace('Cake 5', 'Cake 6').replace('</h1>', '</h1><p>New: soup 4</p>');
		const [item, ...more] = (await polling.poll()) ?? [];
		expect(more).toEqual([]);
		expect(item?.json).toMatchObject({
			url: address,
			title: 'Prices',
			added: ['New: soup 4', 'Cake 6'],
			removed: ['Cake 5'],
		});
		expect(Object.keys(item?.json ?? {}).slice(0, 4)).toEqual(['url', 'title', 'added', 'removed']);
		expect(String(item?.json.markdown)).toContain('Cake 6');
		expect(await polling.poll()).toBeUndefined();
	});

	it('an error page is no change, and is told', async () => {
		const polling = await trigger('pageChanged', { url: address });
		await polling.poll();
		const before = polling.staticData();
		status = 503;
		page = 'Back soon';
		expect(await messageOf(polling.poll())).toContain('answered with 503');
		expect(polling.staticData().mark).toEqual(before.mark);
	});
});

describe('Job Finished', () => {
	const start = async (parameters: INodeParameters): Promise<string> => {
		const execution = await runNode(sandbox, { ...parameters, waitForCompletion: false });
		return String(execution.items('Web Data')[0]?.json.id);
	};
	const crawl = async () => await start({ resource: 'crawl', operation: 'start', url: sandbox.siteUrl, pageLimit: 2 });

	/** Polls until something has ended. */
	async function untilTold(polling: PollingTrigger) {
		for (let polls = 0; polls < 400; polls++) {
			await after(100);
			const items = await polling.poll();
			if (items) return items.map(({ json }) => json);
		}
		return [];
	}

	it('tells each job of the account once, when it has ended', async () => {
		const polling = await trigger('jobFinished');
		await crawl();
		expect(await polling.poll()).toBeUndefined();
		const id = await crawl();
		const told: IDataObject[] = [];
		while (!told.some((job) => job.id === id)) told.push(...(await untilTold(polling)));
		expect(told.find((job) => job.id === id)).toMatchObject({
			kind: 'Crawl',
			status: 'completed',
			target: expect.stringContaining('127.0.0.1'),
		});
		expect(new Set(told.map((job) => job.id)).size).toBe(told.length);
		expect(await polling.poll()).toBeUndefined();
	});

	it('watches a list of IDs; a job nobody knows is told as not found', async () => {
		const id = await crawl();
		const gone = '0197a0a0-0000-7000-8000-00000000dead';
		const polling = await trigger('jobFinished', { which: 'ids', ids: `${id}\n${gone}` });
		expect(await polling.poll()).toBeUndefined();
		const told: IDataObject[] = await untilTold(polling);
		// A minute passes.
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
		told.push(...(await untilTold(polling)));
		now.mockRestore();
		expect(new Map(told.map((job) => [job.id, job.status]))).toEqual(
			new Map([
				[id, 'completed'],
				[gone, 'not found'],
			]),
		);
		expect(await polling.poll()).toBeUndefined();
	});
});
