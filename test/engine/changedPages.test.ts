import { readFileSync } from 'node:fs';

import type { INodeParameters } from 'n8n-workflow';

import { changedCrawl, ChangedSite, told } from './changedSite';
import { hintsOf, NODE } from './run';

let site: ChangedSite;
let tests = 0;

beforeEach(async () => {
	site = await ChangedSite.open();
	// Every third test is of an n8n without Data Tables, whose static data remember.
	tests += 1;
	if (tests % 3 === 0) site.tables = undefined;
});

describe('Only New and Changed Pages', () => {
	it('returns every page in the first run, and later what is new, changed or gone', async () => {
		const first = await site.run();
		expect(told(first)).toEqual(['a new', 'b new', 'c new', 'd new']);
		expect(first.items(NODE)[0]?.json.contentHash).toMatch(/^[0-9a-f]{32}$/);
		expect(hintsOf(first)).toContain('There is no earlier run to compare with, so all pages are new.');
		expect(await site.told()).toEqual([]);
		site.write('b', 'Another text');
		site.remove('c');
		site.write('e', 'Text of e');
		const third = await site.run();
		expect(told(third)).toEqual(['b changed', 'e new']);
		expect(hintsOf(third).join(' ')).toContain(
			'1 new, 1 changed, 0 gone. 2 unchanged pages left out, which saves the next nodes',
		);
		expect(hintsOf(third).join(' ')).toContain('1 known page not found, and not reported as gone yet');
		const fourth = await site.run();
		expect(told(fourth)).toEqual(['c gone']);
		expect(fourth.items(NODE)[0]?.json).toMatchObject({ url: `${site.home}c`, title: null });
		expect(fourth.items(NODE)[0]?.json.markdown).toBeUndefined();
		expect(await site.told()).toEqual([]);
		site.write('c', 'Text of c');
		expect(await site.told()).toEqual(['c new']);
	});

	it('takes whitespace, tracking parameters and ignored lines for no change', async () => {
		const ignoring = changedCrawl({ ignoredLines: '^\\d+ views$' });
		site.write('a', 'See [b](/b?utm_source=x)\n10 views');
		await site.run(ignoring);
		site.write('a', 'See  [b](/b)\n\n11 views');
		expect(await site.told(ignoring)).toEqual([]);
		site.write('a', 'See [c](/c)\n11 views');
		expect(await site.told(ignoring)).toEqual(['a changed']);
	});

	it('does not call a page gone that fails in one run and is back in the next', async () => {
		await site.run();
		site.fail('b');
		expect(await site.told()).toEqual([]);
		site.fail();
		expect(await site.told()).toEqual([]);
	});

	it('keeps the table of the vector store example as the site is, over three runs with a move', async () => {
		const file = JSON.parse(readFileSync('examples/handbook-to-vector-store.json', 'utf8')) as {
			nodes: Array<{ name: string; parameters: INodeParameters }>;
		};
		const crawl = file.nodes.find(({ name }) => name === 'Crawl the Handbook')?.parameters;
		// What the nodes behind it do: write each item under its url, then delete what is gone.
		const table = new Map<unknown, unknown>();
		const run = async () => {
			for (const { json } of (await site.run(crawl)).items(NODE)) {
				if (json.change === 'gone') table.delete(json.url);
				else table.set(json.url, json.markdown);
			}
		};
		await run();
		expect(table).toEqual(site.pages);
		site.write('new-b', 'Text of b');
		site.move('b', 'new-b');
		site.write('c', 'Another text');
		await run();
		// The links go to the new address by now.
		site.remove('b');
		await run();
		expect(table).toEqual(site.pages);
	});

	it('does not call pages gone that only a failed page links to', async () => {
		await site.run();
		site.fail('b');
		site.remove('c');
		const down = await site.run();
		expect(told(down)).toEqual([]);
		expect(hintsOf(down)).toContain(
			`Pages that were not found are not reported as gone, because failed pages may link to them (${site.home}b: Timeout).`,
		);
		site.fail();
		expect(await site.told()).toEqual([]);
		expect(await site.told()).toEqual(['c gone']);
	});

	it('returns nothing and forgets nothing while the site is down for a day', async () => {
		await site.run();
		site.statusCodes = new Map([...site.pages.keys()].map((url) => [url, 503]));
		for (const url of site.pages.keys()) site.pages.set(url, 'Service unavailable');
		const down = await site.run();
		expect(told(down)).toEqual([]);
		expect(hintsOf(down).join(' ')).toContain('4 pages with an error left out');
		site.statusCodes.clear();
		for (const name of 'abcd') site.write(`${name}`, `Text of ${name}`);
		expect(await site.told()).toEqual([]);
	});

	it('calls a page gone that the site answers with 404 or 410', async () => {
		await site.run();
		site.statusCodes.set(`${site.home}a`, 404);
		site.statusCodes.set(`${site.home}b`, 410);
		expect(await site.told()).toEqual(['a gone', 'b gone']);
		expect(await site.told()).toEqual([]);
		site.statusCodes.clear();
		expect(await site.told()).toEqual(['a new', 'b new']);
	});

	it('calls no page gone when the crawl reached its Page Limit', async () => {
		await site.run();
		site.remove('c');
		const limited = await site.run(changedCrawl({}, { pageLimit: 3 }));
		expect(told(limited)).toEqual([]);
		expect(hintsOf(limited)).toContain(
			'Pages that were not found are not reported as gone, because the crawl reached its Page Limit.',
		);
		expect(await site.told()).toEqual([]);
		expect(await site.told()).toEqual(['c gone']);
	});

	it('calls no page gone when there were fewer credits than Page Limit', async () => {
		await site.run();
		site.remove('c');
		const balance = (remainingCredits: number) => {
			site.service.instead = ({ path }) =>
				path.includes('credit-usage') ? { body: { success: true, data: { remainingCredits } } } : undefined;
		};
		balance(20);
		const poor = await site.run();
		expect(told(poor)).toEqual([]);
		expect(hintsOf(poor).join(' ')).toContain('fewer credits were left than Page Limit');
		balance(1000);
		expect(await site.told()).toEqual([]);
		expect(await site.told()).toEqual(['c gone']);
	});

	it('moves no mark in a run that fails, or that returns what a failed job has', async () => {
		await site.run();
		site.write('b', 'Another text');
		site.state = 'failed';
		expect((await site.run()).error).toBeDefined();
		expect(await site.told(changedCrawl({ waitOptions: { onFailure: 'output' } }))).toEqual(['b changed']);
		site.state = 'completed';
		expect(await site.told()).toEqual(['b changed']);
		expect(await site.told()).toEqual([]);
	});

	it('stores nothing in a manual run, and says so', async () => {
		await site.run();
		site.write('b', 'Another text');
		const manual = await site.run(changedCrawl(), { mode: 'manual' });
		expect(told(manual)).toEqual(['b changed']);
		expect(manual.staticData).toBeUndefined();
		expect(hintsOf(manual).join(' ')).toContain('Test runs are not remembered');
		expect(await site.told()).toEqual(['b changed']);
	});

	it('returns all pages as new where the settings have changed, and says so', async () => {
		await site.run();
		const other = await site.run(changedCrawl({ ignoredLines: 'Text' }));
		expect(told(other)).toHaveLength(4);
		expect(hintsOf(other)).toContain('The settings have changed since the last run, so all pages are returned as new.');
		expect(await site.told(changedCrawl({ ignoredLines: 'Text' }))).toEqual([]);
	});

	it('calls nothing changed that another version has compared in another way, and says so once', async () => {
		await site.run();
		for (const row of site.tables?.tables.flatMap(({ rows }) => rows) ?? []) {
			for (const [column, value] of Object.entries(row)) {
				if (typeof value === 'string') Object.assign(row, { [column]: value.replace(/"measure":\d+,/g, '') });
			}
		}
		const after = await site.run();
		expect(told(after)).toEqual(['a new', 'b new', 'c new', 'd new']);
		expect(hintsOf(after).join(' ')).toContain('compares pages in another way');
		const next = await site.run();
		expect(told(next)).toEqual([]);
		expect(hintsOf(next).join(' ')).not.toContain('in another way');
	});

	it('says which lines were added to a changed page, and how many are gone', async () => {
		const list = Array.from({ length: 30 }, (_unused, at) => `Offer ${at}`).join('\n');
		site.write('a', `Price 5\nIn stock\n${'x'.repeat(600)}`);
		site.write('b', 'Nothing yet');
		await site.run();
		site.write('a', `Price 6\nIn stock\n${'y'.repeat(600)}`);
		site.write('b', list);
		const changed = await site.run();
		const [a, b] = changed.items(NODE).map(({ json }) => json);
		expect(a).toMatchObject({ change: 'changed', removedLines: 2 });
		expect(a?.added).toEqual(['Price 6', expect.stringMatching(/^y{499}…?y?$/)]);
		expect(b?.added).toHaveLength(20);
		expect(hintsOf(changed).join(' ')).not.toContain('it is not said which lines');
	});

	it('ignores parts of lines, and sees the rest of them', async () => {
		const parts = changedCrawl({ ignoredParts: '\\d+ views' });
		site.write('a', 'Price 5, 12 views');
		await site.run(parts);
		site.write('a', 'Price 5, 13 views');
		expect(await site.told(parts)).toEqual([]);
		site.write('a', 'Price 6, 13 views');
		expect(await site.told(parts)).toEqual(['a changed']);
		const refused = await site.run(changedCrawl({ ignoredParts: '(a+)+' }));
		expect(refused.error?.message).toContain('"Ignore Parts Matching" holds a line that repeats a group');
	});

	it('calls the old address of a page that has moved gone, once the new one stands', async () => {
		await site.run();
		site.move('a', 'moved');
		const moved = await site.run();
		expect(told(moved)).toEqual(['moved new']);
		expect(moved.items(NODE)[0]?.json.requestedUrl).toBe(`${site.home}a`);
		site.remove('a');
		site.moved.clear();
		site.write('moved', 'Text of a');
		expect(await site.told()).toEqual(['a gone']);
		expect(await site.told()).toEqual([]);
	});

	it('does not call a page gone when another address that led to it is', async () => {
		site.write('new', 'Text of new');
		site.write('old', '');
		site.move('old', 'new');
		expect(await site.told()).toEqual(['a new', 'b new', 'c new', 'd new', 'new new']);
		site.remove('old');
		expect(await site.told()).toEqual([]);
		expect(await site.told()).toEqual([]);
	});

	it('names a page by the spelling that it was put out under', async () => {
		await site.run();
		site.pages = new Map([...site.pages].map(([url, text]) => [`${url.replace('site', 'SITE')}#top`, text]));
		expect(await site.told()).toEqual([]);
		site.pages.set('https://site.example:443/%62', 'Another text');
		site.pages.delete('https://SITE.example/b#top');
		const changed = await site.run();
		expect(changed.items(NODE)[0]?.json).toMatchObject({ url: `${site.home}b`, change: 'changed' });
		site.pages.delete('https://site.example:443/%62');
		await site.run();
		expect((await site.run()).items(NODE)[0]?.json).toMatchObject({
			url: `${site.home}b`,
			change: 'gone',
		});
	});

	it('keeps pages apart that look alike, each under its own address', async () => {
		const page = (id: number) => `${site.home}article?sid=${id}`;
		const stories = (ids: number[], more = '') => {
			site.pages = new Map([
				...['a', 'b'].map((name): [string, string] => [`${site.home}${name}`, `Text of ${name}`]),
				...ids.map((id): [string, string] => [page(id), `Story ${id}${more}`]),
			]);
		};
		stories([12, 13]);
		await site.run();
		expect((await site.run()).items(NODE).filter(({ json }) => json.change !== undefined)).toEqual([]);
		stories([12, 13, 14]);
		const second = await site.run();
		expect(second.items(NODE).map(({ json }) => [json.url, json.change])).toEqual([[page(14), 'new']]);
	});

	it.each([
		['a page that answers 500', 'it answered with 500', () => site.statusCodes.set(`${site.home}b`, 500)],
		[
			'a page that leads to another site',
			'it leads to another site (https://other.example/)',
			() => site.moved.set(`${site.home}b`, 'https://other.example/'),
		],
		[
			'a page that the crawl leaves out, since it leads to another site',
			'The page is on another site, and Allow External Links is off',
			() => (site.errors = [{ url: `${site.home}b`, error: 'EXTERNAL_LINK', code: 'CRAWL_DENIAL' }]),
		],
	])('does not keep the site from being known for ever for %s', async (_name, why, breakIt) => {
		await site.run();
		breakIt();
		site.remove('c');
		for (let run = 1; run < 5; run++) expect(await site.told()).toEqual([]);
		const fifth = await site.run();
		expect(told(fifth)).toEqual(['b unreadable']);
		expect(fifth.items(NODE)[0]?.json).toMatchObject({ url: `${site.home}b`, reason: why });
		expect(hintsOf(fifth).join(' ')).toContain('1 page could not be read in 5 runs in a row');
		expect([await site.told(), await site.told(), await site.told()]).toEqual([[], ['c gone'], []]);
		site.statusCodes.clear();
		site.moved.clear();
		site.errors = [];
		expect(await site.told()).toEqual([]);
	});

	it('calls no page gone that leads to a login, and says where it leads', async () => {
		for (let page = 0; page < 6; page++) site.write(`more-${page}`, `Text of more-${page}`);
		await site.run();
		site.write('login', 'Please log in');
		const links = [...site.pages.keys()];
		for (const name of ['a', 'b', 'c', 'd']) site.move(name, 'login');
		expect(await site.told()).toEqual(['login new']);
		for (let run = 0; run < 3; run++) expect(await site.told()).toEqual([]);
		const told5 = await site.run();
		expect(told(told5).sort()).toEqual(['a', 'b', 'c', 'd'].map((name) => `${name} unreadable`));
		expect(told5.items(NODE)[0]?.json.reason).toBe(`it leads to ${site.home}login`);
		site.moved.clear();
		expect(links).toHaveLength(site.pages.size);
		expect(await site.told()).toEqual([]);
	});

	it('says of a page that is gone where it leads', async () => {
		await site.run();
		site.move('a', 'other');
		await site.run();
		const gone = await site.run();
		expect(told(gone)).toEqual(['a gone']);
		expect(gone.items(NODE)[0]?.json.leadsTo).toBe(`${site.home}other`);
	});

	it('takes what is no picture of a page for no change', async () => {
		await site.run();
		site.service.instead = undefined;
		site.errorOf.set(`${site.home}b`, 'Blocked');
		site.write('b', 'Are you a robot?');
		expect(await site.told()).toEqual([]);
		site.errorOf.clear();
		site.write('b', 'Text of b');
		expect(await site.told()).toEqual([]);
	});

	it('takes an empty text for no change, and says so of a page that stays empty', async () => {
		await site.run();
		site.write('b', '');
		expect(await site.told()).toEqual([]);
		site.write('b', 'Another text of b');
		expect(await site.told()).toEqual(['b changed']);
		site.write('b', ' ');
		const later: string[] = [];
		for (let run = 0; run < 8; run++) later.push(...(await site.told()));
		expect(later).toEqual(['b unreadable']);
	});

	it('calls nothing gone while a notice stands in the place of the site', async () => {
		await site.run();
		const open = site.pages;
		site.pages = new Map([[`${site.home}`, 'We are back soon.']]);
		for (let run = 0; run < 3; run++) {
			const closed = await site.run();
			expect(told(closed).filter((one) => one.endsWith('gone'))).toEqual([]);
			expect(hintsOf(closed).join(' ')).toMatch(/only \d of \d known pages were found/);
			expect(hintsOf(closed).join(' ')).toContain('4 known pages not found, and not reported as gone yet');
		}
		site.pages = open;
		expect(await site.told()).toEqual([]);
	});

	it('knows no end of credits on a server without a database', async () => {
		await site.run();
		site.remove('c');
		site.service.instead = ({ path }) =>
			path.includes('credit-usage')
				? {
						status: 500,
						body: {
							success: false,
							code: 'UNKNOWN_ERROR',
							error: 'An error occurred. Please check your logs for more details. Error ID: 1',
						},
					}
				: undefined;
		expect(await site.told()).toEqual([]);
		expect(await site.told()).toEqual(['c gone']);
	});

	it('compares each site with its own last run where items or a loop crawl several', async () => {
		const both = changedCrawl({}, { url: '={{ $json.url }}' });
		const items = [{ url: site.home }, { url: 'https://site.example/docs' }];
		expect(await site.told(both, { items })).toHaveLength(8);
		expect(await site.told(both, { items })).toEqual([]);
		expect(await site.told(both, { items: items.slice(1) })).toEqual([]);
		site.write('b', 'Another text');
		expect(await site.told(both, { items })).toEqual(['b changed', 'b changed']);
	});
});
