import {
	batchStart,
	crawlStart,
	errorText,
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

const site = (name: string) => `https://site.example/${name}`;
const items = (...names: string[]) => names.map((name) => ({ url: site(name) }));

/** Refuses the first check of a job of the given address. */
function refusingOnce(name: string): PageServiceParts {
	let isRefused = false;
	return {
		instead: ({ method, path }) => {
			if (method !== 'GET' || isRefused) return undefined;
			const job = [...service.jobs.values()].find(({ id }) => path.endsWith(id));
			const { url, urls = [url] } = job?.body as { url?: string; urls?: string[] };
			if (!urls.some((one) => one?.includes(name))) return undefined;
			isRefused = true;
			return { status: 403, body: { error: 'Forbidden' } };
		},
	};
}

describe('Retry On Fail', () => {
	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'pays for no job twice when the first item has no page and the second fails (%s)',
		async (onError) => {
			await serve({
				...refusingOnce('second'),
				job: ({ url }) => (url === site('empty') ? { pages: [] } : {}),
			});
			const execution = await runNode(service, crawlStart({ url: '={{ $json.url }}' }), {
				items: items('empty', 'second', 'third'),
				node: { ...RETRY, onError },
			});
			const others = urlsOf(execution.items(NODE)).filter((url) => url !== undefined);
			expect(others).toEqual([site('second'), site('third')]);
			// A job without a page cost nothing, and a retry may find one: it alone is started again.
			const started = service.requests.filter(({ method }) => method === 'POST');
			expect(started.map(({ body }) => body.url).sort()).toEqual(['empty', 'empty', 'second', 'third'].map(site));
		},
	);

	it('pays once for a job whose pages come only at the second try', async () => {
		let results = 0;
		await serve({
			job: ({ url }) => ({ pages: [scraped(`${url}/1`), scraped(`${url}/2`)] }),
			instead: ({ method, path, query }) => {
				const isResults = method === 'GET' && query.limit === undefined && !path.endsWith('/errors');
				return isResults && results++ === 0 ? { body: { success: true } } : undefined;
			},
		});
		const execution = await runNode(service, crawlStart({ url: site('a') }), { node: RETRY });
		expect(urlsOf(execution.items(NODE))).toEqual([site('a/1'), site('a/2')]);
		expect(service.count('POST')).toBe(1);
	});

	it('starts no job again whose pages the service counts, but does not list', async () => {
		await serve({
			instead: ({ method, path }) => {
				if (method !== 'GET' || path.endsWith('/errors')) return undefined;
				return { body: { success: true, status: 'completed', completed: 3, total: 3, data: [] } };
			},
		});
		const execution = await runNode(service, crawlStart({ url: site('a') }), { node: RETRY });
		expect(execution.error?.message).toBe('The crawl found no page');
		expect(errorText(execution)).toContain('ended without a page, although the service counts 3');
		expect(service.count('POST')).toBe(1);
	});

	it('pays for no job twice when an expression differs at each evaluation', async () => {
		await serve(refusingOnce('b-'));
		const execution = await runNode(service, crawlStart({ url: '={{ $json.url }}-{{ Math.random() }}' }), {
			items: items('a', 'b', 'c'),
			node: RETRY,
		});
		expect(execution.error).toBeUndefined();
		expect(sourceItems(execution.items(NODE))).toEqual([0, 1, 2]);
		expect(service.count('POST')).toBe(3);
		expect(execution.context(NODE)).toEqual({
			webDataJobs: {},
			webDataAccount: expect.any(String),
			webDataExecution: expect.any(String),

			webDataCredits: { all: expect.any(Number) },
		});
	});

	it('gives each item the page that was asked for first when the URLs of a batch differ each time', async () => {
		await serve(refusingOnce('a-'));
		const execution = await runNode(service, batchStart({ url: '={{ $json.url }}-{{ Math.random() }}' }), {
			items: items('a', 'b', 'c'),
			node: RETRY,
		});
		expect(execution.error).toBeUndefined();
		expect(service.count('POST')).toBe(1);
		const [job] = service.jobs.values();
		expect(urlsOf(execution.items(NODE))).toEqual(job?.body.urls);
		expect(sourceItems(execution.items(NODE))).toEqual([0, 1, 2]);
	});

	it.each([
		['crawl', 'Crawl · Get', crawlStart({ url: '={{ $json.url }}' })],
		['batch', 'Batch Scrape · Get', batchStart({ url: '={{ $json.url }}-{{ Math.random() }}' })],
	])('names the failed %s that it started again', async (_what, collectWith, parameters) => {
		const states = ['failed', 'failed', 'completed'];
		await serve({ job: () => ({ state: states.shift() ?? '' }) });
		const execution = await runNode(service, parameters, {
			items: items('a'),
			node: { ...RETRY, maxTries: 3 },
		});
		expect(execution.error).toBeUndefined();
		expect(service.count('POST')).toBe(3);
		expect(hintsOf(execution)).toContain(
			`2 jobs of an earlier try failed and were started again: job-0, job-1. What was done until then may be paid for: ${collectWith} shows it by ID.`,
		);
		expect(execution.context(NODE)).toEqual({
			webDataJobs: {},
			webDataAccount: expect.any(String),
			webDataExecution: expect.any(String),
			webDataCredits: { all: expect.any(Number) },
		});
	});

	it('names a job that was gone in a try that failed', async () => {
		const states = ['completed', 'failed', 'completed'];
		let refusals = 1;
		await serve({
			job: () => ({ state: states.shift() ?? '' }),
			instead: ({ method, path }) => {
				if (method !== 'GET' || !path.endsWith('job-0')) return undefined;
				if (refusals-- > 0) return { status: 403, body: { error: 'Forbidden' } };
				return { status: 404, body: { success: false, error: 'Job not found' } };
			},
		});
		const execution = await runNode(service, crawlStart({ url: '={{ $json.url }}' }), {
			items: items('a'),
			node: { ...RETRY, maxTries: 3 },
		});
		expect(execution.error).toBeUndefined();
		expect(hintsOf(execution).join(' ')).toMatch(/no longer knew 1 job .*\(job-0\).*job-1/);
	});

	it('joins the same items again when an expression would join others', async () => {
		await serve(refusingOnce('a'));
		const differing = batchStart({
			options: {
				maxConcurrency: '={{ $json.url.endsWith("c") ? 9 : 1 + Math.floor(9e8 * Math.random()) }}',
			},
		});
		const execution = await runNode(service, differing, {
			items: items('a', 'b', 'c', 'c'),
			node: RETRY,
		});
		expect(execution.error).toBeUndefined();
		expect(urlsOf(execution.items(NODE))).toEqual(['a', 'b', 'c', 'c'].map(site));
		expect(service.count('POST')).toBe(3);
	});
});

describe('Retry of a failed execution', () => {
	const failing = async (parameters: Parameters<typeof runNode>[1], names: string[]) => {
		await serve(refusingOnce(names.at(-1) ?? ''));
		const failed = await runNode(service, parameters, { items: items(...names) });
		expect(failed.error).toBeDefined();
		return failed;
	};

	it('starts a changed request again, and names the jobs that nobody took up', async () => {
		const failed = await failing(crawlStart({ url: '={{ $json.url }}' }), ['a', 'b']);
		const changed = { url: '={{ $json.url.replace("/b", "/changed") }}' };
		const retried = await retryNode(service, failed, crawlStart(changed), {
			node: { parameters: changed },
		});
		expect(urlsOf(retried.items(NODE))).toEqual([site('a'), site('changed')]);
		expect(service.count('POST')).toBe(3);
		expect(hintsOf(retried)).toContain(
			'This try asks for something else, so it did not use 1 job or scrape of an earlier try: job-1. They may be paid for: Crawl · Get collects them by ID.',
		);
		expect(retried.context(NODE)).toEqual({
			webDataJobs: {},
			webDataAccount: expect.any(String),
			webDataExecution: expect.any(String),
			webDataRetried: [failed.executionId],
			webDataCredits: { all: expect.any(Number) },
		});
	});

	it('starts again when settings are changed back, and names the jobs of both', async () => {
		const before = crawlStart({ url: '={{ $json.url }}' });
		const failed = await failing(before, ['a', 'b']);
		const changed = { url: '={{ $json.url }}-changed' };
		service.instead = ({ method }) => (method === 'GET' ? { status: 403, body: { error: 'No' } } : undefined);
		const other = await retryNode(service, failed, crawlStart(changed), {
			node: { parameters: changed },
		});
		service.instead = undefined;
		const back = await retryNode(service, other, before, { node: { parameters: before } });
		expect(urlsOf(back.items(NODE))).toEqual([site('a'), site('b')]);
		expect(service.count('POST')).toBe(6);
		expect(hintsOf(back).join(' ')).toMatch(/did not use 4 jobs .*job-0, job-1, job-2, job-3/);
	});
});

describe('Start without waiting', () => {
	const random = '={{ $json.url }}-{{ Math.random() }}';

	it.each([
		['crawls', crawlStart({ url: random, waitForCompletion: false })],
		['batches', batchStart({ urlsFrom: 'list', urls: random, waitForCompletion: false })],
	])('puts out the same in a second try as in a first: %s', async (_what, parameters) => {
		let refusals = 1;
		let taken = 0;
		await serve({
			instead: ({ method, body }) => {
				if (method !== 'POST') return { body: { status: 'completed', total: 1 } };
				if (JSON.stringify(body).includes('/c-') && refusals-- > 0) {
					return { status: 403, body: { error: 'Forbidden' } };
				}
				const notes = { invalidURLs: ['x'], promptGeneratedOptions: { limit: 1 } };
				return { body: { success: true, id: `job-${taken++}`, ...notes } };
			},
		});
		const execution = await runNode(service, parameters, {
			items: items('a', 'b', 'c'),
			node: RETRY,
		});
		expect(execution.error).toBeUndefined();
		const starts = service.requests.filter(({ method }) => method === 'POST');
		expect(starts).toHaveLength(4);
		const [a, b, c] = jsonOf(execution.items(NODE));
		expect([a?.id, b?.id, c?.id]).toEqual(['job-0', 'job-1', 'job-2']);
		expect([a?.url ?? a?.urls, b?.url ?? b?.urls]).toEqual(starts.slice(0, 2).map(({ body }) => body.url ?? body.urls));
		expect(Object.keys(c ?? {})).toHaveLength(3);
		for (const first of [a, b]) expect(Object.keys(first ?? {})).toEqual(Object.keys(c ?? {}));
	});
});
