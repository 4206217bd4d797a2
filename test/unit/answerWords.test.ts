import { readAnswer } from '../../nodes/service/http/answer';
import { readErrorText } from '../../nodes/service/http/refusal';
import { failureOf } from './caught.ts';

const request = { method: 'POST', path: '/v2/scrape', bucket: 'scrape' } as const;

async function refused(status: number, json: unknown, headers = {}, text = JSON.stringify(json)) {
	const answer = { status, headers, json, text };
	return await failureOf(() => readAnswer(answer, request, 'https://a.example', 0));
}
const messageOf = async (status: number, json: unknown) => (await refused(status, json)).message;

describe('what a refusal says', () => {
	it.each([
		[418, 'The service refused the request: Told.'],
		[499, 'The service refused the request: Told.'],
		[500, 'The service failed: Told.'],
	])('blames nobody wrongly: HTTP %i', async (status, message) => {
		const failure = await refused(status, { error: 'Told...' });
		expect(failure).toMatchObject({ kind: 'http', message });
	});

	it('says the status where the service says nothing but dots', async () => {
		expect(await messageOf(500, { error: '...' })).toBe('The service failed: HTTP 500.');
	});

	it('keeps the dots within the service’s words', async () => {
		expect(await messageOf(500, { error: 'a.example.. is down' })).toBe('The service failed: a.example.. is down.');
		expect(await messageOf(500, { error: 'a.example is down..', code: 'SITE_DOWN' })).toBe(
			'The service failed: a.example is down (SITE_DOWN).',
		);
	});

	it('takes the blanks around the service’s words away', () => {
		expect(readErrorText({ error: '  Told \n' })).toBe('Told');
	});

	it('says a problem once that the text above says as well', () => {
		const details = [{ message: ' Too big ', path: ['limit'] }];
		expect(readErrorText({ error: 'Too big', details })).toBe('limit:  Too big');
	});

	it('lists several problems, each with its field where it has one', () => {
		const details = [{ message: 'Too big', path: ['limit'] }, { message: 'Too late' }];
		expect(readErrorText({ error: 'Two things', details })).toBe('Two things (limit: Too big; Too late)');
		expect(readErrorText({ details })).toBe('limit: Too big; Too late');
	});
});

describe('a cache without a copy', () => {
	it.each([
		[404, 'SCRAPE_LOCKDOWN_CACHE_MISS', /^The service has no copy .* turn Lockdown off/],
		[500, 'SCRAPE_LOCKDOWN_CACHE_MISS', /^The service has no copy .* turn Lockdown off/],
		[404, 'SCRAPE_NO_CACHED_DATA', /^The service has no copy .* leave Min Age out/],
	])('is told as that, and as nothing done: HTTP %i, %s', async (status, code, says) => {
		const failure = await refused(status, { success: false, code, error: 'No cached data.' });
		expect(failure.message).toMatch(says);
		expect(failure).toMatchObject({
			kind: 'http',
			httpCode: status,
			mayHaveExecuted: false,
			notFound: false,
		});
	});
});

describe('the code of a failure', () => {
	it('is all there is to say where the service has no words', async () => {
		expect(await messageOf(500, { code: 'SITE_DOWN' })).toBe('The service failed: SITE_DOWN.');
	});

	it.each(['SITE_DOWN', 'site_down'])('is shown as it is written: %s', async (code) => {
		expect(await messageOf(500, { error: 'Told', code })).toBe(`The service failed: Told (${code}).`);
	});

	it.each(['constructor', 'toString', '__proto__'])(
		'is no name that JavaScript has for something else: %s',
		async (code) => {
			expect(await messageOf(500, { error: 'Told', code })).toMatch(/^The service failed: Told/);
			const details = [{ code: 'unrecognized_keys', keys: [code], path: [], message: 'Unrecognized' }];
			expect(await messageOf(400, { error: 'Told', details })).toContain(`does not know the option "${code}"`);
		},
	);

	it.each(['xSITE_DOWN', 'SITE_DOWNx', 'A', 'BAD_REQUEST_INVALID_JSON', 'UNKNOWN_ERROR', 5])(
		'is not shown when it is %p',
		async (code) => {
			expect(await messageOf(500, { error: 'Told', code })).toBe('The service failed: Told.');
		},
	);
});

describe('options that the server does not know', () => {
	const unknown = (...keys: string[]) => ({ code: 'unrecognized_keys', keys, message: 'Unknown' });
	const many = (letter: string) => Array.from({ length: 8 }, (_key, index) => `${letter}${index}`);

	it('are named up to ten, however many problems name them', async () => {
		const message = await messageOf(400, {
			details: [unknown(...many('a')), unknown(...many('b'))],
		});
		expect(message.match(/"\w+"/g)).toHaveLength(10);
		expect(message).toContain('"a7", "b0", "b1":');
	});

	it('are followed by what the service says besides', async () => {
		expect(await messageOf(400, { error: 'No room left', details: [unknown('a')] })).toBe(
			'This server does not know the option "a": remove it, or use a newer server. The service says: No room left.',
		);
	});

	it.each(['Bad Request', 'invalid request body', 'Unrecognized key in body -- v2'])(
		'need no words such as %p beside them',
		async (error) => {
			expect(await messageOf(400, { error, details: [unknown('a')] })).toBe(
				'This server does not know the option "a": remove it, or use a newer server.',
			);
		},
	);

	it.each(['This is a bad request', 'Bad request for a.example'])(
		'do not hide words that say more: %p',
		async (error) => {
			expect(await messageOf(400, { error, details: [unknown('a')] })).toContain(error);
		},
	);
});

describe('work that goes on after a 408', () => {
	const goesOn = (more: object) => ({ details: { state: 'processing_continues', ...more } });

	it.each([
		[{ retryAfterSeconds: 30 }, {}, 30_000],
		[{ retryAfterSeconds: 0 }, {}, 5000],
		[{ retryAfterSeconds: 86_400 }, {}, 600_000],
		[{ retryAfterSeconds: 'soon' }, { 'retry-after': '40' }, 40_000],
		[{ retryAfterSeconds: Infinity }, { 'retry-after': '40' }, 40_000],
		[{}, {}, 60_000],
	])('is asked for again after the wait that is named: %j %j', async (more, headers, ms) => {
		expect((await refused(408, goesOn(more), headers)).retryInMs).toBe(ms);
	});

	it.each([{}, { details: { state: 'failed', retryAfterSeconds: 30 } }, { details: 'x' }])(
		'is not waited for where nothing goes on: %j',
		async (body) => {
			expect((await refused(408, body)).retryInMs).toBeUndefined();
		},
	);

	it('does not read a wait out of the service’s words', async () => {
		const error = 'retry after 7s';
		expect((await refused(408, { error, ...goesOn({}) })).retryInMs).toBe(60_000);
	});
});

describe('a redirect', () => {
	it.each([300, 301, 399])('proves that nothing was done: HTTP %i', async (status) => {
		const failure = await refused(status, {}, { other: 'x', Location: 'https://b.example' });
		expect(failure).toMatchObject({ kind: 'redirect', mayHaveExecuted: false, httpCode: status });
		expect(failure.message).toContain('redirects to https://b.example:');
	});

	it.each([{}, { other: 'x' }, { location: ['https://b.example'] }])(
		'may not say where it leads: %j',
		async (headers) => {
			expect((await refused(302, {}, headers)).message).toContain('redirects to another address:');
		},
	);
});

it('knows a web page in the place of JSON, also below blank lines', async () => {
	expect((await refused(200, undefined, {}, '\n <html>')).message).toContain('a web page');
});
