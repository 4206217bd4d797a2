import {
	batchStart,
	errorText,
	hintsIn,
	hintsOf,
	jsonOf,
	NODE,
	RETRY,
	retryNode,
	runNode,
	sourceItems,
	urlsOf,
} from './run';
import { scraped, serve, service } from './pageService';
import type { PageServiceParts } from './pageService';

const address = (number: number) => `https://site.example/${number}`;
const items = (...urls: string[]) => urls.map((url) => ({ url }));
const DEAD = /\/(13|600|1400|2300)$/;

/** A service on which some URLs fail, which writes addresses in its own way and answers out of order. */
const awkward: PageServiceParts = {
	job: ({ urls = [] }) => {
		const given = urls as string[];
		const page = (url: string) => ({ ...scraped(url), metadata: { sourceURL: new URL(url).href } });
		return {
			pages: given
				.filter((url) => !DEAD.test(url))
				.map(page)
				.reverse(),
			errors: given.filter((url) => DEAD.test(url)).map((url) => ({ url, error: `Dead: ${url}` })),
		};
	},
};

describe('2,500 URLs from items, 7 of them bad and 3 there twice', () => {
	// Three are no addresses, four cannot be scraped.
	const urls = Array.from({ length: 2500 }, (_unused, index) => address(index));
	urls[5] = 'no address';
	urls[1000] = 'ftp://site.example/file';
	urls[2499] = '';
	urls[700] = address(701);
	urls[1800] = address(3);
	urls[2000] = 'https://SITE.example/1999';

	it('every item gets its page or its error', async () => {
		await serve(awkward);
		const execution = await runNode(service, batchStart(), {
			items: items(...urls),
			node: { onError: 'continueErrorOutput' },
		});
		expect(execution.error).toBeUndefined();
		const good = execution.items(NODE, 0);
		const bad = execution.items(NODE, 1);
		expect(good).toHaveLength(2493);
		expect(sourceItems(bad)).toEqual([5, 13, 600, 1000, 1400, 2300, 2499]);
		expect(sourceItems(good)).toEqual(
			urls.map((_url, index) => index).filter((index) => !sourceItems(bad).includes(index)),
		);
		for (const { json, pairedItem } of good) {
			const sent = urls[(pairedItem as { item: number }).item] ?? '';
			expect(json.url).toBe(new URL(sent).href);
		}
		const messages = bad.map(({ json }) => String(json.error));
		expect(messages[0]).toContain('"URL" must be a web address');
		expect(messages[1]).toBe(`No page for ${address(13)}: Dead: ${address(13)} (batch scrape job-0)`);
		// 2,497 addresses, three of which are there twice: 2,494 go out, once each.
		const starts = service.requests.filter(({ method }) => method === 'POST');
		const sent = starts.flatMap(({ body }) => body.urls as string[]);
		expect(starts.map(({ body }) => (body.urls as string[]).length)).toEqual([1000, 1000, 494]);
		expect(new Set(sent).size).toBe(2494);
	});

	it('without "continue on error", bad addresses are named before anything is sent', async () => {
		await serve(awkward);
		const execution = await runNode(service, batchStart(), { items: items(...urls) });
		expect(errorText(execution)).toContain('"URL" must be a web address');
		expect((execution.error as unknown as { context: { itemIndex: number } }).context.itemIndex).toBe(5);
		expect(service.requests).toEqual([]);
	});
});

describe('when a URL fails and errors stop the run', () => {
	const four = items(address(1), address(13), address(2));

	it('says which, why, and how to get the others', async () => {
		await serve(awkward);
		const execution = await runNode(service, batchStart(), { items: four });
		expect(errorText(execution)).toContain(`No page for ${address(13)}. Dead`);
		expect(errorText(execution)).toContain('1 of the 3 items of this job has no page');
	});

	it('a retry that continues on errors gets the others from the same job', async () => {
		await serve(awkward);
		const failed = await runNode(service, batchStart(), { items: four });
		const retried = await retryNode(service, failed, batchStart(), {
			node: { onError: 'continueRegularOutput' },
		});
		expect(urlsOf(retried.items(NODE))).toEqual([address(1), undefined, address(2)]);
		expect(service.count('POST')).toBe(1);
	});
});

it('Retry On Fail attaches to the job of many items', async () => {
	let broken = 1;
	await serve({
		instead: ({ method }) =>
			method === 'GET' && broken-- > 0 ? { status: 403, body: { error: 'Forbidden' } } : undefined,
	});
	const execution = await runNode(service, batchStart(), {
		items: items(address(1), address(2)),
		node: RETRY,
	});
	expect(execution.error).toBeUndefined();
	expect(urlsOf(execution.items(NODE))).toEqual([address(1), address(2)]);
	expect(service.count('POST')).toBe(1);
	expect(execution.context(NODE)).toEqual({
		webDataJobs: {},
		webDataAccount: expect.any(String),
		webDataExecution: expect.any(String),
		webDataCredits: { all: expect.any(Number) },
	});
});

it('names the addresses of a list that the service leaves out, and those that one page stands for', async () => {
	await serve({
		instead: ({ method }) =>
			method === 'POST' ? { body: { success: true, id: 'odd', invalidURLs: ['https://odd.invalid/'] } } : undefined,
	});
	const job = { id: 'odd', body: {}, errors: [], state: 'completed', looksLeft: 0 };
	service.jobs.set('odd', { ...job, pages: [scraped(address(1))] });
	const urls = `${address(1)}\nhttps://odd.invalid/`;
	const list = await runNode(service, batchStart({ urlsFrom: 'list', urls }));
	expect(errorText(list)).toBe('');
	expect(hintsIn(list)).toContain('1 address not accepted by Firecrawl: https://odd.invalid/.');
	expect(hintsIn(list)).not.toContain('did not come');

	const two = await runNode(service, batchStart(), { items: items(`${address(1)}#gid=0`, `${address(1)}#gid=812`) });
	expect(two.items(NODE)).toHaveLength(2);
	expect(hintsIn(two)).toContain(
		`1 address read as one page with another, since no server sees what stands behind #: ${address(1)}#gid=812.`,
	);
});

it('names URLs that the service itself leaves out', async () => {
	await serve({
		instead: ({ method, body }) =>
			method === 'POST' ? { body: { success: true, id: 'odd', invalidURLs: [(body.urls as string[])[1]] } } : undefined,
	});
	service.jobs.set('odd', {
		id: 'odd',
		body: {},
		pages: [scraped(address(1))],
		errors: [],
		state: 'completed',
		looksLeft: 0,
	});
	const execution = await runNode(service, batchStart(), {
		items: items(address(1), 'https://odd.invalid/'),
		node: { onError: 'continueRegularOutput' },
	});
	expect(execution.items(NODE)[1]?.json.error).toContain('does not accept this URL');
});

it('makes different jobs of items that ask for something different', async () => {
	await serve();
	const execution = await runNode(service, batchStart({ options: { maxConcurrency: '={{ $json.pages }}' } }), {
		items: [3, 8, 3].map((pages, index) => ({ url: address(index), pages })),
	});
	expect(urlsOf(execution.items(NODE))).toEqual([0, 1, 2].map(address));
	const starts = service.requests.filter(({ method }) => method === 'POST');
	expect(starts.map(({ body }) => body)).toEqual([
		{
			urls: [address(0), address(2)],
			maxConcurrency: 3,
			ignoreInvalidURLs: true,
			formats: ['markdown'],
		},
		{ urls: [address(1)], maxConcurrency: 8, ignoreInvalidURLs: true, formats: ['markdown'] },
	]);
});

describe('URLs from a list', () => {
	const list = (urls: string, more = {}) => batchStart({ urlsFrom: 'list', urls, ...more });

	it('with failed pages gives the others, and a hint', async () => {
		await serve(awkward);
		const execution = await runNode(service, list(`${address(13)},${address(1)}`));
		expect(urlsOf(execution.items(NODE))).toEqual([address(1)]);
		expect(hintsOf(execution).join(' ')).toContain(
			`1 page failed: ${address(13)}: Dead: ${address(13)}. Batch Scrape · Get Errors lists them.`,
		);
	});

	it.each(['={{ "" }}', '={{ {} }}', 'mailto:a@b.example\nftp://x.example'])('%p is refused unsent', async (urls) => {
		await serve();
		const execution = await runNode(service, list(urls));
		expect(errorText(execution)).toContain('"URLs"');
		expect(service.requests).toEqual([]);
	});
});

/** Spellings of one address that no server can tell apart. */
const SPELLINGS = [
	'https://site.example/a',
	' https://site.example/a ',
	'https://site.example/a#one',
	'https://site.example:443/a',
	'https://SITE.example/%61',
];

/** The page of an address: the text says whose it is, whatever address the service writes. */
const pageOf = (url: string, written = url) => ({
	...scraped(written),
	markdown: `Text of ${url}`,
	metadata: { scrapeId: `scrape ${url}`, sourceURL: written, url: written },
});

const errorOf = (url: string) => ({ url, error: `Dead: ${url}`, code: 'SCRAPE_TIMEOUT' });

/** A batch of which these addresses fail; the service writes addresses of pages and of errors so. */
const failing = (
	isDead: (url: string) => boolean,
	written: (url: string) => string = (url) => url,
): PageServiceParts['job'] => {
	return ({ urls = [] }) => {
		const given = urls as string[];
		const alive = given.filter((url) => !isDead(url));
		return {
			pages: alive.map((url) => pageOf(url, written(url))).reverse(),
			errors: given.filter(isDead).map((url) => errorOf(written(url))),
		};
	};
};

const run = async (urls: string[]) => {
	const execution = await runNode(service, batchStart(), {
		items: urls.map((url) => ({ url })),
		node: { onError: 'continueErrorOutput' },
	});
	expect(execution.error).toBeUndefined();
	return { good: execution.items(NODE, 0), bad: execution.items(NODE, 1), execution };
};

describe('items with spellings of one address', () => {
	it.each([
		['as they were sent', (url: string) => url],
		['in spellings of its own', (url: string) => `${url.replace('https://', 'http://www.')}/`],
	])('send it once and all get it, where the service writes addresses %s', async (_how, written) => {
		await serve({ job: failing((url) => url.endsWith('/b'), written) });
		const urls = ['https://site.example/b', ...SPELLINGS, 'https://site.example/b#end', 'https://site.example/c'];
		const { good, bad } = await run(urls);
		expect(service.requests[0]?.body.urls).toEqual([urls[0], SPELLINGS[0], urls.at(-1)]);
		expect(sourceItems(good)).toEqual([1, 2, 3, 4, 5, 7]);
		expect(jsonOf(good.slice(0, 5))).toEqual(Array(5).fill(good[0]?.json));
		expect(sourceItems(bad)).toEqual([0, 6]);
		for (const { json } of bad) expect(json.error).toMatch(/: Dead: \S*site\.example\/b/);
	});

	it('have neither a page nor an error where the job has none', async () => {
		await serve({
			job: failing((url) => url === SPELLINGS[0]),
			instead: ({ path }) => (path.endsWith('/errors') ? { status: 403, body: { error: 'Forbidden' } } : undefined),
		});
		const { good, bad } = await run([...SPELLINGS, 'https://site.example/c']);
		expect(sourceItems(good)).toEqual([5]);
		expect(sourceItems(bad)).toEqual([0, 1, 2, 3, 4]);
		expect(bad[0]?.json.error).toContain('has neither a page nor an error for it');
		expect(bad[0]?.json.error).toContain('Its errors could not be read');
	});
});

/** Addresses that look alike, and are pages of their own. */
const ALIKE = [
	...Array.from({ length: 20 }, (_unused, number) => `https://news.example/article.pl?sid=${number}`),
	...Array.from({ length: 10 }, (_unused, number) => `https://site.example/7?pk_id=${number}`),
	...['https://site.example/8/', 'http://site.example/8', 'https://www.site.example/8', 'https://site.example/8//'],
	...['https://site.example/9?utm_source=a', 'https://site.example/9?utm_source=b', 'https://site.example/9?a=1&b=2'],
	...['https://site.example/9?b=2&a=1', 'https://site.example/9?session_id=x', 'https://site.example/9?session_id=y'],
];

describe('addresses that look alike', () => {
	it('are each sent as they are written, and each item gets its own page: 5,000 with 40 of them', async () => {
		await serve({ job: failing(() => false) });
		const urls = [...ALIKE, ...Array.from({ length: 5000 - ALIKE.length }, (_unused, number) => address(number))];
		const { good, bad } = await run(urls);
		expect(bad).toEqual([]);
		expect(ALIKE).toHaveLength(40);
		expect(sourceItems(good)).toEqual(urls.map((_url, index) => index));
		expect(jsonOf(good).map(({ markdown }) => markdown)).toEqual(urls.map((url) => `Text of ${url}`));
		const sent = service.requests.flatMap(({ method, body }) => (method === 'POST' ? (body.urls as string[]) : []));
		expect(sent).toEqual(urls);
	});

	it('are each sent, as a list, too', async () => {
		await serve({ job: failing(() => false) });
		const execution = await runNode(service, batchStart({ urlsFrom: 'list', urls: ALIKE.join('\n') }));
		expect(
			jsonOf(execution.items(NODE))
				.map(({ markdown }) => markdown)
				.sort(),
		).toEqual(ALIKE.map((url) => `Text of ${url}`).sort());
	});

	it('are not guessed where the service writes them in another spelling: it is said which may be meant', async () => {
		const urls = ['https://site.example/a', 'https://site.example/a/', 'https://site.example/c'];
		await serve({
			job: failing(
				() => false,
				(url) => url.replace(/^https:..([^/]+).*?(\w).?$/, 'http://$1/$2'),
			),
		});
		const { good, bad } = await run(urls);
		// The pages are put out all the same: they were paid for.
		expect(sourceItems(good)).toEqual([0, 0, 2]);
		expect(good[2]?.json.markdown).toBe('Text of https://site.example/c');
		expect(sourceItems(bad)).toEqual([0, 1]);
		for (const { json } of bad) {
			expect(json.error).toContain('has no page with this very address, and http://site.example/a');
		}
	});
});

it('fails an address that failed, although another one was redirected to it', async () => {
	const [old, failed] = ['https://site.example/old', 'https://site.example/new'];
	const page = { markdown: 'Text that the old address leads to', metadata: { url: failed } };
	await serve({ job: () => ({ pages: [page], errors: [errorOf(failed)] }) });
	const execution = await runNode(service, batchStart({}), {
		items: [{ url: old }, { url: failed }],
		node: { onError: 'continueRegularOutput' },
	});
	const items = execution.items(NODE);
	const errors = items.filter(({ json }) => json.error !== undefined);
	expect(sourceItems(errors)).toEqual([0, 1]);
	expect(errors[1]?.json.error).toContain(`Dead: ${failed}`);
	expect(jsonOf(items)).toContainEqual(expect.objectContaining({ markdown: page.markdown }));
});

it('says of many items how many are refused, and what lets the others go', async () => {
	await serve();
	const urls = Array.from({ length: 40 }, (_unused, at) => (at % 8 === 7 ? `no address ${at}` : address(at)));
	const execution = await runNode(service, batchStart(), { items: items(...urls) });
	expect(errorText(execution)).toContain('Nothing was sent');
	expect(errorText(execution)).toContain(
		"Of 40 items, items 7, 15, 23 and 2 more are refused (counted from 0): to let the others go, set On Error in the node's settings to continue.",
	);
	expect(service.requests).toHaveLength(0);
});

it('says once why a cap lets nothing through, also with Continue on error', async () => {
	await serve();
	const execution = await runNode(service, batchStart({ options: { maxCredits: 5 } }), {
		items: items(...Array.from({ length: 40 }, (_unused, at) => address(at))),
		node: { onError: 'continueRegularOutput' },
	});
	const errors = execution.items(NODE).map(({ json }) => String(json.error));
	expect(errors[0]).toContain('This run may cost up to 40 credits, and Max Credits (This Run) allows 5.');
	expect(new Set(errors.slice(1))).toEqual(
		new Set(['Not sent: this run may cost more than Max Credits (This Run) allows, as the first of these items says.']),
	);
	const warned = execution.hints(NODE).filter(({ type }) => type === 'warning');
	expect(warned.map(({ message }) => message).join(' ')).toContain('allows 5');
	expect(service.requests).toHaveLength(0);
});
