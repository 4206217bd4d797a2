import { startPageService } from './pageService';
import type { PageService } from './pageService';
import { errorText, hintsOf, NODE, RETRY, retryNode, runNode } from './run';

let service: PageService;

const URL = 'https://site.example/';

describe('an answer that says success: false with HTTP 200', () => {
	it.each([
		['map', { resource: 'map', operation: 'map', url: URL }, { links: [] }],
		['search', { resource: 'search', operation: 'search', query: 'q' }, { data: { web: [] } }],
		['scrape', { resource: 'page', operation: 'scrape', url: URL }, { data: {} }],
	])("is an error in the service's own words: %s", async (_what, parameters, empty) => {
		const failed = { success: false, error: 'Something went wrong', ...empty };
		service = await startPageService({ instead: () => ({ body: failed }) });
		const execution = await runNode(service, parameters);
		expect(errorText(execution)).toContain('Something went wrong');
		expect(execution.items(NODE)).toEqual([]);
	});

	it('is an error also where it gives no reason', async () => {
		service = await startPageService({
			instead: () => ({ body: { success: false, links: [] } }),
		});
		const execution = await runNode(service, { resource: 'map', operation: 'map', url: URL });
		expect(errorText(execution)).toContain('says that it failed, and not why');
	});
});

describe('calls whose answers the service does not keep, beside one that fails', () => {
	const items = [{ q: 'q0' }, { q: 'q1' }, { q: 'q2' }];
	const ANSWERS = {
		search: { success: true, creditsUsed: 2, data: { web: [{ url: URL, title: 'T' }] } },
		map: { success: true, links: [{ url: URL }] },
	};
	const SEARCH = { resource: 'search', operation: 'search', query: '={{ $json.q }}' };
	const MAP = { resource: 'map', operation: 'map', url: '=https://{{ $json.q }}.example' };

	/** The service refuses what the last item asks for, as long as that is wanted. */
	const serve = async (body: object, isRefused: () => boolean) => {
		service = await startPageService({
			instead: ({ body: { query, url } }) =>
				/q2/.test(String(query ?? url)) && isRefused()
					? { status: 403, body: { success: false, error: 'Forbidden' } }
					: { body },
		});
	};

	it.each([
		['searches', SEARCH, ANSWERS.search],
		['maps', MAP, ANSWERS.map],
	])('are not paid for again by Retry On Fail: %s', async (_what, parameters, answer) => {
		let refusals = 1;
		await serve(answer, () => refusals-- > 0);
		const execution = await runNode(service, parameters, { items, node: RETRY });
		expect(errorText(execution)).toBe('');
		expect(execution.items(NODE)).toHaveLength(3);
		expect(service.count('POST')).toBe(4);
		expect(hintsOf(execution).join(' ')).toContain('2 answers of an earlier try');
	});

	it("are said to be paid for again by n8n's Retry", async () => {
		let isRefused = true;
		await serve(ANSWERS.search, () => isRefused);
		const failed = await runNode(service, SEARCH, { items });
		isRefused = false;
		const retried = await retryNode(service, failed, SEARCH, { items });
		expect(retried.items(NODE)).toHaveLength(3);
		expect(hintsOf(retried).join(' ')).toContain('2 requests of an earlier try were sent and paid for again');
		expect(hintsOf(retried).join(' ')).toContain('(about 4 credits)');
	});
});

describe('a search whose answer is lost, and that the service does not list', () => {
	const search = (maxResults: number) => ({ resource: 'search', operation: 'search', query: 'bikes', maxResults });
	const breaksOnce = async () => {
		let broken = 0;
		const body = { success: true, creditsUsed: 2, data: { web: [{ url: URL, title: 'T' }] } };
		service = await startPageService({
			instead: () => {
				if (broken++ === 0) throw new Error('The connection breaks.');
				return { body };
			},
		});
	};

	it('is sent again by Retry On Fail where it costs little, and that is said', async () => {
		await breaksOnce();
		const execution = await runNode(service, search(10), { node: RETRY });
		expect(errorText(execution)).toBe('');
		expect(hintsOf(execution).join(' ')).toContain('may be paid for twice: bikes');
		expect(service.count('POST')).toBe(2);
	});

	it('is not sent again in this execution where it may cost more than 10 credits, and that is said', async () => {
		await breaksOnce();
		const execution = await runNode(service, search(100), { node: RETRY });
		expect(errorText(execution)).toContain(
			'It may cost more than 10 credits, so a retry of this execution does not send it again: a new execution does.',
		);
		expect(service.count('POST')).toBe(1);
		const retried = await retryNode(service, execution, search(100));
		expect(errorText(retried)).toContain('a new execution does');
		expect(service.count('POST')).toBe(1);
	});
});

it('says in one sentence that there is no such website, and what the service says of it', async () => {
	const error = 'DNS resolution failed for hostname "nothing.example". Possible causes: a typo.';
	const body = { success: false, code: 'SCRAPE_DNS_RESOLUTION_ERROR', error };
	service = await startPageService({ instead: () => ({ status: 500, body }) });
	const url = 'https://nothing.example/';
	const execution = await runNode(service, { resource: 'page', operation: 'scrape', url });
	expect(execution.error?.message).toBe(`No website was found at ${url}`);
	expect(errorText(execution)).toContain('(DNS): check the spelling of the address.');
	expect(errorText(execution)).toContain('DNS resolution failed for hostname');
	expect(errorText(execution)).toContain('(SCRAPE_DNS_RESOLUTION_ERROR)');
	expect(service.count('POST')).toBe(1);
});
