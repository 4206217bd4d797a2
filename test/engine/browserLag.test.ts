import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { createSession, inNewSession, openIds, sessionsOf } from './browserRun';
import { errorText, jsonOf, KEY, NODE, runNode } from './research';

// Machines of the service that do not know a session yet answer 404 for seconds after its opening.

let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox({ lightWork: true, keys: [KEY] });
});
afterEach(async () => {
	vi.restoreAllMocks();
	await sandbox.stop();
});

const deny = (step: 'browserDelete' | 'browserExecute', times: number): void => {
	sandbox.faults.add({
		kind: 'status',
		httpStatus: 404,
		error: 'Browser session not found.',
		step,
		times,
	});
};

it('a closing that is denied for seconds is tried again until the session is closed', async () => {
	deny('browserDelete', 2);
	const execution = await runNode(sandbox, inNewSession(['1']));
	expect(execution.error).toBeUndefined();
	expect(await openIds(sandbox)).toEqual([]);
	expect(sandbox.stats().calls.browserDelete).toBe(3);
});

it('a session that is denied for 15 s is gone', async () => {
	deny('browserDelete', 100);
	const execution = await runNode(sandbox, inNewSession(['1']));
	expect(execution.error).toBeUndefined();
	expect(sandbox.stats().calls.browserDelete).toBeGreaterThan(1);
});

it('a step in a session that is denied for seconds is run once the service knows it', async () => {
	deny('browserExecute', 2);
	const execution = await runNode(sandbox, inNewSession(["console.log('one')"]));
	expect(jsonOf(execution.items(NODE))).toMatchObject([{ result: 'one' }]);
	expect(await sessionsOf(sandbox)).toHaveLength(1);
	expect(await openIds(sandbox)).toEqual([]);
});

it('one that is denied for 15 s fails, and its session is closed', async () => {
	deny('browserExecute', 100);
	const execution = await runNode(sandbox, inNewSession(["console.log('one')"]));
	expect(errorText(execution)).toContain('The service does not know the session');
	expect(await openIds(sandbox)).toEqual([]);
});

it.each([
	['Run Code', 'runCode', 'browserExecute', { code: "console.log('one')" }],
	['Close Session', 'closeSession', 'browserDelete', {}],
] as const)('%s waits for the session that Create Session has just opened', async (_name, operation, step, more) => {
	const created = await runNode(sandbox, createSession());
	const [{ id: sessionId = '' } = {}] = jsonOf(created.items(NODE));
	deny(step, 2);
	const parameters = { resource: 'browser', operation, sessionId: String(sessionId), ...more };
	const execution = await runNode(sandbox, parameters);
	expect(execution.error).toBeUndefined();
	expect(sandbox.stats().calls[step]).toBe(3);
});

it('a session that nobody here has opened is not waited for', async () => {
	const sessionId = '01a1ffaa-742a-707a-9bc7-4a76f671b387';
	const parameters = { resource: 'browser', operation: 'closeSession', sessionId };
	const execution = await runNode(sandbox, parameters);
	expect(errorText(execution)).toContain('The service does not know the session');
	expect(sandbox.stats().calls.browserDelete).toBe(1);
});
