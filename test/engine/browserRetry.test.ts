import type { INodeParameters } from 'n8n-workflow';

import { recoveredFromCrash, retryFromStored, runWorkflow } from '../../engine/index.ts';
import type { Execution } from '../../engine/index.ts';
import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import {
	createSession,
	inNewSession,
	openElsewhere,
	openIds,
	sessionsOf,
	waitUntil,
} from './browserRun';
import { errorText, executionOptions, hintsIn, jsonOf, KEY, NODE, runNode } from './research';

/** A process that was started again knows nothing of this credential; in this one, another key has that. */
const KEY_AFTERWARDS = 'fc-afterwards';

let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox({ lightWork: true, keys: [KEY, KEY_AFTERWARDS] });
});
afterEach(async () => await sandbox.stop());

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

async function retry(
	previous: Pick<Execution, 'executionId' | 'stored'>,
	parameters: INodeParameters,
	apiKey = KEY,
): Promise<Execution> {
	const credential = { baseUrl: sandbox.baseUrl, apiKey };
	const options = await executionOptions(sandbox, parameters, { credential });
	return await retryFromStored(previous, options);
}

describe('what a failed try could not close', () => {
	it('is closed by Retry On Fail', async () => {
		failStep(1);
		refuseClosing(1);
		const execution = await runNode(sandbox, one, { node: retries });
		expect(errorText(execution)).toBe('');
		expect(await sessionsOf(sandbox)).toHaveLength(2);
		expect(await openIds(sandbox)).toEqual([]);
		expect(hintsIn(execution)).toContain('had left open: 1 session');
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

	it('is closed by a retry that has nothing to run', async () => {
		failStep(1);
		refuseClosing(1);
		const failed = await runNode(sandbox, one);
		expect(errorText(await retry(failed, inNewSession([])))).toContain('"Steps"');
		expect(await openIds(sandbox)).toEqual([]);
	});

	it('is closed by a retry that fails again', async () => {
		failStep(2);
		refuseClosing(1);
		const failed = await runNode(sandbox, one);
		const again = await retry(failed, one);
		expect(errorText(again)).toContain('The session was closed');
		expect(await openIds(sandbox)).toEqual([]);
	});
});

describe('after n8n was killed', () => {
	/** What n8n has in its database when it was killed while the node's sessions were open. */
	async function killed(parameters: INodeParameters, items: object[] = [{}]) {
		const clear = refuseClosing();
		let stored = '';
		const { executionId } = await runWorkflow({
			...(await executionOptions(sandbox, parameters)),
			pinData: { Items: items.map(() => ({ json: {} })) },
			onProgress: (nodeName, data) => {
				if (nodeName === 'Items') stored = data;
			},
		});
		clear();
		return { executionId, stored: recoveredFromCrash(stored, NODE) };
	}

	it('the first Retry closes what was left open, and runs anew', async () => {
		const previous = await killed(one, [{}, {}]);
		expect(await openIds(sandbox)).toHaveLength(2);
		const retried = await retry(previous, one, KEY_AFTERWARDS);
		expect(errorText(retried)).toBe('');
		expect(await sessionsOf(sandbox)).toHaveLength(4);
		expect(await openIds(sandbox)).toEqual([]);
		expect(hintsIn(retried)).toContain('had left open: 2 sessions');
	}, 30_000);

	it('closes what Create Session had opened and never put out', async () => {
		const previous = await killed(createSession());
		const retried = await retry(previous, createSession(), KEY_AFTERWARDS);
		const [item] = jsonOf(retried.items(NODE));
		expect(await openIds(sandbox)).toEqual([item?.id]);
	}, 30_000);

	it('leaves sessions alone that somebody else had opened before', async () => {
		const other = await openElsewhere(sandbox);
		await new Promise((resolve) => setTimeout(resolve, 6500));
		const previous = await killed(one);
		await retry(previous, one, KEY_AFTERWARDS);
		expect(await openIds(sandbox)).toEqual([other]);
	}, 30_000);

	it('closes none and names all when there are more than it can have opened', async () => {
		const previous = await killed(one);
		const other = await openElsewhere(sandbox);
		const retried = await retry(previous, one, KEY_AFTERWARDS);
		expect(errorText(retried)).toBe('');
		expect(await openIds(sandbox)).toHaveLength(2);
		expect(hintsIn(retried)).toContain(other);
		expect(hintsIn(retried)).toContain('None was closed; they end by themselves');
	}, 30_000);

	it('leaves a session alone that somebody works in', async () => {
		const previous = await killed(one);
		const other = await openElsewhere(sandbox);
		const work = setInterval(() => {
			void fetch(`${sandbox.baseUrl}/v2/interact/${other}/execute`, {
				method: 'POST',
				headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
				body: '{"code":"1"}',
			});
		}, 700);
		await retry(previous, one, KEY_AFTERWARDS);
		clearInterval(work);
		expect(await openIds(sandbox)).toEqual([other]);
	}, 30_000);
});

describe('an opening whose answer is lost', () => {
	const lose = (when: 'before' | 'after', times = 1) =>
		sandbox.faults.add({ step: 'browserCreate', kind: 'reset', when, times });

	it('is found, closed and done again: nothing was done in it', async () => {
		lose('after');
		const execution = await runNode(sandbox, one);
		expect(errorText(execution)).toBe('');
		expect(await sessionsOf(sandbox)).toHaveLength(2);
		expect(await openIds(sandbox)).toEqual([]);
		expect(hintsIn(execution)).toContain('The answer to an opening was lost: 1 session');
	}, 30_000);

	it('is done again when nothing was opened', async () => {
		lose('before');
		const execution = await runNode(sandbox, one);
		expect(errorText(execution)).toBe('');
		expect(await sessionsOf(sandbox)).toHaveLength(1);
		expect(await openIds(sandbox)).toEqual([]);
	}, 30_000);

	it.each([
		['Run in a New Session', one],
		['Create Session', createSession()],
	])(
		'of many items at once: none is left: %s',
		async (_name, parameters) => {
			lose('after', 3);
			const items = Array.from({ length: 6 }, () => ({})) as never;
			const execution = await runNode(sandbox, parameters, { items });
			expect(errorText(execution)).toBe('');
			const putOut = jsonOf(execution.items(NODE)).map(({ id }) => id);
			expect(putOut).toHaveLength(6);
			const kept = parameters === one ? [] : putOut;
			expect((await openIds(sandbox)).sort()).toEqual([...kept].sort());
		},
		60_000,
	);

	it('closes none and names them when it may be another’s', async () => {
		lose('after');
		const running = runNode(sandbox, one);
		await waitUntil(() => sandbox.stats().calls.browserCreate === 1);
		const other = await openElsewhere(sandbox);
		const execution = await running;
		expect(errorText(execution)).toContain('The session may have been opened');
		expect(errorText(execution)).toContain(other);
		expect(errorText(execution)).toContain('None was closed, because they may be in use');
		expect(execution.error?.context.details).toMatchObject({
			candidates: expect.arrayContaining([other]),
		});
		expect(await openIds(sandbox)).toHaveLength(2);
	}, 30_000);

	it('is told from a session of somebody else’s by that one being used', async () => {
		lose('after');
		const running = runNode(sandbox, one);
		await waitUntil(() => sandbox.stats().calls.browserCreate === 1);
		const other = await openElsewhere(sandbox);
		await new Promise((resolve) => setTimeout(resolve, 800));
		await fetch(`${sandbox.baseUrl}/v2/interact/${other}/execute`, {
			method: 'POST',
			headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
			body: '{"code":"1"}',
		});
		expect(errorText(await running)).toBe('');
		expect(await openIds(sandbox)).toEqual([other]);
	}, 30_000);

	const listIsDown = (times?: number) =>
		sandbox.faults.add({
			step: 'browserList',
			kind: 'status',
			httpStatus: 403,
			...(times !== undefined && { times }),
		});

	it('is closed by Retry of the execution where the list could not be had', async () => {
		lose('after');
		const listIsBack = listIsDown();
		const failed = await runNode(sandbox, one);
		expect(errorText(failed)).toMatch(/could not be had.*A retry looks for it and closes it/);
		listIsBack();
		expect(await openIds(sandbox)).toHaveLength(1);
		expect(errorText(await retry(failed, one))).toBe('');
		expect(await openIds(sandbox)).toEqual([]);
	}, 30_000);

	it('is closed by Retry On Fail where the list could not be had', async () => {
		lose('after');
		// Three looks of the opening, one at the end of the try.
		listIsDown(4);
		const execution = await runNode(sandbox, one, { node: retries });
		expect(errorText(execution)).toBe('');
		expect(await openIds(sandbox)).toEqual([]);
	}, 30_000);
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
