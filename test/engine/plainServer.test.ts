import type { INodeParameters } from 'n8n-workflow';

import plain from '../fixtures/plainServer.json';
import search from '../fixtures/recorded/2026/search.json';
import team from '../fixtures/recorded/2026/team.json';
import type { ScriptAnswer } from '../helpers/script';
import { serve, service } from './pageService';
import { errorText, hintsIn, runNode } from './run';

// A server of one's own without a database, as most are, answers as it was recorded.

/** Answers in place of what was recorded. */
let instead: Record<string, ScriptAnswer> = {};

beforeAll(async () => {
	await serve({
		instead: ({ method, path }) => {
			const own = instead[`${method} ${path}`];
			const recorded = plain.find((one) => one.method === method && one.path === path);
			return own ?? (recorded && { status: recorded.status, body: recorded.body });
		},
	});
});
beforeEach(() => {
	instead = {};
	service.requests.splice(0);
});

const run = async (parameters: INodeParameters) => await runNode(service, parameters);

const MAYBE = /may (have been|be) (opened|started|paid|done)/;
const SCRAPE_ID = '01a1ffc9-a98d-722b-b1eb-271349270581';
const noAgent = { status: 500, body: { success: false, error: 'Agent beta is not enabled.' } };
const MONITOR = '00000000-0000-4000-8000-000000000000';
const failed = plain.find(({ name }) => name === 'plain-20-monitor-create')?.body;
const noMonitors = { [`POST /v2/monitor/${MONITOR}/run`]: { status: 500, body: failed } };
const noDatabase = plain.find(({ name }) => name === 'plain-35-activity');

/** What was recorded of a server with less than the hosted one. */
function recorded(
	all: ReadonlyArray<{ name: string; response: Pick<ScriptAnswer, 'status' | 'body'> }>,
	name: string,
): ScriptAnswer {
	const { status, body } = all.find((one) => one.name === name)?.response ?? {};
	return { status, body };
}

const cases: Array<[string, INodeParameters, RegExp, Record<string, ScriptAnswer>?]> = [
	['account', { operation: 'getCreditUsage' }, /counts neither credits nor tokens/],
	['account', { operation: 'getTokenUsage' }, /counts neither credits nor tokens/],
	['account', { operation: 'getActivity' }, /keeps no list of what was started/],
	['monitor', { operation: 'getMany' }, /has no monitors.+Web Data Poll Trigger/],
	['browser', { operation: 'getMany' }, /has no list of browser sessions/],
	['browser', { operation: 'createSession' }, /has no browsers.+use Page · Scrape/i],
	['browser', { operation: 'runInNewSession', steps: { step: [{ language: 'node', code: '1' }] } }, /has no browsers/],
	[
		'browser',
		{ operation: 'interact', scrapeId: SCRAPE_ID, prompt: 'Click' },
		/keeps no scraped page to interact with/,
	],
	[
		'agent',
		{ operation: 'start', prompt: 'Find it' },
		/has no agent: use Page · Scrape/i,
		{ 'POST /v2/agent': noAgent },
	],
	['agent', { operation: 'start', prompt: 'Find it' }, /has no agent: use Page · Scrape/i],
	[
		'monitor',
		{
			operation: 'create',
			name: 'Prices',
			targets: { target: [{ type: 'scrape', urls: 'https://a.example/' }] },
			scheduleBy: 'words',
			scheduleText: 'daily at 9:00',
		},
		/has no monitors.+Web Data Poll Trigger/,
	],
	['monitor', { operation: 'run', monitorId: MONITOR }, /has no monitors/, noMonitors],
	['support', { operation: 'ask', question: 'What?' }, /has no support assistant/],
	[
		'search',
		{ operation: 'search', query: 'kestrel', sources: ['web', 'alexandria'] },
		/This server has no data tools.*Invalid option: expected one of "web"/,
		{ 'POST /v2/search': recorded(search, 'search-20-bad-sources') },
	],
	[
		'feedback',
		{
			operation: 'rateDataTools',
			rating: 'good',
			rationale: 'Right',
			requestedUrl: 'https://a.example/',
			requestedFunctionality: 'Prices',
		},
		/This server has no data tools/,
		{ 'POST /v2/feedback': recorded(team, 'feedback-12-bad-unknown-endpoint') },
	],
];

it.each(cases)(
	'%s · %j says in one request that this server has it not',
	async (resource, parameters, says, answers = {}) => {
		instead = answers;
		const execution = await run({ resource, ...parameters });
		const text = `${errorText(execution)} ${hintsIn(execution)}`;
		expect(text.replace(/\.\s/g, ': ')).toMatch(says);
		expect(text).not.toMatch(MAYBE);
		expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toHaveLength(1);
	},
);

it('a check of a monitor is not lost where there are no monitors', async () => {
	const path = `/v2/monitor/${MONITOR}/checks/${SCRAPE_ID}`;
	instead = { [`GET ${path}`]: { status: 500, body: failed } };
	const parameters = { operation: 'getCheck', monitorId: MONITOR, jobId: SCRAPE_ID };
	const text = errorText(await run({ resource: 'monitor', ...parameters }));
	expect(text).toContain('has no monitors');
	expect(text).not.toContain('not lost');
});

it('a lost start is not looked for where the server has no list, and says where to look', async () => {
	if (!noDatabase) throw new Error('It was not recorded.');
	instead = {
		'POST /v2/extract': { status: 502, body: {} },
		'GET /v2/team/activity': { status: 500, body: noDatabase.body },
	};
	const execution = await run({
		resource: 'extract',
		operation: 'start',
		urls: 'https://a.example',
		prompt: 'Find it',
	});
	const text = errorText(execution);
	expect(text).toContain('This server keeps no list of its jobs.');
	expect(text).toContain('look in the log of your server');
	expect(text).not.toContain("account's activity");
	expect(service.requests).toHaveLength(2);
});

it('a lost scrape says that a retry sends it again, since the server has no list to look in', async () => {
	if (!noDatabase) throw new Error('It was not recorded.');
	instead = {
		'POST /v2/scrape': { status: 502, body: {} },
		'GET /v2/team/activity': { status: 500, body: noDatabase.body },
	};
	const execution = await run({ resource: 'page', operation: 'scrape', url: 'https://a.example' });
	expect(errorText(execution)).toContain('This server keeps no list of what was done: a retry sends it again.');
	expect(service.requests).toHaveLength(2);
});
