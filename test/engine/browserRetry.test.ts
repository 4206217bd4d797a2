import type { INodeParameters } from 'n8n-workflow';

import { flowNodes, runWorkflow } from '../../tools/n8n-engine/index.ts';
import type { Execution } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { createSession, inNewSession, openElsewhere, openIds, sessionsOf } from './browserRun';
import {
	builtPackage,
	callTool,
	errorText,
	hintsIn,
	inLoop,
	jsonOf,
	KEY,
	KEY_AFTERWARDS,
	killedInNode,
	NODE,
	retryNode,
	runNode,
	startSandbox,
	workflowWith,
} from './run';
import type { Stored } from './run';
import { until } from '../sandbox/client';

let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox({ lightWork: true, keys: [KEY, KEY_AFTERWARDS] });
});

const one = inNewSession(["'done'"]);
const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
const refuseClosing = (times?: number) =>
	sandbox.faults.add({
		step: 'browserDelete',
		kind: 'status',
		httpStatus: 403,
		...(times !== undefined && { times }),
	});
const failStep = (times: number) =>
	sandbox.faults.add({ step: 'browserExecute', kind: 'status', httpStatus: 500, times });

async function retry(previous: Stored, parameters: INodeParameters, apiKey = KEY): Promise<Execution> {
	return await retryNode(sandbox, previous, parameters, { credential: { baseUrl: sandbox.baseUrl, apiKey } });
}

describe('what a failed try could not close', () => {
	it('is closed by Retry On Fail', async () => {
		failStep(1);
		refuseClosing(1);
		const execution = await runNode(sandbox, one, { node: retries });
		expect(errorText(execution)).toBe('');
		expect(await sessionsOf(sandbox)).toHaveLength(2);
		expect(await openIds(sandbox)).toEqual([]);
		expect(hintsIn(execution)).toContain('Closed 1 session that an earlier try had left open');
	});

	it('is closed by Retry of the failed execution', async () => {
		failStep(1);
		refuseClosing(1);
		const failed = await runNode(sandbox, one);
		expect(errorText(failed)).toMatch(/could not be closed.*a retry closes it/);
		expect(await openIds(sandbox)).toHaveLength(1);
		const retried = await retry(failed, one);
		expect(errorText(retried)).toBe('');
		expect(await openIds(sandbox)).toEqual([]);
	});
});

describe('after n8n was killed', () => {
	/** What n8n has in its database when it was killed while the node's sessions were open. */
	async function killed(parameters: INodeParameters, items: Array<Record<string, string>> = [{}]) {
		const clear = refuseClosing();
		const stored = await killedInNode(sandbox, parameters, { items });
		clear();
		return stored;
	}

	it.each([
		['Run in a New Session', one],
		['Create Session', createSession()],
	])('closes none, and the first Retry says what becomes of them: %s', async (_name, parameters) => {
		const previous = await killed(parameters, [{}, {}]);
		const left = await openIds(sandbox);
		expect(left).toHaveLength(2);
		const retried = await retry(previous, parameters, KEY_AFTERWARDS);
		expect(errorText(retried)).toBe('');
		expect(await sessionsOf(sandbox)).toHaveLength(4);
		expect(await openIds(sandbox)).toEqual(expect.arrayContaining(left));
		expect(hintsIn(retried)).toContain('n8n was ended while this node ran.');
		expect(hintsIn(retried)).toContain('ends by itself when its Idle Limit is over');
		expect(hintsIn(retried)).not.toContain('had left open');
	});

	it('a Retry that fails says so in its error', async () => {
		const previous = await killed(one);
		failStep(1);
		const retried = await retry(previous, one, KEY_AFTERWARDS);
		expect(errorText(retried)).toContain('n8n was ended while this node ran.');
	});
});

describe('an opening whose answer is lost', () => {
	const lose = (when: 'before' | 'after', times = 1) =>
		sandbox.faults.add({ step: 'browserCreate', kind: 'reset', when, times });

	it('is done again, and a hint says what becomes of the first session', async () => {
		lose('after');
		const execution = await runNode(sandbox, one);
		expect(errorText(execution)).toBe('');
		expect(await sessionsOf(sandbox)).toHaveLength(2);
		expect(await openIds(sandbox)).toHaveLength(1);
		expect(hintsIn(execution)).toContain(
			'The answer to 1 request to open a session was lost, so another session was opened. What the first may have opened ends by itself when its Idle Limit is over',
		);
	});

	it('closes no session that somebody else opens in the same second', async () => {
		sandbox.faults.add({ step: 'browserCreate', kind: 'status', httpStatus: 502, times: 1 });
		const running = runNode(sandbox, one);
		await until('the first opening', () => sandbox.stats().calls.browserCreate === 1);
		const other = await openElsewhere(sandbox);
		expect(errorText(await running)).toBe('');
		expect(await openIds(sandbox)).toEqual([other]);
	});

	it.each([
		['Run in a New Session', one],
		['Create Session', createSession()],
	])('of many items at once: each has its result: %s', async (_name, parameters) => {
		lose('after', 3);
		const items = Array.from({ length: 6 }, () => ({})) as never;
		const execution = await runNode(sandbox, parameters, { items });
		expect(errorText(execution)).toBe('');
		expect(execution.items(NODE)).toHaveLength(6);
		expect(await openIds(sandbox)).toHaveLength(parameters === one ? 3 : 9);
		expect(hintsIn(execution)).toContain('The answer to 3 requests to open a session was lost');
	});

	it('fails when it is lost twice, and says what becomes of the sessions', async () => {
		lose('after', 2);
		const execution = await runNode(sandbox, one);
		expect(errorText(execution)).toContain('The session may have been opened');
		expect(errorText(execution)).toContain(
			'If a session was opened, it ends by itself when nothing is done in it for 60 seconds.',
		);
		expect(await openIds(sandbox)).toHaveLength(2);
	});

	it('is not done again when that could cost more than Max Credits (This Run) allows', async () => {
		lose('after');
		const parameters = inNewSession(["'done'"], { options: { maxCredits: 15 } });
		const execution = await runNode(sandbox, parameters);
		expect(errorText(execution)).toContain('Max Credits (This Run)');
		expect(errorText(execution)).toContain('it ends by itself');
		expect(sandbox.stats().calls.browserCreate).toBe(1);
	});
});

it('Create Session closes what it put out when n8n runs it again all the same', async () => {
	sandbox.faults.add({ step: 'browserCreate', kind: 'status', httpStatus: 402, times: 1 });
	const execution = await runNode(sandbox, createSession({ options: { maxSessionsAtOnce: 1 } }), {
		node: { ...retries, onError: 'continueRegularOutput' },
		items: [{}, {}] as never,
	});
	const putOut = jsonOf(execution.items(NODE)).map(({ id }) => id);
	expect(putOut).toHaveLength(2);
	expect(await sessionsOf(sandbox)).toHaveLength(3);
	expect((await openIds(sandbox)).sort()).toEqual([...putOut].sort());
});

it('Create Session leaves open what an earlier round of a loop has put out', async () => {
	const execution = await runWorkflow({
		package: await builtPackage(),
		workflow: inLoop(workflowWith(createSession()), 3),
		// A node that may be tried again remembers what it has put out.
		nodeOverrides: { [NODE]: { ...retries, onError: 'continueRegularOutput' } },
		credential: { baseUrl: sandbox.baseUrl, apiKey: KEY },
		otherNodeTypes: flowNodes,
		pinData: { Items: [{ json: {} }] },
	});
	expect(errorText(execution)).toBe('');
	expect(await openIds(sandbox)).toHaveLength(3);
});

it('an agent that calls twice in the same moment closes no session of the other call', async () => {
	const tool = await callTool(sandbox, { parameters: one, args: [{}, {}], atOnce: 2 });
	for (const text of tool.texts) expect(text).toContain('done');
	expect(await sessionsOf(sandbox)).toHaveLength(2);
	expect(await openIds(sandbox)).toEqual([]);
});

it('an agent that calls once more while another call has its session open does not close that', async () => {
	sandbox.faults.add({ step: 'browserExecute', kind: 'slow', ms: 30_000, skip: 1, times: 1 });
	const tool = await callTool(sandbox, { parameters: one, args: [{}, {}, {}], atOnce: 0, lanes: 2 });
	for (const text of tool.texts) expect(text).toContain('done');
	expect(await sessionsOf(sandbox)).toHaveLength(3);
	expect(await openIds(sandbox)).toEqual([]);
});

it('no session is opened beyond Max Credits (This Run), also with "continue on error"', async () => {
	const parameters = inNewSession(["'done'"], { options: { maxCredits: 10 } });
	const settings = { node: { onError: 'continueRegularOutput' }, items: [{}, {}, {}] as never } as const;
	const execution = await runNode(sandbox, parameters, settings);
	expect(jsonOf(execution.items(NODE)).map(({ error }) => typeof error)).toEqual(['string', 'string', 'string']);
	expect(await sessionsOf(sandbox)).toEqual([]);
});

it('an opening that was refused counts for nothing under Max Credits (This Run)', async () => {
	sandbox.faults.add({ step: 'browserCreate', kind: 'status', httpStatus: 402, times: 1 });
	const parameters = inNewSession(["'done'"], { options: { maxCredits: 10 } });
	expect(errorText(await runNode(sandbox, parameters, { node: retries }))).toBe('');
});
