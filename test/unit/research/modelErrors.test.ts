import { readModelError } from '../../../nodes/research/model/modelCaller';
import { claimsOf, dataIn, modelError, site, World } from './world.ts';

const URL_1 = 'https://one.example/a';
const PAGES = {
	[URL_1]: 'Acme was founded in 1990 in Graz.',
	'https://two.example/b': 'Acme employs 1,200 people today.',
};
const SECRET = 'sk-secret-key';

describe('a model that does not answer', () => {
	it.each([429, 500, 502, 503, 529, 408])('is asked again after HTTP %s', async (status) => {
		const world = new World(PAGES, {
			gaps: (_, count) => (count < 3 ? modelError(status) : '{"answered": [1, 2], "queries": []}'),
		});
		expect((await world.run()).status).toBe('completed');
		expect(world.count('gaps')).toBe(3);
	});

	it('is asked again when it says so', async () => {
		const world = new World(PAGES, {
			plan: (_, count) => (count === 1 ? modelError(429, '', { headers: { 'retry-after': '40' } }) : '{}'),
		});
		const result = await world.run();
		expect(result.usage.seconds).toBeGreaterThan(40);
		expect(result.usage.seconds).toBeLessThan(70);
	});

	it('that refuses calls for minutes is told each time, and in the result', async () => {
		const world = new World(PAGES, {
			plan: (_, count) => (count < 3 ? modelError(429, '', { headers: { 'retry-after': '40' } }) : '{}'),
		});
		const waits: unknown[] = [];
		world.onModelWait = (wait) => waits.push(wait);
		const { warnings } = await world.run();
		expect(waits).toEqual([
			{ status: 429, waitMs: expect.any(Number) },
			{ status: 429, waitMs: expect.any(Number) },
		]);
		expect(warnings.join(' ')).toMatch(/refused calls for now \(HTTP 429\), so the research waited [89]\d s for it/);
	});

	it.each([
		[401, 'The chat model refused its credential (HTTP 401). Check the credential'],
		[
			404,
			"switch off Use Responses API, which many servers that speak OpenAI's language do not have; else check the base URL",
		],
		[402, 'The account of the chat model has no credit left (HTTP 402).'],
		[503, 'The chat model did not answer (HTTP 503).'],
		[429, 'The chat model refused too many calls (HTTP 429).'],
	])('ends the run after HTTP %s with a sentence and without its own text', async (status, message) => {
		const world = new World(PAGES, { write: () => modelError(status, `bad key ${SECRET}`) });
		const failure: unknown = await world.run({ timeLimitMs: 3_000_000 }).catch((error: unknown) => error);
		expect(failure).toMatchObject({ kind: 'model', httpCode: status });
		expect(String(failure)).toContain(message);
		expect(String(failure)).not.toContain(SECRET);
		const requests = world.requests.length;
		world.script.write = undefined;
		expect((await world.run({ timeLimitMs: 3_000_000 })).status).toBe('completed');
		expect(world.requests.length).toBe(requests + 1);
	});

	it('gets smaller pieces when a page is too long for it', async () => {
		const world = new World(
			{
				[URL_1]: Array.from(
					{ length: 120 },
					(_, at) => `Sentence ${at} is about Acme${' and its long history'.repeat(9)}.`,
				).join('\n\n'),
			},
			{
				read: (request) =>
					request.user.length > 4000
						? modelError(400, "This model's maximum context length is 4096 tokens")
						: JSON.stringify({ claims: claimsOf(dataIn(request)[0] ?? '') }),
			},
		);
		const result = await world.run();
		expect(result.claims).toHaveLength(120);
		expect(result.skippedPages).toEqual([]);
	});

	it('reads a long page in one piece where its server counts no tokens, and says 0', async () => {
		const text = Array.from({ length: 60 }, (_, at) => `Acme has ${at + 100} boats in port number ${at + 1}.`).join(
			' ',
		);
		const world = new World({ [URL_1]: text.repeat(4) });
		const counted = world.usual('read');
		world.script.read = async (request, count) => {
			const content = await counted(request, count);
			return typeof content === 'string' ? { content, inputTokens: 0, outputTokens: 0 } : content;
		};
		const result = await world.run();
		expect(world.count('read')).toBe(1);
		expect(result.skippedPages).toEqual([]);
	});

	it('ends the research when it refuses its credential while pages are read, and no further page is paid for', async () => {
		const pages = Object.fromEntries(Object.entries(site(60)));
		const world = new World(pages, { read: (_, count) => (count < 3 ? '{"claims": []}' : modelError(401)) });
		await expect(world.run({ maxPages: 60, concurrentModelCalls: 2 })).rejects.toThrow(/refused its credential/);
		expect(world.scraped.length).toBeLessThan(20);
	});

	it('leaves the result partial where it does not say what is missing', async () => {
		const result = await new World(PAGES, { gaps: () => 'Bananas.' }).run({ maxRounds: 3 });
		expect(result).toMatchObject({ status: 'partial', endedBy: 'model' });
		expect(result.closing).toContain('so it is not known what is missing');
		expect(result.finalAnalysis).toContain('1,200 people');
	});

	it('gets half of the claims when all of them are too long for it', async () => {
		const world = new World(
			{
				[URL_1]: Array.from({ length: 40 }, (_, at) => `Sentence ${at} is about Acme.`).join('\n\n'),
			},
			{
				write: (request, count) =>
					count === 1 ? modelError(413) : `${dataIn(request)[0]?.split('\n')[0]?.replace('[1] ', '')} [1]`,
			},
		);
		const result = await world.run();
		expect(result.finalAnalysis).toContain('Sentence 0 is about Acme [');
		expect(result.warnings).toEqual([
			'The report rests on 20 of 40 claims: all of them were too many for the chat model or the limit of tokens.',
		]);
	});
});

it('reads errors however they are wrapped', () => {
	const kind = (error: unknown) => readModelError(error, 0).kind;
	expect(kind({ response: { status: 401 } })).toBe('useless');
	expect(kind({ httpCode: '429' })).toBe('wait');
	expect(kind(new Error('x', { cause: modelError(400) }))).toBe('refused');
	expect(kind(modelError(400, 'prompt is too long: 9 tokens'))).toBe('tooLong');
	expect(kind({ status: 400, code: 'context_length_exceeded' })).toBe('tooLong');
	expect(kind(new Error('fetch failed'))).toBe('wait');
	expect(kind(undefined)).toBe('wait');
	const headers = new Headers({ 'retry-after': '7' });
	expect(readModelError({ status: 429, headers }, 0).retryAfterMs).toBe(7000);
});
