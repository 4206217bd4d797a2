import type { INodeParameters } from 'n8n-workflow';

import { recording, runRecorded } from './recordedService';
import { errorText, hintsOf, jsonOf, NODE } from './run';

const on = (resource: string, operation: string, more: INodeParameters = {}): INodeParameters => ({
	resource,
	operation,
	...more,
});
const ID = '01a1ffce-e10c-74d8-b27b-cc3c68d5d343';

/** Recording, parameters, and what the first item must hold. */
const READ: Array<[recorded: string, INodeParameters, expected: object]> = [
	['team-02', on('account', 'getCreditUsage'), { remainingCredits: 99750, planCredits: 100000 }],
	['team-04', on('account', 'getCreditHistory', { byApiKey: true }), { creditsUsed: 1200, apiKey: 'Default' }],
	['team-15', on('account', 'getConcurrency'), { concurrency: 22, maxConcurrency: 10 }],
	[
		'auth26-61',
		on('account', 'updateThreatProtection', {
			mode: 'normal',
			rules: {
				riskScoreThreshold: 70,
				blacklist: '*.bad.example',
				whitelist: 'good.example',
				blockedTlds: 'zip',
				failurePolicy: 'open',
				allowRequestOverrides: true,
			},
		}),
		{ mode: 'normal', riskScoreThreshold: 70, updatedAt: '2026-11-21T20:30:00.625Z' },
	],
	['agent-13', on('agent', 'get', { jobId: ID }), { id: ID, status: 'completed', creditsUsed: 15 }],
	['agent-16', on('agent', 'get', { jobId: ID }), { id: ID, status: 'completed', data: {} }],
	['agent-21', on('agent', 'getTrace', { jobId: ID, liveView: true }), { activeBrowserSessions: [] }],
	[
		'agent-12',
		on('agent', 'cancel', { jobId: ID }),
		{ cancelled: false, id: ID, reason: expect.stringContaining('already finished') },
	],
	[
		'extract-30',
		on('extract', 'get', { jobId: ID }),
		{ status: 'completed', data: { name: 'Baking Rye Bread kit', price: 28.5 }, creditsUsed: 21 },
	],
	[
		'extract-31',
		on('extract', 'get', { jobId: ID, output: 'fullRecord' }),
		{ tokensUsed: 313, expiresAt: '2026-11-22T01:47:57.000Z' },
	],
	[
		'llms-11',
		on('llmsTxt', 'get', { jobId: ID }),
		{ llmstxt: expect.stringContaining('llms.txt'), llmsfulltxt: expect.stringContaining('#') },
	],
];

const SESSION = '01a1ffce-f61f-755a-9ca0-629300eb0d34';
const SCRAPED = '01a1ffcf-485f-7309-9b64-506b6d41d593';

READ.push(
	[
		'browser-52',
		on('browser', 'closeSession', { sessionId: SESSION }),
		{ closed: true, id: SESSION, sessionDurationMs: 0 },
	],
	[
		'browser-07',
		on('browser', 'getMany', { status: 'active' }),
		{
			status: 'active',
			createdAt: '2026-11-21T20:31:56.020Z',
			lastActivity: '2026-11-21T20:31:56.020Z',
		},
	],
	[
		'interact-02',
		on('browser', 'interact', {
			scrapeId: SCRAPED,
			interactBy: 'code',
			code: "console.log('hi')",
		}),
		{
			scrapeId: SCRAPED,
			sessionId: '01a1ffcf-48b3-71af-9bc6-550ee73882ee',
			result: 'hi',
			exitCode: 0,
			liveViewUrl: expect.stringContaining('/view/'),
		},
	],
);

describe('puts out what a real server said', () => {
	it.each(READ)('%s %j', async (name, parameters, expected) => {
		const { execution, seen } = await runRecorded([name], parameters);
		expect(execution.error).toBeUndefined();
		expect(jsonOf(execution.items(NODE))[0]).toMatchObject(expected);
		const { method, path = '', body } = recording(name).request ?? {};
		expect(seen).toHaveLength(1);
		expect(seen[0]?.method).toBe(method);
		if (body !== undefined) expect(seen[0]?.body).toEqual(body);
		// The recorded ids stand for the one that was asked for; v1 paths are those of older servers.
		if (!path.includes(ID)) return;
		expect(seen[0]?.path.split('?')[0]).toBe(path.split('?')[0]);
	});
});

/** Recording of a refusal, parameters, and words that the message must have. */
const REFUSED: Array<[recorded: string, INodeParameters, words: string[]]> = [
	['team-40', on('account', 'getThreatProtection'), ['enterprise feature']],
	[
		'auth26-68',
		on('account', 'updateThreatProtection', { rules: { blockedTlds: '.zip' } }),
		['without the leading dot'],
	],
	['support-01', on('support', 'ask', { question: 'How do I crawl?' }), ['support_agent_unavailable']],
	[
		'feedback-11',
		on('feedback', 'rateJob', { endpoint: 'scrape', jobId: ID, rating: 'good' }),
		['at least one substantive signal'],
	],
	[
		'feedback-15',
		on('feedback', 'rateJob', { endpoint: 'scrape', jobId: ID, rating: 'good', note: 'x' }),
		['scrape job not found for this team'],
	],
	['agent-15', on('agent', 'get', { jobId: ID, waitForCompletion: true }), [ID, 'asked to fail']],
	[
		'agent-11',
		on('agent', 'get', { jobId: ID, waitForCompletion: true }),
		[ID, 'was cancelled', 'Agent was cancelled by user'],
	],
	['agent-40', on('agent', 'cancel', { jobId: ID }), ['does not know the agent job', ID]],
	['agent-41', on('agent', 'getTrace', { jobId: 'not-a-uuid' }), ['the agent job not-a-uuid: the ID']],
	['agent-22', on('agent', 'getTrace', { jobId: ID }), ['does not know the agent job', ID]],
	['agent-24', on('agent', 'getSnapshot', { jobId: ID, snapshotId: 'x' }), ['the snapshot x: the ID']],
	['agent-30', on('agent', 'getMany'), ['not available on this server', 'GET /v2/agent']],
	['agent-31', on('agent', 'getThread', { threadId: ID }), ['not available on this server']],
	[
		'agent-94-bad-effort',
		on('agent', 'start', { prompt: 'x', options: { effort: 'low' } }),
		['does not know the option "effort"'],
	],
	['extract-35', on('extract', 'get', { jobId: ID, waitForCompletion: true }), [ID, 'stub: asked to fail']],
	['extract-60', on('extract', 'start'), ["Either 'urls' or 'prompt' must be provided"]],
	['llms-20', on('llmsTxt', 'get', { jobId: ID }), [ID, 'does not know the LLMs.txt job']],
	['monitor-72', on('monitor', 'delete', { monitorId: ID }), ['or it was deleted', ID]],
	['monitor-64', on('monitor', 'update', { monitorId: ID }), ['Update body cannot be empty']],
];

const runCode = on('browser', 'runCode', { sessionId: SESSION, code: 'x', timeout: 1 });
const interact = on('browser', 'interact', { scrapeId: SCRAPED, prompt: 'click go' });

REFUSED.push(
	['browser-14', runCode, ['The code failed', 'exit code 1, in session', SESSION, 'stub failure', 'still open']],
	['browser-15', runCode, ['ran into its time limit', 'after 1 second,', SESSION, 'Raise Time Limit']],
	['browser-16', runCode, ['browser failed', 'Failed to execute code', 'is not known']],
	['browser-35', runCode, ['does not know the session', SESSION]],
	[
		'browser-36',
		on('browser', 'runCode', { sessionId: 'not-a-uuid', code: 'x' }),
		['does not know the session not-a-uuid'],
	],
	['browser-51', runCode, ['has ended', SESSION, 'Create a new session']],
	['browser-53', on('browser', 'closeSession', { sessionId: SESSION }), ['does not know the session', SESSION]],
	['interact-06', interact, ['The task failed', 'exit code 1, on the scrape', SCRAPED, 'stub failure', 'still open']],
	['interact-07', interact, ['time limit', 'after 30 seconds', 'timed out']],
	['interact-08', interact, ['browser failed', 'Failed to execute code', 'still open']],
	['interact-11', interact, ['The task failed', 'stub: asked to fail']],
	['interact-33', interact, ['cannot be taken up again', 'Scrape the page again']],
	['interact-35', interact, ['does not know the scrape', 'Scrape the page again']],
	['interact-36', interact, ['must be a valid UUID']],
	[
		'interact-37',
		on('browser', 'stopInteraction', { scrapeId: SCRAPED }),
		['There is no interaction to stop', SCRAPED],
	],
	['plain-12', interact, ['keeps no scraped page to interact with', 'stored scrape context']],
);

describe('says what a real server refused', () => {
	it.each(REFUSED)('%s %j: %j', async (name, parameters, words) => {
		const { execution } = await runRecorded([name], parameters);
		// The service's sentence may begin with a capital letter of ours.
		const text = errorText(execution).toLowerCase();
		for (const word of words) expect(text).toContain(word.toLowerCase());
	});
});

it('asks for every part of the activity feed, with one cursor after the other', async () => {
	const names = ['team-22', 'team-23', 'team-24-activity-endpoint-crawl'];
	const { execution, seen } = await runRecorded(
		names,
		on('account', 'getActivity', { endpoint: 'crawl', returnAll: false, limit: 5 }),
	);
	expect(execution.error).toBeUndefined();
	const items = jsonOf(execution.items(NODE));
	expect(items).toHaveLength(5);
	expect(items[0]).toMatchObject({ endpoint: 'batch_scrape', apiVersion: 'v2' });
	expect(items[0]?.createdAt).toBe('2026-11-21T20:04:16.060Z');
	expect(seen).toHaveLength(3);
	const queries = seen.map(({ path }) => new URL(path, 'http://x').searchParams);
	expect(queries.map((query) => query.get('limit'))).toEqual(['100', '100', '100']);
	expect(queries.map((query) => query.get('endpoint'))).toEqual(['crawl', 'crawl', 'crawl']);
	expect(queries[0]?.has('cursor')).toBe(false);
	expect(queries[1]?.get('cursor')).toBe((recording('team-22').response.body as { cursor: string }).cursor);
});

it('starts an agent, waits for it and puts out what it found', async () => {
	const { execution, seen } = await runRecorded(
		['agent-03', 'agent-02', 'agent-13'].map((name) => (name === 'agent-03' ? 'agent-01' : name)),
		on('agent', 'start', {
			prompt: 'Find the CEO and founding year',
			urls: 'http://site.fixture.test:8897/about',
			structure: 'example',
			example: '{ "ceo": "Ann", "founded": 1911 }',
			maxCredits: 50,
		}),
	);
	expect(execution.error).toBeUndefined();
	expect(jsonOf(execution.items(NODE))).toEqual([
		{
			id: ID,
			status: 'completed',
			data: { ceo: 'stub ceo', founded: 7, values: ['stub values', 'stub values'] },
			creditsUsed: 15,
		},
	]);
	expect(seen[0]?.body).toEqual({
		prompt: 'Find the CEO and founding year',
		urls: ['http://site.fixture.test:8897/about'],
		schema: {
			type: 'object',
			properties: { ceo: { type: 'string' }, founded: { type: 'number' } },
			required: ['ceo', 'founded'],
		},
		maxCredits: 50,
	});
	expect(seen.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
	expect(execution.hints(NODE)[0]?.message).toContain('1 result (= 15 credits)');
});

it('puts the files of llms.txt into binary fields', async () => {
	const { execution } = await runRecorded(
		['llms-01', 'llms-02', 'llms-11'],
		on('llmsTxt', 'start', {
			url: 'http://site.fixture.test:8897/',
			maxUrls: 4,
			showFullText: true,
			output: 'files',
		}),
	);
	expect(execution.error).toBeUndefined();
	const [item] = execution.items(NODE);
	expect(item?.binary?.llmstxt).toMatchObject({ fileName: 'llms.txt', mimeType: 'text/plain' });
	expect(item?.binary?.llmsfulltxt).toMatchObject({ fileName: 'llms-full.txt' });
	expect(item?.json).not.toHaveProperty('llmstxt');
});

it('keeps what failed code had printed in the details of its item', async () => {
	const { execution } = await runRecorded(['browser-14'], runCode, {
		onError: 'continueErrorOutput',
	});
	const [item] = execution.items(NODE, 1);
	expect(item?.json).toEqual({
		error: expect.stringContaining('stub failure'),
		details: {
			stdout: '',
			stderr: 'Error: stub failure',
			result: '',
			exitCode: 1,
			killed: false,
		},
	});
});

it('sums seconds and credits of closed sessions in the hint', async () => {
	const { execution } = await runRecorded(['browser-50'], on('browser', 'closeSession', { sessionId: SESSION }));
	expect(hintsOf(execution)).toEqual(['21 browser seconds (= 2 credits).']);
});

it('creates a monitor as a real server takes it', async () => {
	const { execution, seen } = await runRecorded(
		['monitor-04'],
		on('monitor', 'create', {
			name: 'Minimal',
			scheduleBy: 'cron',
			cron: '0 * * * *',
			targets: { target: [{ type: 'scrape', urls: 'http://site.fixture.test:8897/about' }] },
		}),
	);
	expect(execution.error).toBeUndefined();
	expect(seen[0]?.body).toEqual(recording('monitor-04').request?.body);
	expect(jsonOf(execution.items(NODE))[0]).toMatchObject({ name: 'Minimal', status: 'active' });
});

it.each([
	['0 0 31 2 *', 'for the month'],
	['@daily', 'five fields'],
])('refuses the schedule %s before anything is sent', async (cron, words) => {
	const { execution, seen } = await runRecorded(
		['monitor-04'],
		on('monitor', 'create', {
			name: 'm',
			scheduleBy: 'cron',
			cron,
			targets: { target: [{ type: 'scrape', urls: 'https://example.com' }] },
		}),
	);
	expect(errorText(execution)).toContain(`"Cron" must`);
	expect(errorText(execution)).toContain(words);
	expect(seen).toEqual([]);
});

it('puts a check that failed out as an item: n8n takes none of it for a failed one', async () => {
	const listed = recording('monitor-41').response.body as { data: object[] };
	const [check] = listed.data;
	const body = { success: true, data: [{ ...check, status: 'failed', error: 'No luck' }, check] };
	const { execution, seen } = await runRecorded(
		[{ name: 'contract', response: { status: 200, body } }],
		on('monitor', 'getChecks', { monitorId: ID }),
		{ retryOnFail: true, maxTries: 3, waitBetweenTries: 0, onError: 'continueErrorOutput' },
	);
	// The list and what follows it, once each: n8n does not try again.
	expect(seen).toHaveLength(2);
	expect(execution.items(NODE, 1)).toEqual([]);
	const [failed, other] = jsonOf(execution.items(NODE));
	expect(failed).toMatchObject({ status: 'failed', reason: 'No luck' });
	for (const json of [failed, other]) expect(json).not.toHaveProperty('error');
});
