import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import type { FaultRule } from '../../sandbox/control/faultBook.ts';
import { createSession, inNewSession, openIds, sessionsOf, waitUntil } from './browserRun';
import { errorText, KEY, runNode } from './research';

let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox({ lightWork: true, keys: [KEY] });
});
afterEach(async () => await sandbox.stop());

/** Runs, stops when it is time, and gives how long it took to end, in milliseconds. */
async function stopWhen(parameters: ReturnType<typeof inNewSession>, isTime: () => boolean, items: object[] = [{}]) {
	const stop = new AbortController();
	const running = runNode(sandbox, parameters, { signal: stop.signal, items: items as never });
	await waitUntil(isTime);
	const stoppedMs = Date.now();
	stop.abort();
	const execution = await running;
	// n8n's engine does not wait for the node itself.
	await new Promise((resolve) => setTimeout(resolve, Math.max(0, stoppedMs + 4900 - Date.now())));
	return execution;
}

const calls = () => sandbox.stats().calls;

const WHEN: Array<[string, FaultRule[], string[], () => boolean]> = [
	['while it is opened', [{ step: 'browserCreate', kind: 'slow', ms: 1500 }], ['1'], () => calls().browserCreate === 1],
	['while the first step runs', [], ['[lasts:30]', '2'], () => calls().browserExecute === 1],
	['while the last step runs', [], ['1', '[lasts:30]'], () => calls().browserExecute === 2],
	['while it is closed', [{ step: 'browserDelete', kind: 'slow', ms: 1500 }], ['1'], () => calls().browserDelete === 1],
	[
		'while closing is tried again',
		[{ step: 'browserDelete', kind: 'status', httpStatus: 500, times: 2 }],
		['1'],
		() => calls().browserDelete === 1,
	],
	[
		'while a step waits for the limit of requests a minute',
		[{ step: 'browserExecute', kind: 'rateLimit', retryAfter: 30 }],
		['1'],
		() => calls().browserExecute === 1,
	],
];

it.each(WHEN)(
	'Stop %s leaves no session open after five seconds',
	async (_name, faults, codes, isTime) => {
		for (const fault of faults) sandbox.faults.add(fault);
		await stopWhen(inNewSession(codes), isTime);
		expect(await sessionsOf(sandbox)).toHaveLength(1);
		expect(await openIds(sandbox)).toEqual([]);
	},
	20_000,
);

it('Stop names what was closed', async () => {
	const execution = await stopWhen(inNewSession(['[lasts:30]']), () => calls().browserExecute === 1);
	const [session] = await sessionsOf(sandbox);
	expect(errorText(execution)).toContain('The execution was canceled');
	expect(errorText(execution)).toContain(`Closed: ${session?.id}.`);
}, 20_000);

it('Stop closes all of many, and opens no more', async () => {
	const items = Array.from({ length: 20 }, () => ({}));
	await stopWhen(inNewSession(['[lasts:30]']), () => calls().browserExecute === 5, items);
	expect(await sessionsOf(sandbox)).toHaveLength(5);
	expect(await openIds(sandbox)).toEqual([]);
}, 20_000);

it('Stop of Create Session closes those that nobody gets', async () => {
	sandbox.faults.add({ step: 'browserCreate', kind: 'slow', ms: 1500, skip: 2 });
	await stopWhen(createSession(), () => calls().browserCreate === 3, [{}, {}, {}]);
	expect(await sessionsOf(sandbox)).toHaveLength(3);
	expect(await openIds(sandbox)).toEqual([]);
}, 20_000);
