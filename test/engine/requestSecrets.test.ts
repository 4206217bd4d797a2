import { inspect } from 'node:util';

import type { INodeParameters } from 'n8n-workflow';

import { n8nLog } from '../../tools/n8n-engine/index.ts';
import type { Execution } from '../../tools/n8n-engine/index.ts';
import { startScript } from '../helpers/script';
import type { ScriptedService } from '../helpers/script';
import { MonitorService } from './monitorService';
import { errorText, hintsIn, KEY, NODE, runNode } from './run';

const COOKIE = 'sid=c00k13-of-the-shop';
const TOKEN = 'Bearer t0k3n-of-the-shop';
const PASSWORD = 'pa55-of-anna';
const HOOK_SECRET = '0123456789abcdef0123456789abcdef0123456789abcdef';
const SECRETS = [COOKIE, 'c00k13-of-the-shop', 't0k3n-of-the-shop', PASSWORD, HOOK_SECRET];
const BASIC = Buffer.from(`anna:${PASSWORD}`).toString('base64');

const headers = { Cookie: COOKIE, Authorization: TOKEN, 'Accept-Language': 'de' };
const scraped: INodeParameters = {
	url: `https://anna:${PASSWORD}@shop.example/list`,
	scrapeOptions: { headers: JSON.stringify(headers) },
};

const logged: string[] = [];
let service: MonitorService;
/** A service that repeats what it is asked, encoded in several ways, as the answer that `say` makes of it. */
let echo: ScriptedService;
let say: (said: string) => { status: number; body: unknown };

beforeAll(async () => {
	service = await MonitorService.start();
	echo = await startScript(({ text }) =>
		say([text, JSON.stringify(text), encodeURIComponent(text), BASIC].join(' or ')),
	);
});
beforeEach(() => {
	logged.length = 0;
	for (const level of ['info', 'warn', 'error'] as const) {
		jest.spyOn(n8nLog(), level).mockImplementation((...[text]) => void logged.push(text));
	}
});

/** All that a person, an agent or the next node sees of an execution, and n8n's log. */
function shown(execution: Execution): string {
	const items = [0, 1].flatMap((output) => execution.items(NODE, output).map(({ json }) => json));
	const { error } = execution;
	const context = error && 'context' in error ? error.context : {};
	const texts = [items, hintsIn(execution), errorText(execution), error?.stack, context, logged];
	return inspect(texts, { depth: 20, maxArrayLength: null, maxStringLength: null });
}

function expectNoSecret(text: string): void {
	for (const secret of [...SECRETS, BASIC]) {
		expect(text).not.toContain(secret);
		expect(text).not.toContain(encodeURIComponent(secret));
	}
}

async function runOnEcho(parameters: INodeParameters, onError: 'stop' | 'continue') {
	return await runNode(service.sandbox, parameters, {
		credential: { baseUrl: echo.baseUrl, apiKey: KEY },
		...(onError === 'continue' && { node: { onError: 'continueErrorOutput' } }),
	});
}

const scrape = { resource: 'page', operation: 'scrape', ...scraped };
const crawl = { resource: 'crawl', operation: 'start', waitForCompletion: false, ...scraped };

it.each([
	['scrape', scrape, 400],
	['scrape', scrape, 403],
	['crawl', crawl, 400],
])('a refused %s shows neither headers nor passwords of the request', async (_what, asked, status) => {
	say = (said) => ({
		status,
		body: {
			success: false,
			error: `Not with ${said}`,
			details: [{ path: [said], message: said }],
		},
	});
	const stopped = await runOnEcho(asked, 'stop');
	expect(errorText(stopped)).toContain('Not with');
	expectNoSecret(shown(stopped));
	const continued = await runOnEcho(asked, 'continue');
	expect(shown(continued)).toContain('Not with');
	expectNoSecret(shown(continued));
});

/** Names under which services of the world take a credential; each hides its value. */
const CREDENTIAL_HEADERS = [
	...['Authorization', 'Cookie', 'X-Api-Key', 'X-Auth-Token', 'Proxy-Authorization', 'X-Auth-Key', 'X-JWT', 'X-CSRF'],
	...['Ocp-Apim-Subscription-Key', 'X-Functions-Key', 'DD-APPLICATION-KEY', 'X-Access-Key', 'Private-Key'],
	...['Authentication', 'X-Session-Id', 'X-Goog-Iam', 'X-Vault', 'X-Shopify-Access', 'X-Figma', 'X-User-Key'],
	...['X-Client-Id', 'X-App-Key', 'X-License', 'X-Pass', 'X-Pin', 'X-Credential', 'X-Bearer', 'X-Ticket', 'X-Otp'],
	...['X-Identity', 'X-Consumer', 'X-Partner-Code', 'X-Account', 'X-Amz-Security'],
];

it('the value of a header is shown only where its name lets nobody in: 34 names', async () => {
	expect(CREDENTIAL_HEADERS).toHaveLength(34);
	const values = CREDENTIAL_HEADERS.map((_name, at) => `v4lu3-number-${at}-of-34`);
	const all = Object.fromEntries(CREDENTIAL_HEADERS.map((name, at) => [name, values[at]]));
	const options = { headers: JSON.stringify({ ...all, 'Accept-Language': 'de-AT', 'User-Agent': 'Browser-of-anna' }) };
	say = (said) => ({
		status: 400,
		body: { success: false, error: 'No', details: { note: said }, errors: { a: said } },
	});
	const asked = { resource: 'page', operation: 'scrape', url: 'https://shop.example/', scrapeOptions: options };
	for (const onError of ['stop', 'continue'] as const) {
		const text = shown(await runOnEcho(asked, onError));
		for (const value of values) expect(text).not.toContain(value);
	}
	say = (said) => ({
		status: 200,
		body: { success: true, warning: said.slice(0, 20), data: { markdown: 'x', deep: { er: [{ note: said }] } } },
	});
	const text = shown(await runOnEcho({ ...asked, output: 'fullDocument' }, 'stop'));
	for (const value of values) expect(text).not.toContain(value);
	expect(text).toContain('de-AT');
	expect(text).toContain('Browser-of-anna');
});

it.each([
	['no JSON', `Cookie: ${COOKIE}`, 'it is broken at line 1, column 1'],
	['no brace at its end', `{"Authorization":"${TOKEN}"`, 'it is broken at line 1, column'],
	['a list for a text', `{"Cookie":["${COOKIE}"]}`, 'it is an object with Cookie'],
	['a list', `["${COOKIE}"]`, 'it is a list'],
])('headers that cannot be used are not quoted back, but where they are wrong: %s', async (_what, given, where) => {
	for (const parameters of [
		{ ...scrape, scrapeOptions: { headers: given } },
		{ ...crawl, scrapeOptions: {}, options: { webhook: { webhook: { url: 'https://a.example/', headers: given } } } },
		{
			resource: 'extract',
			operation: 'start',
			urls: 'https://a.example/',
			prompt: 'x',
			scrapeOptions: { headers: given },
		},
	] as INodeParameters[]) {
		for (const onError of ['stop', 'continue'] as const) {
			const text = shown(await runOnEcho(parameters, onError));
			expectNoSecret(text);
			if (parameters === scrape) expect(text).toContain(where);
		}
	}
	expect(shown(await runOnEcho({ ...scrape, scrapeOptions: { headers: given } }, 'stop'))).toContain(where);
});

it.each(['\u200b', '\u200f', '\n', '\u00a0', '\u00ad'])(
	'a key with %j in it, as it is copied from a web page, is sent and hidden without it',
	async (unseen) => {
		const typed = `fc-0123456789abcdef${unseen}0123456789abcdef`;
		const key = 'fc-0123456789abcdef0123456789abcdef';
		const sent: unknown[] = [];
		const spelled = [key, key.slice(3), '01234567-89ab-cdef-0123-456789abcdef', typed];
		const server = await startScript(({ headers: given }) => {
			sent.push(given.authorization);
			return { status: 401, body: { success: false, error: `No such key: ${spelled.join(', ')}` } };
		});
		const execution = await runNode(service.sandbox, scrape, {
			credential: { baseUrl: server.baseUrl, apiKey: typed },
			node: { onError: 'continueRegularOutput' },
		});
		expect(sent[0]).toBe(`Bearer ${key}`);
		expect(shown(execution)).toContain('No such key: ***');
		for (const one of spelled) expect(shown(execution)).not.toContain(one);
	},
);

it('an error and a log that name the address show no password in it', async () => {
	say = () => ({ status: 502, body: {} });
	for (const end of ['stop', 'continue'] as const) {
		const execution = await runOnEcho(scrape, end);
		expect(shown(execution)).toContain('No result for');
		expectNoSecret(shown(execution));
	}
});

it('a warning beside a result shows neither headers nor passwords of the request', async () => {
	// Short enough to be shown whole.
	for (const secret of SECRETS.filter((one) => one !== HOOK_SECRET)) {
		say = () => ({
			status: 200,
			body: { success: true, warning: `Asked with ${secret}.`, data: { markdown: '# Page' } },
		});
		const execution = await runOnEcho(scrape, 'stop');
		expect(hintsIn(execution)).toContain('Asked with ***');
		expectNoSecret([hintsIn(execution), ...logged].join(' '));
	}
});

it('the content of a page is put out as it is', async () => {
	say = () => ({
		status: 200,
		body: { success: true, data: { markdown: `You sent ${COOKIE}`, metadata: {} } },
	});
	const execution = await runOnEcho(scrape, 'stop');
	expect(execution.items(NODE)[0]?.json).toMatchObject({ markdown: `You sent ${COOKIE}` });
});

describe('a monitor', () => {
	const webhook = {
		url: `https://n8n.example/webhook/${HOOK_SECRET}/webhook`,
		headers: { 'x-web-data-secret': HOOK_SECRET },
		metadata: {
			borrowedBy: 'n8n-nodes-web-data',
			earlierWebhook: JSON.stringify({ url: 'https://a.example', headers: { Cookie: COOKIE } }),
		},
		events: ['monitor.check.completed'],
	};
	const targets = [
		{
			type: 'scrape',
			urls: [`https://anna:${PASSWORD}@shop.example/`],
			scrapeOptions: { headers },
		},
	];
	const schedule = { text: 'daily at 3:00' };
	let monitorId: string;

	beforeEach(async () => {
		const made = await service.ask('POST', '/v2/monitor', {
			name: 'A',
			schedule,
			targets,
			webhook,
		});
		monitorId = String((made.data as { id?: unknown }).id);
	});

	it.each([
		['get', () => ({ monitorId })],
		['getMany', () => ({ returnAll: true })],
		['update', () => ({ monitorId, options: { name: 'B' } })],
	])('is put out by %s without what its webhook or its sites let in', async (operation, more) => {
		const parameters = { resource: 'monitor', operation, ...more() };
		const execution = await runNode(service.sandbox, parameters);
		expect(execution.error).toBeUndefined();
		expect(execution.items(NODE)[0]?.json).toMatchObject({
			webhook: {
				url: 'https://n8n.example/***',
				headers: { 'x-web-data-secret': '***' },
				metadata: { borrowedBy: 'n8n-nodes-web-data', earlierWebhook: '***' },
				events: ['monitor.check.completed'],
			},
			targets: [
				{
					urls: ['https://***@shop.example/'],
					scrapeOptions: { headers: { Cookie: '***', 'Accept-Language': 'de' } },
				},
			],
		});
		expectNoSecret(shown(execution));
	});
});
