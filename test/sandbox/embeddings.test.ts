import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { ask, field, listOf } from './client.ts';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ seed: 1 });
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.stop());

const embed = (body: object = {}, authorization?: string | null) =>
	ask(sandbox, 'POST', '/v1/embeddings', {
		body: { model: 'sandbox', input: 'What does a battery cost?', ...body },
		...(authorization !== undefined && { authorization }),
	});

async function vectorsOf(body: object): Promise<number[][]> {
	const { body: answer } = await embed(body);
	return listOf(field(answer, 'data')).map((entry) =>
		listOf(field(entry, 'embedding')).map(Number),
	);
}

/** How near two vectors of length 1 are: 1 for the same direction. */
const nearness = (one: readonly number[] = [], other: readonly number[] = []) =>
	one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);

describe('the embeddings', () => {
	it('gives a vector of length 1 for each text, in their order, and counts tokens', async () => {
		const { status, body } = await embed({ input: ['A battery', 'A van'] });
		expect(status).toBe(200);
		expect(field(body, 'object')).toBe('list');
		expect(listOf(field(body, 'data')).map((entry) => field(entry, 'index'))).toEqual([0, 1]);
		for (const vector of await vectorsOf({ input: ['A battery', 'A van'] })) {
			expect(vector).toHaveLength(256);
			expect(nearness(vector, vector)).toBeCloseTo(1);
		}
		expect(field(body, 'usage.total_tokens')).toBe(field(body, 'usage.prompt_tokens'));
		expect(Number(field(body, 'usage.prompt_tokens'))).toBeGreaterThan(3);
		expect(sandbox.stats().creditsUsed).toBe(0);
	});

	it('gives the same text the same vector, alone or among others', async () => {
		const [alone] = await vectorsOf({ input: 'A battery' });
		const [, among] = await vectorsOf({ input: ['A van', 'A battery'] });
		expect(among).toEqual(alone);
	});

	it('puts texts that share words near each other', async () => {
		const [asked, battery, tyres] = await vectorsOf({
			input: [
				'What does a battery cost?',
				'Batteries cost 640 euros to replace.',
				'Winter tyres hold on snow.',
			],
		});
		expect(nearness(asked, battery)).toBeGreaterThan(nearness(asked, tyres) + 0.3);
	});

	it('has a direction for texts without a word that says something', async () => {
		for (const vector of await vectorsOf({ input: ['the', '?!', ' '] }))
			expect(nearness(vector, vector)).toBeCloseTo(1);
	});

	it('gives as many dimensions as asked, for the names of OpenAI too', async () => {
		const model = 'text-embedding-3-small';
		const [vector] = await vectorsOf({ model, input: 'A battery', dimensions: 1536 });
		expect(vector).toHaveLength(1536);
	});

	it('encodes the same vector in base64', async () => {
		const [plain = []] = await vectorsOf({});
		const { body } = await embed({ encoding_format: 'base64' });
		const bytes = Buffer.from(String(field(body, 'data.0.embedding')), 'base64');
		expect(bytes).toHaveLength(plain.length * 4);
		plain.forEach((value, index) => expect(bytes.readFloatLE(index * 4)).toBeCloseTo(value, 6));
	});
});

describe('refusals of the embeddings', () => {
	it.each([
		['no key', 401, 'invalid_api_key', {}, null],
		['another model', 404, 'model_not_found', { model: 'other' }, undefined],
		['no text', 400, null, { input: [] }, undefined],
		['an empty text', 400, null, { input: '' }, undefined],
		['tokens instead of texts', 400, null, { input: [[1, 2]] }, undefined],
		['no dimensions', 400, null, { dimensions: 0 }, undefined],
		['429 on request', 429, 'rate_limit_exceeded', { model: 'sandbox:rateLimit' }, undefined],
	])('has the form of OpenAI: %s', async (_what, expected, code, more, authorization) => {
		const { status, body } = await embed(more, authorization);
		expect([status, field(body, 'error.code')]).toEqual([expected, code]);
		expect(field(body, 'error.message')).toEqual(expect.any(String));
	});

	it('fails as a fault rule for the model says', async () => {
		sandbox.faults.add({ step: 'model', kind: 'status', httpStatus: 503, times: 1 });
		expect((await embed()).status).toBe(503);
		expect((await embed()).status).toBe(200);
	});
});
