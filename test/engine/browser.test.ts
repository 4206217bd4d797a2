import type { INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/server.ts';
import { createSession, inNewSession, openIds, sessionsOf } from './browserRun';
import { callTool, errorText, hintsIn, jsonOf, KEY, NODE, runNode, sourceItems, startSandbox } from './run';
import { startInBetween } from './serviceInBetween';

let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox({ lightWork: true, keys: [KEY] });
});

describe('Run in a New Session', () => {
	it('opens a session, runs its steps in order, closes it, and says what that cost', async () => {
		const execution = await runNode(
			sandbox,
			inNewSession(["await page.goto('https://example.com'); console.log('one')", "'[1, 2]'"]),
		);
		expect(errorText(execution)).toBe('');
		expect(jsonOf(execution.items(NODE))).toEqual([
			{
				sessionId: expect.any(String),
				data: [1, 2],
				result: '[1, 2]',
				stdout: '',
				stderr: '',
				exitCode: 0,
				steps: [
					{ language: 'node', result: 'one', stderr: '', exitCode: 0 },
					{ language: 'node', data: [1, 2], result: '[1, 2]', stdout: '', stderr: '', exitCode: 0 },
				],
				sessionDurationMs: expect.any(Number),
				creditsBilled: 2,
			},
		]);
		expect(await openIds(sandbox)).toEqual([]);
		expect(hintsIn(execution)).toMatch(/^1 session closed, 1 browser second \(= 2 credits\)\.$/);
	});

	it('runs Python and Bash, each with its own time limit, and always sends how long the session lives', async () => {
		const step = [
			{ language: 'python', code: "print('from python')", timeout: 5 },
			{ language: 'bash', code: 'echo from bash', timeout: 300 },
		];
		const execution = await runNode(sandbox, inNewSession([], { steps: { step } }));
		expect(errorText(execution)).toBe('');
		expect(execution.items(NODE)[0]?.json.steps).toMatchObject([
			{ language: 'python', result: 'from python' },
			{ language: 'bash', result: 'from bash' },
		]);
	});

	it('brings many items through a plan of two browsers at once, in input order', async () => {
		sandbox = await startSandbox({ keys: [KEY], plan: { jobsAtOnce: 2 } });
		const items = Array.from({ length: 12 }, (_unused, index) => ({ n: index }));
		const execution = await runNode(sandbox, inNewSession(['=console.log("item {{ $json.n }}")']), {
			items,
		});
		expect(errorText(execution)).toBe('');
		expect(jsonOf(execution.items(NODE)).map(({ result }) => result)).toEqual(items.map(({ n }) => `item ${n}`));
		expect(sourceItems(execution.items(NODE))).toEqual(items.map(({ n }) => n));
		expect(await sessionsOf(sandbox)).toHaveLength(12);
		expect(await openIds(sandbox)).toEqual([]);
	}, 60_000);
});

describe('How long a session lives', () => {
	/** The body of the request that opens the session. */
	const opening = async (more: INodeParameters): Promise<unknown> => {
		const service = await startInBetween(sandbox);
		let body = '';
		service.interpose = async (request, pass) => {
			if (request.path === '/v2/interact') body = request.text;
			return await pass();
		};
		const credential = { baseUrl: service.baseUrl, apiKey: KEY };
		const execution = await runNode(sandbox, createSession(more), { credential });
		expect(errorText(execution)).toBe('');
		return JSON.parse(body);
	};

	it.each([
		['is five minutes, one of them idle, unless somebody says otherwise', {}, 300, 60],
		['is what the options say', { options: { ttl: 900, activityTtl: 120 } }, 900, 120],
		['is what a workflow made before has outside the options', { ttl: 900, activityTtl: 120 }, 900, 120],
		['is what the options say where both are set', { ttl: 900, options: { ttl: 60 } }, 60, 60],
	])('%s', async (_title, more, ttl, activityTtl) => {
		expect(await opening(more)).toMatchObject({ ttl, activityTtl });
	});

	it('is refused where a stored value is none', async () => {
		const execution = await runNode(sandbox, createSession({ ttl: 5 }));
		expect(errorText(execution)).toMatch(/"Lifetime \(Seconds\)" must be a whole number from 30 to 3600/);
	});
});

describe('Create Session', () => {
	it('puts out an open session with its links and its end', async () => {
		const execution = await runNode(sandbox, createSession());
		expect(errorText(execution)).toBe('');
		const [item] = jsonOf(execution.items(NODE));
		expect(item).toEqual({
			id: expect.any(String),
			cdpUrl: expect.stringContaining('/cdp/'),
			liveViewUrl: expect.stringContaining('/view/'),
			interactiveLiveViewUrl: expect.stringContaining('/interactive/'),
			expiresAt: expect.stringMatching(/Z$/),
		});
		expect(await openIds(sandbox)).toEqual([item?.id]);
		const lifetimeMs = Date.parse(String(item?.expiresAt)) - Date.now();
		expect(lifetimeMs).toBeGreaterThan(290_000);
		expect(lifetimeMs).toBeLessThanOrEqual(300_000);
		expect(hintsIn(execution)).toContain('1 session opened. It costs until Browser · Close Session');
	});
});

const CODE = "={{ $fromAI('code', 'what to run', 'string') }}";

describe.each(['invoke', 'request'] as const)('an agent (%s)', (path) => {
	it('gets what the code gave, and why it failed; no session stays open', async () => {
		const tool = await callTool(sandbox, {
			mode: 'manual',
			parameters: inNewSession([CODE]),
			args: [{ code: "console.log('for the agent')" }, { code: '[fail]' }],
			path,
		});
		expect(tool.texts[0]).toContain('for the agent');
		expect(tool.texts[1]).toContain('The code failed: Error: stub failure');
		expect(tool.texts[1]).toContain('The session was closed');
		expect(await sessionsOf(sandbox)).toHaveLength(2);
		expect(await openIds(sandbox)).toEqual([]);
	});
});
