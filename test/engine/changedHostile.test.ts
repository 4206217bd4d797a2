import { batchStart, hintsOf } from './run';
import { changedCrawl, ChangedSite, told } from './changedSite';

let site: ChangedSite;

beforeEach(async () => {
	site = await ChangedSite.open({ sliceSize: 2 });
});

describe('Only New and Changed Pages', () => {
	it('remembers nothing of a job whose pages could not all be read, whatever On Error is', async () => {
		await site.run();
		site.write('a', 'Another text');
		site.service.instead = ({ query }) =>
			query.skip === '2' ? { status: 403, body: { error: 'Forbidden' } } : undefined;
		const node = { onError: 'continueRegularOutput' as const };
		const broken = await site.run(changedCrawl(), { node });
		expect(broken.items('Web Data')).toMatchObject([{ json: { error: expect.any(String) } }]);
		site.service.instead = undefined;
		expect(await site.told(changedCrawl(), { node })).toEqual(['a changed']);
	});

	it('calls no page gone of a crawl that says it has more pages than it shows', async () => {
		await site.run();
		site.remove('c');
		site.completed = 4;
		const short = await site.run();
		expect(told(short)).toEqual([]);
		expect(hintsOf(short).join(' ')).toContain('because not all pages of the crawl were read');
		site.completed = undefined;
		expect([...(await site.told()), ...(await site.told())]).toEqual(['c gone']);
	});

	it('does not call a page gone that the site has under a near address', async () => {
		const near = `${site.home}a/`;
		await site.run();
		site.pages.set(near, 'Not found');
		site.statusCodes.set(near, 404);
		expect(await site.told()).toEqual([]);
		site.pages = new Map([...site.pages].reverse());
		expect(await site.told()).toEqual([]);
		site.remove('a');
		expect(await site.told()).toEqual([]);
		expect(await site.told()).toEqual(['a gone']);
		expect(await site.told()).toEqual([]);
	});

	it('of Batch Scrape does not call a page gone that another item has under a near address', async () => {
		const items = ['a', 'a/'].map((name) => ({ url: `${site.home}${name}` }));
		const batch = batchStart({ options: { onlyChanged: true } });
		await site.run(batch, { items: items.slice(0, 1) });
		site.pages.set(`${site.home}a/`, 'Not found');
		site.statusCodes.set(`${site.home}a/`, 404);
		expect(await site.told(batch, { items })).toEqual([]);
		expect(await site.told(batch, { items: [...items].reverse() })).toEqual([]);
	});

	it('tells what is gone also where the settings of the pages have changed', async () => {
		await site.run();
		site.remove('c');
		site.fail('b');
		expect(await site.told(changedCrawl({ ignoredLines: 'Text' }))).toEqual(['a new', 'd new']);
		site.fail();
		expect(await site.told(changedCrawl({ ignoredLines: 'Text' }))).toEqual(['b new']);
		expect(await site.told(changedCrawl({ ignoredLines: 'Text' }))).toEqual(['c gone']);
	});

	it('tells what is gone in the run that follows other formats', async () => {
		await site.run();
		site.statusCodes.set(`${site.home}c`, 404);
		site.remove('d');
		const other = await site.run(changedCrawl({ ignoredLines: 'Text' }));
		expect(told(other)).toEqual(['a new', 'b new', 'c gone']);
		expect(await site.told(changedCrawl({ ignoredLines: 'Text' }))).toEqual(['d gone']);
		expect(hintsOf(other).join(' ')).toContain('The settings have changed');
	});
});
