import { isNestedDeeper, MAX_NESTING } from '../../nodes/service/http/answerBody';
import { Secrets } from '../../nodes/service/secrets/secrets';
import { sendRequest } from '../../nodes/service/http/transport';
import { failureOf } from './caught.ts';
import { httpResponse } from './httpResponse.ts';

const request = { method: 'GET', path: '/v1/deep-research/x', bucket: 'crawlStatus' } as const;

/** An object around this many lists. */
const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

const read = async (text: string) =>
	await sendRequest(
		{
			http: async () => await Promise.resolve(httpResponse({ text })),
			baseUrl: 'https://a.example',
			secrets: new Secrets(''),
		},
		request,
	);

it.each([nested(MAX_NESTING), '{}', '5', '{"a":[1,{"b":[]}]}'])('reads %s', async (text) => {
	expect((await read(text)).json).toEqual(JSON.parse(text));
});

it.each([MAX_NESTING + 1, 100_000])('refuses %i levels and says so', async (levels) => {
	const failure = await failureOf(async () => await read(nested(levels)));
	expect(failure).toMatchObject({ kind: 'tooLarge', reached: 'maybe' });
	expect(failure.message).toBe(
		`The answer from https://a.example is nested more than ${MAX_NESTING} levels deep, which n8n cannot store, so it was not used.`,
	);
});

it('counts objects and lists, at their deepest place', () => {
	const value = [{ a: [[]] }, { b: 1 }, []];
	expect([2, 3, 4, 5].map((most) => isNestedDeeper(value, most))).toEqual([
		true,
		true,
		false,
		false,
	]);
	expect(isNestedDeeper('[[[[', 0)).toBe(false);
	expect(isNestedDeeper(null, 0)).toBe(false);
});
