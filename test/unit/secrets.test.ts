import fc from 'fast-check';

import { readAnswer } from '../../nodes/service/http/answer';
import { Secrets, normalizeKey } from '../../nodes/service/secrets';
import { sendRequest } from '../../nodes/service/http/transport';
import { failureOf } from './caught.ts';
import { httpResponse } from './httpResponse.ts';

const request = { method: 'GET', path: '/v2/crawl/1', bucket: 'crawlStatus' } as const;

async function answerOf(key: string, text: string, status = 200, headers = {}) {
	return await sendRequest(
		{
			http: async () => await Promise.resolve(httpResponse({ text, status, headers })),
			baseUrl: 'https://a.example',
			secrets: new Secrets(key),
		},
		request,
	);
}

const keys = fc.oneof(
	fc.uuid().map((id) => `fc-${id.replaceAll('-', '')}`),
	// As long as it must be to be hidden in answers, in what is sent of it.
	fc.string({ minLength: 8, maxLength: 60 }).filter((text) => normalizeKey(text).length >= 8),
	fc.constant('a/b+c=d"e\\f g%h&i'),
);

const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');

/** Every character in an escape that JSON does not ask for. */
const escaped = (text: string) =>
	text.replace(/[^]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

describe('what the service repeats of the key', () => {
	it('is hidden in every text and name of an answer, however deep, and nothing else is', async () => {
		await fc.assert(
			fc.asyncProperty(keys, fc.jsonValue({ maxDepth: 4 }), async (key, other) => {
				const body = { other, reason: `No such key: ${key}!`, list: [{ [`x${key.trim()}`]: 1 }] };
				const { json } = await answerOf(key, JSON.stringify(body));
				const { reason, list } = json as typeof body;
				expect(reason).not.toContain(key.trim());
				expect(JSON.stringify(list)).toContain('***');
				expect(reason).toMatch(/^No such key: .*\*\*\*.*!$/s);
				if (!JSON.stringify(other).includes(key.trim().slice(0, 4))) {
					// As it comes out of JSON: that has no -0.
					expect((json as typeof body).other).toEqual(JSON.parse(JSON.stringify(other)));
				}
			}),
		);
	});

	it('is hidden as an address, as JSON in JSON, in base64 and in escapes', async () => {
		await fc.assert(
			fc.asyncProperty(keys, fc.string({ maxLength: 5 }), async (typed, before) => {
				const key = typed.trim();
				const spellings = [
					encodeURIComponent(key.replace(/\p{Surrogate}/gu, '\ufffd')),
					JSON.stringify({ key }),
					base64(`${before}${key}`),
				];
				for (const spelling of spellings) {
					const { json } = await answerOf(key, JSON.stringify({ spelling }));
					expect(json).not.toEqual({ spelling });
				}
				const { json } = await answerOf(key, `{"a":"${escaped(key)}"}`);
				expect(json).toEqual({ a: '***' });
			}),
		);
	});

	it('is hidden in headers, such as where a redirect leads', async () => {
		const key = 'fc-0123456789abcdef';
		const answer = await answerOf(key, '', 302, { location: `https://b.example/?key=${key}` });
		const failure = await failureOf(async () => {
			await Promise.resolve();
			return readAnswer(answer, request, 'https://a.example', 0);
		});
		expect(failure.message).toContain('https://b.example/?key=***');
	});

	it('leaves no beginning behind where a text is cut', async () => {
		const key = 'fc-0123456789abcdef';
		for (let before = 470; before < 510; before++) {
			const error = `${'x'.repeat(before)}${key}`;
			const answer = await answerOf(key, JSON.stringify({ error }), 400);
			const failure = await failureOf(async () => {
				await Promise.resolve();
				return readAnswer(answer, request, 'https://a.example', 0);
			});
			expect(failure.message).not.toContain('fc-');
		}
	});
});

it('takes nothing out of an answer for a key that is empty or too short to be one', async () => {
	const body = { a: 'a test of texts', b: '' };
	for (const key of ['', ' ', 'test', 'a']) {
		expect((await answerOf(key, JSON.stringify(body))).json).toEqual(body);
	}
});

it('hides even a short key in a message of ours', () => {
	expect(new Secrets('abc').inMessage('No key "abc".')).toBe('No key "***".');
	expect(new Secrets('').inMessage('No key.')).toBe('No key.');
});
