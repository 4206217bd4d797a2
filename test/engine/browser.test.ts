import type { Sandbox } from '../../sandbox/server.ts';
import { createSession, inNewSession, openIds, sessionsOf } from './browserRun';
import { errorText, hintsIn, jsonOf, KEY, NODE, runNode, sourceItems, startSandbox } from './run';

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
