import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { ask, field, listOf } from './client.ts';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ seed: 1 });
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.stop());

const FACTS =
	'The bike lasts 80 km on one battery. The weather was fine in May. A battery costs 640 euros to replace.';
const MESSAGES = [
	{ role: 'assistant', content: FACTS },
	{ role: 'user', content: 'What does a battery cost?' },
];

const chat = (body: object = {}) =>
	ask(sandbox, 'POST', '/v1/chat/completions', {
		body: { model: 'sandbox', messages: MESSAGES, ...body },
	});

async function contentOf(body: object = {}): Promise<unknown> {
	return field((await chat(body)).body, 'choices.0.message.content');
}

describe('the chat model', () => {
	it('answers with sentences of what it was sent, and counts tokens', async () => {
		const { status, body } = await chat();
		expect(status).toBe(200);
		expect(field(body, 'object')).toBe('chat.completion');
		expect(field(body, 'choices.0.finish_reason')).toBe('stop');
		expect(field(body, 'choices.0.message.content')).toMatch(/^A battery costs 640 euros/);
		const prompt = Number(field(body, 'usage.prompt_tokens'));
		const written = Number(field(body, 'usage.completion_tokens'));
		expect(prompt).toBeGreaterThan(30);
		expect(written).toBeGreaterThan(8);
		expect(field(body, 'usage.total_tokens')).toBe(prompt + written);
		expect(sandbox.stats().calls.model).toBe(1);
		expect(sandbox.stats().creditsUsed).toBe(0);
	});

	it('streams the same text, with the tokens last where they are asked for', async () => {
		const whole = await contentOf();
		const { headers, text } = await chat({
			stream: true,
			stream_options: { include_usage: true },
		});
		expect(headers.get('content-type')).toContain('text/event-stream');
		const events = text
			.split('\n\n')
			.map((event) => event.replace(/^data: /, ''))
			.filter(Boolean);
		expect(events.pop()).toBe('[DONE]');
		const chunks = events.map((event): unknown => JSON.parse(event));
		const pieces = chunks.map((chunk) => field(chunk, 'choices.0.delta.content') ?? '');
		expect(pieces.join('')).toBe(whole);
		expect(field(chunks.at(-1), 'usage.total_tokens')).toBeGreaterThan(30);
		expect((await chat({ stream: true })).text).not.toContain('usage');
	});

	it('calls the first tool once, then answers from what it gave', async () => {
		const tools = [
			{
				type: 'function',
				function: {
					name: 'research',
					parameters: {
						type: 'object',
						properties: { depth: { type: 'number' }, query: { type: 'string' } },
						required: ['query', 'depth'],
					},
				},
			},
		];
		const question = { role: 'user', content: 'What does a battery cost?' };
		const { body } = await chat({ messages: [question], tools });
		expect(field(body, 'choices.0.finish_reason')).toBe('tool_calls');
		const call = field(body, 'choices.0.message.tool_calls.0');
		expect(field(call, 'function.name')).toBe('research');
		expect(JSON.parse(String(field(call, 'function.arguments')))).toEqual({
			depth: 1,
			query: question.content,
		});
		const answered = [
			question,
			{ role: 'assistant', content: null, tool_calls: [call] },
			{ role: 'tool', tool_call_id: String(field(call, 'id')), content: FACTS },
		];
		expect(await contentOf({ messages: answered, tools })).toMatch(/^A battery costs 640 euros/);
	});

	it('answers to the names of OpenAI, too', async () => {
		expect(await contentOf({ model: 'gpt-4.1-mini' })).toBe(await contentOf());
	});

	it('takes content in parts, and lists itself', async () => {
		const parts = [{ type: 'text', text: FACTS }];
		const messages = [{ role: 'assistant', content: parts }, MESSAGES[1]];
		expect(await contentOf({ messages })).toBe(await contentOf());
		const { body } = await ask(sandbox, 'GET', '/v1/models');
		expect(listOf(field(body, 'data')).map((model) => field(model, 'id'))).toEqual(['sandbox']);
	});
});

describe('refusals of the chat model', () => {
	it.each([
		['no key', 401, 'invalid_api_key', {}, null],
		['another model', 404, 'model_not_found', { model: 'other' }, undefined],
		['an unknown fault', 404, 'model_not_found', { model: 'sandbox:sings' }, undefined],
		['no messages', 400, null, { messages: [] }, undefined],
		[
			'a prompt that is too long',
			400,
			'context_length_exceeded',
			{ model: 'sandbox:context9' },
			undefined,
		],
		['429 on request', 429, 'rate_limit_exceeded', { model: 'sandbox:rateLimit' }, undefined],
		['500 on request', 500, null, { model: 'sandbox:serverError' }, undefined],
	])('has the form of OpenAI: %s', async (_what, expected, code, more, authorization) => {
		const { status, body } = await ask(sandbox, 'POST', '/v1/chat/completions', {
			body: { model: 'sandbox', messages: MESSAGES, ...more },
			...(authorization !== undefined && { authorization }),
		});
		expect([status, field(body, 'error.code')]).toEqual([expected, code]);
		expect(field(body, 'error.message')).toEqual(expect.any(String));
	});
});

describe('faults of the chat model, by its name', () => {
	it('wraps, breaks off, thinks aloud, answers in parts, refuses, says nothing', async () => {
		const plain = String(await contentOf());
		const of = async (fault: string) => await contentOf({ model: `sandbox:${fault}` });
		expect(await of('fenced')).toContain(`\`\`\`json\n${plain}\n\`\`\``);
		expect(plain.startsWith(String(await of('brokenJson')))).toBe(true);
		expect(await of('thinking')).toMatch(/^<think>[^]*<\/think>\n.*640 euros/);
		expect(await of('parts')).toContainEqual({ type: 'text', text: plain });
		expect(await of('refusal')).toContain("can't help");
		expect(await of('empty')).toBe('');
		expect(await of('changedFigures')).toContain('751 euros');
		expect(await of('unknownCitations')).toContain('[97]');
		expect(await of('fenced+thinking')).toMatch(/^<think>[^]*```json/);
		expect((await chat({ model: 'sandbox:noUsage' })).body).not.toHaveProperty('usage');
	});

	it('strikes as often as a fault rule says', async () => {
		sandbox.faults.add({
			step: 'model',
			kind: 'model',
			fault: 'empty',
			query: 'battery',
			times: 1,
		});
		expect(await contentOf()).toBe('');
		expect(await contentOf()).toContain('640');
		sandbox.faults.add({ step: 'model', kind: 'status', httpStatus: 503, times: 1 });
		expect((await chat()).status).toBe(503);
		expect((await chat()).status).toBe(200);
	});

	it('is not struck by the faults of pages that it is sent', async () => {
		const asked = {
			role: 'user',
			content: 'See https://example.com/try/refuse-402 for the battery',
		};
		expect((await chat({ messages: [MESSAGES[0], asked] })).status).toBe(200);
	});
});
