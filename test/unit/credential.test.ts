import { authorizationFor, normalizeBaseUrl } from '../../nodes/service/http/credential';
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

	it('goes to nothing beside the path that the service has on its host', () => {
		const below = 'https://host.example/fc';
		for (const path of ['/fc/v2/scrape', '/fc']) {
			expect(authorizationFor(new URL(path, below), { baseUrl: below, apiKey: 'fc-1' })).not.toEqual({});
		}
		for (const path of ['/other', '/fcx/v2', '/', '/fc/../other']) {
			expect(authorizationFor(new URL(path, below), { baseUrl: below, apiKey: 'fc-1' })).toEqual({});
		}
	});

	it('goes nowhere without a base URL', async () => {
		const failure = await failureOf(() => authorizationFor(url, { apiKey: 'fc-1' }));
		expect(failure.kind).toBe('badInput');
	});
});

describe('a base URL that is none', () => {
	it('is not repeated: a key may have been pasted into it', async () => {
		const key = 'fc-0123456789abcdef0123456789abcdef';
		expect(await messageFor(` ${key} `)).toContain('but it is a text without http:// or https:// at its start.');
		expect(await messageFor(key)).not.toContain(key);
		expect(await messageFor('localhost:3002')).toContain('without http:// or https://');
		expect(await messageFor('https://')).toContain('but it is something else.');
		expect(await messageFor(undefined)).toContain('but it is empty.');
	});

	it('is not repeated when it holds a password without a name', async () => {
		const message = await messageFor('https://:secret@a.example');
		expect(message).toContain('an address with a user name in it');
		expect(message).not.toContain('secret');
	});
});
