import fc from 'fast-check';

import { Secrets, isCredentialName, withoutSecretSettings } from '../../nodes/service/secrets';

/** Any text that a header or a password may be, with all that a pattern or an encoding makes much of. */
const secretText = fc
	.string({
		unit: fc.oneof(fc.constantFrom(...'.*+?^${}()|[]\\/"\'%&=;:@# <>,'), fc.constantFrom(...'abcXYZ019äß€')),
		minLength: 6,
		maxLength: 40,
	})
	.map((text) => `q${text.trim()}7`);

const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');

const spellings = (secret: string) => [
	secret,
	encodeURIComponent(secret),
	JSON.stringify(secret).slice(1, -1),
	JSON.stringify(JSON.stringify(secret)).slice(3, -3),
];

/** What a service says that repeats a text in all ways, in a value, a name and a list. */
const answers = (secret: string) =>
	spellings(secret).map((text) => ({
		error: `It is ${text}!`,
		details: [{ [text]: `[${text}]` }],
	}));

function expectHidden(body: object, secret: string, more: string[] = []): void {
	const secrets = new Secrets('fc-0123456789abcdef');
	secrets.learn(body);
	for (const said of [...answers(secret), ...more.map((error) => ({ error }))]) {
		const shown = JSON.stringify(secrets.inSaid(said));
		for (const spelling of spellings(secret)) expect(shown).not.toContain(spelling);
	}
	for (const text of more) expect(secrets.inMessage(`Is ${text}.`)).not.toContain(text);
}

describe('what a request holds of secrets is hidden in what is said about it', () => {
	it.each(['Cookie', 'authorization', 'X-Api-Key', 'X-Web-Data-Secret'])('a header %s', (name) => {
		fc.assert(
			fc.property(secretText, fc.boolean(), (secret, isDeep) => {
				const headers = { [name]: secret };
				expectHidden(isDeep ? { scrapeOptions: { headers } } : { headers }, secret);
			}),
		);
	});

	it('every header of a webhook, and all of its address behind the host', () => {
		fc.assert(
			fc.property(secretText, (secret) => {
				expectHidden({ webhook: { url: 'https://a.example', headers: { A: secret } } }, secret);
				const path = `/hook/${encodeURIComponent(secret)}?signature=5ea1ed`;
				expectHidden({ webhook: { url: `https://a.example${path}` } }, path, ['5ea1ed']);
			}),
		);
	});

	it('user and password of an address, also as a Basic header', () => {
		fc.assert(
			fc.property(secretText, (password) => {
				const user = `anna:${encodeURIComponent(password)}`;
				const body = { urls: [`https://${user}@a.example/`] };
				expectHidden(body, encodeURIComponent(password), [base64(`anna:${password}`)]);
				const basic = { headers: { Authorization: `Basic ${base64(`anna:${password}`)}` } };
				expectHidden(basic, password, [base64(`anna:${password}`)]);
			}),
		);
	});

	it('a short password where it is a word, and no part of another word', () => {
		const secrets = new Secrets('');
		secrets.learn({ url: 'https://anna:test@a.example' });
		expect(secrets.inMessage('"test" is the latest.')).toBe('"***" is the latest.');
	});

	it('the names and values that are no secret stay', () => {
		fc.assert(
			fc.property(fc.jsonValue({ maxDepth: 3 }), (other) => {
				const secrets = new Secrets('');
				secrets.learn({ other, headers: { 'Accept-Language': 'de-DE' } });
				const error = 'The language de-DE of the page is not known (page 7).';
				expect(secrets.inSaid({ error })).toEqual({ error });
			}),
		);
	});
});

it('is hidden in every spelling that a server may answer in', () => {
	const secret = 'pä55 & "w0rd" of anna';
	const secrets = new Secrets('');
	secrets.learn({ headers: { 'X-Own': secret } });
	const spellings = [
		secret,
		encodeURIComponent(secret),
		encodeURIComponent(secret).replaceAll('%20', '+'),
		JSON.stringify(secret).slice(1, -1),
		JSON.stringify(secret).slice(1, -1).replace('ä', '\\u00e4'),
		secret.replace('&', '&amp;').replaceAll('"', '&quot;'),
		secret.replace('&', '&#38;').replaceAll('"', '&#34;'),
		Buffer.from(secret).toString('base64'),
	];
	for (const spelling of spellings) {
		const deep = { a: [{ b: { c: [{ d: { e: { f: { errorMessage: `No: ${spelling}` } } } }] } }] };
		expect(JSON.stringify(secrets.inResult(deep))).toContain('No: ***');
		expect(secrets.inMessage(`No: ${spelling}`)).toMatch(/^No: \*{3}(?:Q==)?$/);
	}
});

it('a credential is known by the name of its header', () => {
	const known = ['Cookie', 'set-cookie', 'AUTHORIZATION', 'x-api-key', 'X-Auth-Token', 'my_secret'];
	expect(known.map(isCredentialName)).toEqual(known.map(() => true));
	expect(['Accept', 'Author', 'tokens', 'Design'].some(isCredentialName)).toBe(false);
});

it('settings are shown without what monitors, actions and addresses hold of secrets', () => {
	const settings = {
		targets: [
			{
				urls: ['https://a.example/list?page=2&token=t0k3n#access_token=x'],
				scrapeOptions: {
					headers: { 'X-Session-Id': 's3', Referer: 'https://a.example/' },
					actions: [
						{ type: 'write', text: 'pa55' },
						{ type: 'executeJavascript', script: 'login("pa55")' },
						{ type: 'click', selector: '#in' },
					],
				},
			},
		],
		webhookUrl: 'https://hooks.example/T/B/s3cret',
		webhooks: [{ url: 'https://hooks.example/T/B/s3cret', secret: 's' }, 'https://hooks.example/x'],
		notification: { slack: { url: 'https://hooks.example/T/B/s3cret', channel: '#a' }, email: true },
		secret: 's3cret',
		webhookSecret: 's3cret',
		maxTokens: 5,
	};
	expect(withoutSecretSettings(settings)).toEqual({
		targets: [
			{
				urls: ['https://a.example/list?page=2&token=***#access_token=***'],
				scrapeOptions: {
					headers: { 'X-Session-Id': '***', Referer: 'https://a.example/' },
					actions: [
						{ type: 'write', text: '***' },
						{ type: 'executeJavascript', script: '***' },
						{ type: 'click', selector: '#in' },
					],
				},
			},
		],
		webhookUrl: 'https://hooks.example/***',
		webhooks: [{ url: 'https://hooks.example/***', secret: '***' }, 'https://hooks.example/***'],
		notification: { slack: { url: 'https://hooks.example/***', channel: '#a' }, email: true },
		secret: '***',
		webhookSecret: '***',
		maxTokens: 5,
	});
});

it('settings are shown without the webhook and the headers of a login', () => {
	const settings = {
		webhook: {
			url: 'https://u:p@n8n.example:8443/webhook/1?a=b',
			headers: { a: 'b' },
			events: ['x'],
		},
		other: { webhook: 'https://n8n.example/webhook/1' },
		headers: { Cookie: 'a=b', Accept: 'text/html' },
		none: { webhook: null, headers: null },
		urls: ['https://anna:pa55@a.example/', 'https://b.example/'],
	};
	expect(withoutSecretSettings(settings)).toEqual({
		webhook: { url: 'https://n8n.example:8443/***', headers: { a: '***' }, events: ['x'] },
		other: { webhook: 'https://n8n.example/***' },
		headers: { Cookie: '***', Accept: 'text/html' },
		none: { webhook: null, headers: null },
		urls: ['https://***@a.example/', 'https://b.example/'],
	});
});
