import { readErrorText } from '../../nodes/service/http/refusal';
import { firstSentence, shorten } from '../../nodes/service/http/failure';
import { readAnswer } from '../../nodes/service/http/answer';
import older from '../fixtures/recorded/scrape.json';
import recorded from '../fixtures/recorded2026.json';
import { failureOf } from './caught.ts';

const request = { method: 'POST', path: '/v2/scrape', bucket: 'scrape' } as const;

/** What a user reads when the service answered like this. */
const messageOf = async (name: keyof typeof recorded, status = 400) => {
	const json: unknown = recorded[name];
	const answer = { status, headers: {}, json, text: JSON.stringify(json) };
	return (await failureOf(() => readAnswer(answer, request, 'https://a.example', 0))).message;
};

it.each([
	['scrape-17-json-unknown-key', 'does not know the option "formats.0.bogus"'],
	['scrape-24-question-string', '(formats.0.question: Invalid input: expected string'],
	['scrape-27-attributes-no-selectors', '(formats.0.selectors: Invalid input: expected array'],
	['scrape-41-bad-parser-pdf-maxpages-0', '(parsers.0.maxPages: Too small'],
	['scrape-40-option-actions-unknown', '(actions.0.type: must be one of "wait", "click"'],
	['batch-66-bad-unknown-format', '(formats.0.type: must be one of "markdown", "html"'],
] as const)('names a refused option however deep it sits: %s', async (name, text) => {
	expect(await messageOf(name)).toContain(text);
});

it('names an option that an older server refuses in the same way', async () => {
	const found = older.find(({ name }) => name === 'scrape-26-format-extract-v1');
	expect(readErrorText(found?.response.body as Record<string, unknown>)).toContain(
		'(formats.0.type: must be one of "markdown", "html"',
	);
});

it('says problems that are told twice once', () => {
	const limit = { code: 'too_big', path: ['limit'], message: 'Too big' };
	expect(readErrorText({ error: 'Bad Request', details: [limit, limit] })).toBe('Bad Request (limit: Too big)');
});

it('says a doubled text once, with the field that it is about', async () => {
	expect(await messageOf('scrape-81-bad-url')).toBe(
		'The service refused the request: url: URL must have a valid top-level domain or be an IP address.',
	);
	const unknown = await messageOf('scrape-17-json-unknown-key');
	expect(unknown.match(/bogus/g)).toHaveLength(1);
});

it('names the code of the service', async () => {
	expect(await messageOf('scrape-62-reset', 500)).toContain('(SCRAPE_ALL_ENGINES_FAILED).');
	expect(await messageOf('map-10-timeout-1ms', 408)).toContain('(MAP_TIMEOUT).');
	expect(await messageOf('scrape-81-bad-url')).not.toContain('BAD_REQUEST');
});

it('survives unions in unions without an end', () => {
	let detail: Record<string, unknown> = { code: 'invalid_type', path: ['x'], message: 'Deep' };
	for (let level = 0; level < 50; level++) {
		detail = { code: 'invalid_union', path: ['a'], message: 'Invalid input', errors: [[detail]] };
	}
	expect(readErrorText({ details: [detail] })).toBe('a.a.a.a.a.a: Invalid input');
});

it('cuts between words, and never in one', () => {
	expect(shorten('one two three', 8)).toBe('one two…');
	expect(shorten('one two three', 7)).toBe('one two…');
	expect(shorten('one two three', 13)).toBe('one two three');
	expect(shorten('x'.repeat(100), 10)).toBe(`${'x'.repeat(10)}…`);
	expect(shorten('a\u0000b\n c')).toBe('a b  c');
	expect(firstSentence('It broke. Try again.', 80)).toBe('It broke');
	expect(firstSentence('Version 1.5 is old', 80)).toBe('Version 1.5 is old');
});
