import { refusesCalls } from '../../nodes/WebData/run/suspension/refusedCall';

const refused = (message: string, body?: Record<string, unknown>, httpCode = 400) =>
	refusesCalls({ httpCode, message: `The service refused the request: ${message}.` }, body);

const UNKNOWN = 'Unrecognized key in body: webhook';

it.each([undefined, {}, { url: 'https://site.example' }])(
	'a server that knows no webhook is told by its words: %j',
	(body) => expect(refused(UNKNOWN, body)).toBe(true),
);

it.each(['b', 'web', 'hook', 'o', 'nav'])(
	'it is whatever else was asked for, such as the tag "%s"',
	(tag) => expect(refused(UNKNOWN, { scrapeOptions: { excludeTags: [tag] } })).toBe(true),
);

it.each([
	[{ url: 'https://site.example/webhooks' }, 'https://site.example/webhooks cannot be crawled'],
	[
		{ schema: { type: 'object', properties: { webhookUrl: { type: 5 } } } },
		'Invalid schema: properties.webhookUrl.type must be a string',
	],
	[{ prompt: 'Which WebHooks?', limit: 3, webhook: null }, 'Prompt "Which WebHooks?" is short'],
])('a refusal that quotes what was asked for is one of that: %j', (body, message) => {
	expect(refused(message, body)).toBe(false);
});

it.each([401, 402, 403, 422, 500])('HTTP %i is no refusal of the calls', (httpCode) => {
	expect(refused(UNKNOWN, {}, httpCode)).toBe(false);
});
