import type { NodeOverride } from '../../tools/n8n-engine/index.ts';
import type { FaultRule } from '../../sandbox/control/faultBook.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { hintsOf, NODE, RETRY, retryNode, runNode, sourceItems, startSandbox } from './run';

const COUNT = 30;
const ITEMS = Array.from({ length: COUNT }, (_unused, index) => ({
	url: `https://example.com/?page=${index}`,
}));
const SCRAPE = { resource: 'page', operation: 'scrape', url: '={{ $json.url }}' };

let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox();
});

const run = async (node: NodeOverride = {}) => await runNode(sandbox, SCRAPE, { items: ITEMS, node });

/** One scrape fails, after some others were let through. */
const failOnce = () =>
	sandbox.faults.add({
		step: 'scrape',
		kind: 'body',
		httpStatus: 500,
		body: { success: false, code: 'SCRAPE_ALL_ENGINES_FAILED', error: 'No engine got it.' },
		skip: 5,
		times: 1,
	});
const paidScrapes = () =>
	sandbox.requests().filter(({ method, path, status }) => {
		return method === 'POST' && path === '/v2/scrape' && status === 200;
	}).length;

it('pays for no page twice when Retry On Fail repeats a run that failed on one', async () => {
	failOnce();
	const execution = await run(RETRY);
	expect(execution.error).toBeUndefined();
	expect(sourceItems(execution.items(NODE))).toEqual([...ITEMS.keys()]);
	expect(paidScrapes()).toBe(COUNT);
	const hints = hintsOf(execution);
	expect(hints).toContainEqual(expect.stringMatching(/^Collected \d+ pages of an earlier try/));
});

it('scrapes a page again that the service no longer has', async () => {
	failOnce();
	const execution = await run();
	const before = paidScrapes();
	sandbox.reset();
	const retried = await retryNode(sandbox, execution, SCRAPE);
	expect(retried.error).toBeUndefined();
	expect(retried.items(NODE)).toHaveLength(COUNT);
	expect(paidScrapes()).toBe(COUNT);
	expect(before).toBeGreaterThan(0);
});

it('pays for no page twice that the service shows only seconds after it was scraped', async () => {
	failOnce();
	sandbox.faults.add({
		step: 'scrapeStatus',
		kind: 'body',
		httpStatus: 404,
		body: { success: false, error: 'Job not found.' },
		times: 40,
	});
	const execution = await run(RETRY);
	expect(execution.error).toBeUndefined();
	expect(sourceItems(execution.items(NODE))).toEqual([...ITEMS.keys()]);
	expect(paidScrapes()).toBe(COUNT);
});

/** What servers without a store of scrapes answer to `GET /v2/scrape/{id}`, and what a proxy may. */
const REFUSALS: Array<[string, FaultRule]> = [
	['400', { kind: 'body', httpStatus: 400, body: { error: 'No results: zero data retention' } }],
	['404 of a missing route', { kind: 'body', httpStatus: 404, body: 'Cannot GET' }],
	['500', { kind: 'status', httpStatus: 500 }],
	['501', { kind: 'status', httpStatus: 501 }],
	['200 without the page', { kind: 'body', httpStatus: 200, body: { success: true } }],
	['a web page', { kind: 'html' }],
];

it.each(REFUSALS)('scrapes again what cannot be read back: %s', async (_what, fault) => {
	failOnce();
	const execution = await run();
	const before = paidScrapes();
	sandbox.faults.add({ ...fault, step: 'scrapeStatus' });
	const retried = await retryNode(sandbox, execution, SCRAPE);
	expect(retried.error).toBeUndefined();
	expect(retried.items(NODE)).toHaveLength(COUNT);
	expect(paidScrapes()).toBe(before + COUNT);
	const hints = hintsOf(retried);
	expect(hints).toContainEqual(
		expect.stringMatching(/^\d+ pages of an earlier try could not be collected, so were requested/),
	);
	// Nothing was changed, and Get would not collect them either.
	expect(hints.join(' ')).not.toContain('asks for something else');
});

describe('an address that differs at each evaluation', () => {
	const differing = { ...SCRAPE, url: '={{ $json.url }}&at={{ Math.random() }}' };
	const run = async (node: NodeOverride = {}) => await runNode(sandbox, differing, { items: ITEMS, node });

	it('is paid for once in a Retry in which nothing was edited', async () => {
		failOnce();
		const execution = await run();
		const retried = await retryNode(sandbox, execution, differing);
		expect(retried.error).toBeUndefined();
		expect(sourceItems(retried.items(NODE))).toEqual([...ITEMS.keys()]);
		expect(paidScrapes()).toBe(COUNT);
		const hints = hintsOf(retried);
		expect(hints.join(' ')).not.toContain('did not use');
	});

	it('is scraped again after the node was edited, which names the scrapes that it left', async () => {
		failOnce();
		const execution = await run();
		const before = paidScrapes();
		const parameters = { ...differing, url: `${differing.url}&edited` };
		const retried = await retryNode(sandbox, execution, parameters);
		expect(retried.error).toBeUndefined();
		expect(paidScrapes()).toBe(before + COUNT);
		const hints = hintsOf(retried);
		expect(hints.join(' ')).toMatch(
			new RegExp(`did not use ${before} jobs? or scrapes? .*Page · Get collects them by ID`),
		);
	});
});
