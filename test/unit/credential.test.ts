import { authorizationFor, missingKeyText, normalizeBaseUrl } from '../../nodes/service/http/credential';
import { failureOf } from './caught.ts';

const messageFor = async (input: unknown) => (await failureOf(() => normalizeBaseUrl(input))).message;

describe('the key', () => {
	const url = new URL('https://a.example/v2/scrape');
	const baseUrl = 'https://a.example/v1';

	it('goes to the configured origin, without the blanks that were pasted with it', () => {
		expect(authorizationFor(url, { baseUrl, apiKey: ' fc-1 \n' })).toEqual({
			Authorization: 'Bearer fc-1',
		});
	});

	it.each(['http://a.example/v2', 'https://a.example:8443/v2', 'https://b.example/', 'https://x.a.example/'])(
		'does not go to %s',
		(other) => {
			expect(authorizationFor(new URL(other), { baseUrl, apiKey: 'fc-1' })).toEqual({});
		},
	);

	it.each([undefined, null, '', '  ', 5])('is not sent when it is %p', (apiKey) => {
		expect(authorizationFor(url, { baseUrl, apiKey })).toEqual({});
	});

	it('is asked for by the address that wants it', () => {
		expect(missingKeyText('https://a.example')).toMatch(/no API key, and https:\/\/a\.example asks/);
	});

	it('goes nowhere without a base URL', async () => {
		const failure = await failureOf(() => authorizationFor(url, { apiKey: 'fc-1' }));
		expect(failure.kind).toBe('badInput');
	});
});

describe('a base URL that is none', () => {
	it('is repeated as it was typed, without blanks and not at length', async () => {
		expect(await messageFor(' nonsense ')).toContain('but it is "nonsense".');
		expect(await messageFor('x'.repeat(500))).toContain(`but it is "${'x'.repeat(80)}".`);
		expect(await messageFor(undefined)).toContain('but it is "".');
	});

	it('is not repeated when it holds a password without a name', async () => {
		const message = await messageFor('https://:secret@a.example');
		expect(message).toContain('an address with a user name in it');
		expect(message).not.toContain('secret');
	});
});
