import { inspect } from 'node:util';

import type { INodeParameters } from 'n8n-workflow';

import { n8nLog } from '../../engine/index.ts';
import type { Execution } from '../../engine/index.ts';
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
