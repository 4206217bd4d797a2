import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { ask, ended, field, startedId } from './client.ts';
import { recorded, recording, shapeOf } from './recorded.ts';
import type { Recording } from './recorded.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let sandbox: Sandbox | undefined;

afterEach(async () => {
	await sandbox?.stop();
	sandbox = undefined;
});

/** Repeats the request. For an answer that names a job, id and times differ: then the shape must agree. */
async function expectSameAnswer(running: Sandbox, one: Recording): Promise<void> {
	const { method, path, authorization, body } = one.request;
	const seen = await ask(running, method, path, { body, authorization });
	expect(seen.status).toBe(one.response.status);
	expect(seen.headers.get('content-type')).toBe(one.response.headers['content-type']);
	if (field(one.response.body, 'id') === undefined) {
		expect(seen.body ?? seen.text).toEqual(one.response.body);
		return;
	}
	expect(shapeOf(seen.body)).toEqual(shapeOf(one.response.body));
	expect(field(seen.body, 'id')).toMatch(UUID);
}

describe('deep research as recorded, on a server without authentication', () => {
	const starts = recorded('deep-research').filter(({ name }) => /^dr-(01|05|06|06c|07|08|09|34|35|46)-/.test(name));
	const refusals = recorded('deep-research').filter(({ name }) => /^dr-(2|30|31|32|33|4[0-5])/.test(name));

	it('has the recordings', () => {
		expect(starts).toHaveLength(10);
		expect(refusals).toHaveLength(20);
	});

	it.each(starts)('accepts $name', async (one) => {
		sandbox = await startSandbox({ generation: 2025, keys: [], lightWork: true });
		await expectSameAnswer(sandbox, one);
	});

	it.each(refusals)('refuses $name', async (one) => {
		sandbox = await startSandbox({ generation: 2025, keys: [], lightWork: true });
		await expectSameAnswer(sandbox, one);
	});

	it.each([
		['dr-01-start', 'dr-04-status-completed', {}],
		['dr-05-start-topic-deprecated', 'dr-05b-topic-status', {}],
		['dr-06c-start-json-only', 'dr-06d-json-only-completed', {}],
		['dr-07-start-fail', 'dr-07b-status-failed', {}],
	])('gives for %s the record of %s', async (startName, endName, options) => {
		sandbox = await startSandbox({ generation: 2025, keys: [], jobDurationMs: 1, ...options });
		const id = await startedId(sandbox, recording('deep-research', startName).request.body);
		const expected = recording('deep-research', endName).response.body;
		const record = await ended(sandbox, id);
		expect({ ...Object(shapeOf(record)), error: undefined }).toEqual({
			...Object(shapeOf(expected)),
			data:
				field(shapeOf(expected), 'data.json') === undefined
					? field(shapeOf(expected), 'data')
					: { ...Object(field(shapeOf(expected), 'data')), json: expect.anything() },
			error: undefined,
		});
		expect(typeof field(record, 'error')).toBe(typeof field(expected, 'error'));
		expect(field(record, 'success')).toBe(field(expected, 'success'));
		expect(field(record, 'status')).toBe(field(expected, 'status'));
		expect(field(record, 'maxDepth')).toBe(field(expected, 'maxDepth'));
		expect(field(record, 'activities')).toEqual(field(record, 'data.activities'));
		expect(field(record, 'sources')).toEqual(field(record, 'data.sources'));
		expect(shapeOf(field(record, 'activities.0'))).toEqual(shapeOf(field(expected, 'activities.0')));
		expect(shapeOf(field(record, 'sources.0'))).toEqual(shapeOf(field(expected, 'sources.0')));
		expect(Object.keys(Object(record)).sort()).toEqual(Object.keys(Object(expected)).sort());
	});

	it('goes the course of a failing job word for word (dr-07b)', async () => {
		sandbox = await startSandbox({ generation: 2025, keys: [], jobDurationMs: 1 });
		const id = await startedId(sandbox, recording('deep-research', 'dr-07-start-fail').request.body);
		const expected = recording('deep-research', 'dr-07b-status-failed').response.body;
		const record = await ended(sandbox, id);
		expect(field(record, 'activities.0.message')).toBe(field(expected, 'activities.0.message'));
		expect(field(record, 'currentDepth')).toBe(1);
		expect(field(record, 'totalUrls')).toBe(0);
	});

	it('shows a running job as recorded (dr-02)', async () => {
		let nowMs = Date.UTC(2026, 0, 1, 12, 0, 0, 123);
		sandbox = await startSandbox({
			generation: 2025,
			keys: [],
			lightWork: true,
			jobDurationMs: 60_000,
			now: () => nowMs,
		});
		const id = await startedId(sandbox, recording('deep-research', 'dr-01-start').request.body);
		nowMs += 1000;
		const { body } = await ask(sandbox, 'GET', `/v1/deep-research/${id}`);
		const expected = recording('deep-research', 'dr-02-status-processing-early').response.body;
		expect(shapeOf(body)).toEqual(shapeOf(expected));
		expect(field(body, 'status')).toBe('processing');
		expect(field(body, 'expiresAt')).toBe('2026-01-01T18:00:00.000Z');
	});
});

describe('keys as recorded', () => {
	const accepted = ['auth-09-good-key-start', 'auth-10-good-key-active'];
	const ones = recorded('auth').filter(({ name }) => /^auth-0[1-7]/.test(name) || accepted.includes(name));

	it.each(ones)('$name', async (one) => {
		sandbox = await startSandbox({ generation: 2025, keys: ['fc-sandbox'], lightWork: true });
		await expectSameAnswer(sandbox, one);
		expect(sandbox.stats().refusals.auth).toBe(accepted.includes(one.name) ? 0 : 1);
	});

	it('lets another key of the account read a job (auth-11b)', async () => {
		sandbox = await startSandbox({ generation: 2025, keys: ['fc-sandbox', 'fc-other'] });
		const id = await startedId(sandbox, recording('auth', 'auth-09-good-key-start').request.body);
		const { status, body } = await ask(sandbox, 'GET', `/v1/deep-research/${id}`, {
			authorization: 'Bearer fc-other',
		});
		const expected = recording('auth', 'auth-11b-other-team-reads-research').response;
		expect(status).toBe(expected.status);
		expect(shapeOf(body)).toEqual(shapeOf(expected.body));
	});

	it('refuses a start without credits (auth-20)', async () => {
		sandbox = await startSandbox({ generation: 2025, plan: { credits: 0 } });
		await expectSameAnswer(sandbox, recording('auth', 'auth-20-no-credits-dr'));
		expect(sandbox.stats().refusals.credits).toBe(1);
	});

	it('counts requests a minute in the recorded words (auth-30 to auth-32)', async () => {
		const nowMs = Date.UTC(2026, 10, 21, 1, 50, 35);
		sandbox = await startSandbox({
			generation: 2025,
			lightWork: true,
			plan: { requestsPerMinute: { crawl: 2, crawlStatus: 3 }, retryAfter: 'text' },
			now: () => nowMs,
		});
		const id = await startedId(sandbox, { query: 'auth test' });
		await startedId(sandbox, { query: 'auth test' });
		const third = await ask(sandbox, 'POST', '/v1/deep-research', { body: { query: 'auth test' } });
		const expected = recording('auth', 'auth-30-ratelimit-dr-start-3').response;
		expect(third.status).toBe(429);
		expect(third.headers.get('retry-after')).toBeNull();
		expect(third.body).toEqual(expected.body);

		for (let polls = 0; polls < 3; polls += 1) await ask(sandbox, 'GET', `/v1/deep-research/${id}`);
		const fourth = await ask(sandbox, 'GET', `/v1/deep-research/${id}`);
		expect(field(fourth.body, 'error')).toMatch(/^Rate limit exceeded\. Consumed \(req\/min\): 4, Remaining/);
		// The list of active crawls shares the counter: 5 after 4.
		const active = await ask(sandbox, 'GET', '/v2/crawl/active');
		expect(field(active.body, 'error')).toContain('Consumed (req/min): 5,');
		expect(sandbox.stats().refusals.perMinute).toBe(3);
	});
});

describe('active crawls and unknown routes as recorded', () => {
	it.each(['crawl-01-active-empty'])('%s', async (name) => {
		sandbox = await startSandbox({ generation: 2025, keys: [] });
		await expectSameAnswer(sandbox, recording('active-crawls', name));
	});

	it.each(['crawl-03-active-one', 'crawl-03b-ongoing-alias', 'crawl-42b-two-active'])('%s', async (name) => {
		sandbox = await startSandbox({ generation: 2025, keys: [] });
		const one = recording('active-crawls', name);
		const crawls = field(one.response.body, 'crawls');
		for (const crawl of Array.isArray(crawls) ? crawls : []) sandbox.crawls.add(crawl);
		const seen = await ask(sandbox, 'GET', one.request.path);
		expect(seen.body).toEqual(one.response.body);
	});

	it('fills what a crawl is given without, and takes it off again', async () => {
		sandbox = await startSandbox({ generation: 2025, keys: [] });
		const { remove } = sandbox.crawls.add({ url: 'http://site.example/' });
		const { body } = await ask(sandbox, 'GET', '/v2/crawl/active');
		const expected = recording('active-crawls', 'crawl-42b-two-active').response.body;
		expect(Object.keys(Object(field(body, 'crawls.0')))).toEqual(Object.keys(Object(field(expected, 'crawls.0'))));
		expect(field(body, 'crawls.0.teamId')).toBe('bypass');
		remove();
		expect((await ask(sandbox, 'GET', '/v2/crawl/active')).body).toEqual({
			success: true,
			crawls: [],
		});
	});

	it.each(['other-01-credit-usage', 'other-06-unknown-route'])('%s', async (name) => {
		sandbox = await startSandbox({ generation: 2025, keys: [] });
		await expectSameAnswer(sandbox, recording('other', name));
	});
});
