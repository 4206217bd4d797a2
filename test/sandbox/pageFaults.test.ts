import { startSandbox } from '../../sandbox/server.ts';
import type { FaultRule } from '../../sandbox/control/faultRule.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { ask, field, startedJob } from './client.ts';

const URL = 'http://site.example/';
let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox({ lightWork: true, jobDurationMs: 60_000, seed: 1 });
});
afterEach(() => sandbox.stop());

const CALLS: Array<[FaultRule['step'], string, string, unknown]> = [
	['crawlStart', 'POST', '/v2/crawl', { url: URL }],
	['batchStart', 'POST', '/v2/batch/scrape', { urls: [URL] }],
	['crawlStatus', 'GET', '/v2/crawl/CRAWL', undefined],
	['batchStatus', 'GET', '/v2/batch/scrape/BATCH', undefined],
	['slice', 'GET', '/v2/crawl/CRAWL?skip=0', undefined],
	['errors', 'GET', '/v2/crawl/CRAWL/errors', undefined],
	['errors', 'GET', '/v1/batch/scrape/BATCH/errors', undefined],
	['cancel', 'DELETE', '/v2/crawl/CRAWL', undefined],
	['preview', 'POST', '/v2/crawl/params-preview', { url: URL, prompt: 'x' }],
	['scrape', 'POST', '/v2/scrape', { url: URL }],
	['scrapeStatus', 'GET', '/v2/scrape/x', undefined],
	['map', 'POST', '/v2/map', { url: URL }],
	['search', 'POST', '/v2/search', { query: URL }],
	['developerSearch', 'GET', '/v2/search/developer?query=x', undefined],
	['papers', 'GET', '/v2/search/research/papers?query=x', undefined],
	['account', 'GET', '/v2/team/credit-usage', undefined],
];

it.each(CALLS)('strikes %s at %s %s and nothing else', async (step, method, path, body) => {
	const crawl = await startedJob(sandbox, '/v2/crawl', { url: URL });
	const batch = await startedJob(sandbox, '/v2/batch/scrape', { urls: [URL] });
	const remove = sandbox.faults.add({ step, kind: 'status', httpStatus: 418 });
	for (const [otherStep, ...call] of CALLS) {
		const [otherMethod, otherPath, otherBody] = call;
		// A cancelled crawl would be another one for the calls that follow.
		if (otherMethod === 'DELETE' && otherPath !== path) continue;
		const { status } = await ask(
			sandbox,
			otherMethod,
			otherPath.replace('CRAWL', crawl).replace('BATCH', batch),
			{ body: otherBody },
		);
		expect([otherStep, otherPath, status === 418]).toEqual([
			otherStep,
			otherPath,
			otherStep === step,
		]);
	}
	remove();
	expect(
		(await ask(sandbox, method, path.replace('CRAWL', crawl).replace('BATCH', batch), { body }))
			.status,
	).not.toBe(418);
});

it('means any kind of job by start and status', async () => {
	sandbox.faults.add({ step: 'start', kind: 'htmlError', times: 3 });
	for (const [path, body] of [
		['/v2/crawl', { url: URL }],
		['/v2/batch/scrape', { urls: [] }],
		['/v1/deep-research', { query: 'x' }],
	] as const) {
		expect((await ask(sandbox, 'POST', path, { body })).status).toBe(502);
	}
	const id = await startedJob(sandbox, '/v2/crawl', { url: URL });
	sandbox.faults.add({ step: 'status', kind: 'htmlError' });
	expect((await ask(sandbox, 'GET', `/v2/crawl/${id}`)).status).toBe(502);
	expect((await ask(sandbox, 'GET', `/v2/crawl/${id}?skip=1`)).status).toBe(200);
});

it('matches the address of a crawl and any of a batch', async () => {
	sandbox.faults.add({ query: 'bad', kind: 'reset' });
	await expect(startedJob(sandbox, '/v2/crawl', { url: `${URL}bad` })).rejects.toThrow();
	await expect(
		startedJob(sandbox, '/v2/batch/scrape', { urls: [URL, `${URL}bad`] }),
	).rejects.toThrow();
	await startedJob(sandbox, '/v2/crawl', { url: URL });
	expect(sandbox.stats().starts.total).toBe(1);
});

it('loses the answer of a start that was accepted', async () => {
	sandbox.faults.add({ step: 'crawlStart', kind: 'truncated', when: 'after', times: 1 });
	await expect(startedJob(sandbox, '/v2/crawl', { url: URL })).rejects.toThrow();
	const { body } = await ask(sandbox, 'GET', '/v2/crawl/active');
	expect(field(body, 'crawls.0.id')).toBe(sandbox.stats().starts.list[0]?.id);
});

it('lets crawls and batches fail or vanish', async () => {
	const crawl = await startedJob(sandbox, '/v2/crawl', { url: URL });
	sandbox.faults.add({ step: 'crawlStatus', kind: 'failJob', error: 'no luck', times: 1 });
	expect((await ask(sandbox, 'GET', `/v2/crawl/${crawl}`)).body).toMatchObject({
		success: false,
		status: 'failed',
		error: 'no luck',
	});
	const batch = await startedJob(sandbox, '/v2/batch/scrape', { urls: [URL] });
	sandbox.faults.add({ step: 'batchStatus', kind: 'expire', times: 1 });
	expect((await ask(sandbox, 'GET', `/v2/batch/scrape/${batch}`)).status).toBe(404);
});
