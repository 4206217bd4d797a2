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

/** How a session is named that the service lists, but no answer has given. */
const mayBeYours = (id: string) =>
	new RegExp(
		`${id}[^.]* \\(?opened \\d+ s ago\\b[^.]* may be yours: close .* with Browser · Close Session`,
	);

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

	it('closes none: the first Retry names with its age what may have been left open', async () => {
		const previous = await killed(one, [{}, {}]);
		const left = await openIds(sandbox);
		expect(left).toHaveLength(2);
		const retried = await retry(previous, one, KEY_AFTERWARDS);
		expect(errorText(retried)).toBe('');
		expect(await sessionsOf(sandbox)).toHaveLength(4);
		expect((await openIds(sandbox)).sort()).toEqual([...left].sort());
		for (const id of left) expect(hintsIn(retried)).toMatch(mayBeYours(id));
		expect(hintsIn(retried)).toContain('n8n was ended while this node ran.');
		expect(hintsIn(retried)).not.toContain('had left open');
	}, 30_000);

	it('names what Create Session had opened and never put out', async () => {
		const previous = await killed(createSession());
		const [left = ''] = await openIds(sandbox);
		const retried = await retry(previous, createSession(), KEY_AFTERWARDS);
		const [item] = jsonOf(retried.items(NODE));
		expect((await openIds(sandbox)).sort()).toEqual([left, String(item?.id)].sort());
		expect(hintsIn(retried)).toMatch(mayBeYours(left));
		expect(hintsIn(retried)).not.toMatch(mayBeYours(String(item?.id)));
	}, 30_000);

	it('a Retry that fails names them in its error', async () => {
		const previous = await killed(one);
		const [left = ''] = await openIds(sandbox);
		failStep(1);
		const retried = await retry(previous, one, KEY_AFTERWARDS);
		expect(errorText(retried)).toContain('n8n was ended while this node ran.');
		expect(errorText(retried)).toMatch(mayBeYours(left));
	}, 30_000);
});

describe('an opening whose answer is lost', () => {
	const lose = (when: 'before' | 'after', times = 1) =>
		sandbox.faults.add({ step: 'browserCreate', kind: 'reset', when, times });

	it('is done again, and a hint names the session that it may have opened', async () => {
		lose('after');
		const execution = await runNode(sandbox, one);
		expect(errorText(execution)).toBe('');
		expect(await sessionsOf(sandbox)).toHaveLength(2);
		const [lost = '', ...more] = await openIds(sandbox);
		expect(more).toEqual([]);
		expect(hintsIn(execution)).toContain('another session was opened in its place');
		expect(hintsIn(execution)).toMatch(mayBeYours(lost));
		expect(hintsIn(execution)).toContain('when nothing is done in it for 60 seconds');
	}, 30_000);

	it('closes no session that somebody else opens in the same second', async () => {
		sandbox.faults.add({ step: 'browserCreate', kind: 'status', httpStatus: 502, times: 1 });
		const running = runNode(sandbox, one);
		await waitUntil(() => sandbox.stats().calls.browserCreate === 1);
		const other = await openElsewhere(sandbox);
		const execution = await running;
		expect(errorText(execution)).toBe('');
		expect(await openIds(sandbox)).toEqual([other]);
		expect(hintsIn(execution)).toMatch(mayBeYours(other));
	}, 30_000);

	it('is done again without a word when the list shows that nothing was opened', async () => {
		lose('before');
		const execution = await runNode(sandbox, one);
		expect(errorText(execution)).toBe('');
		expect(await sessionsOf(sandbox)).toHaveLength(1);
		expect(await openIds(sandbox)).toEqual([]);
		expect(hintsIn(execution)).not.toContain('lost');
	}, 30_000);

	it.each([
		['Run in a New Session', one],
		['Create Session', createSession()],
	])(
		'of many items at once: each has its result, and what may be open is named: %s',
		async (_name, parameters) => {
			lose('after', 3);
			const items = Array.from({ length: 6 }, () => ({})) as never;
			const execution = await runNode(sandbox, parameters, { items });
			expect(errorText(execution)).toBe('');
			const putOut = jsonOf(execution.items(NODE)).map(({ id }) => id);
			expect(putOut).toHaveLength(6);
			const kept = parameters === one ? [] : putOut;
			const left = (await openIds(sandbox)).filter((id) => !kept.includes(id));
			expect(left).toHaveLength(3);
			for (const id of left) expect(hintsIn(execution)).toContain(id);
		},
		60_000,
	);

	it('fails when it is lost twice, and names both sessions', async () => {
		lose('after', 2);
		const execution = await runNode(sandbox, one);
		expect(errorText(execution)).toContain('The session may have been opened');
		const left = await openIds(sandbox);
		expect(left).toHaveLength(2);
		for (const id of left)
			expect(errorText(execution)).toMatch(new RegExp(`${id} \\(opened \\d+ s ago\\)`));
		expect(errorText(execution)).toContain('may be yours');
		expect(execution.error?.context.details).toMatchObject({
			candidates: expect.arrayContaining(left),
		});
	}, 30_000);

	it('names no session that somebody works in', async () => {
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
		const execution = await running;
		expect(errorText(execution)).toBe('');
		const [lost = ''] = (await openIds(sandbox)).filter((id) => id !== other);
		expect(hintsIn(execution)).toMatch(mayBeYours(lost));
		expect(hintsIn(execution)).not.toContain(other);
	}, 30_000);

	it('is not done again when that could cost more than Max Credits (This Run) allows', async () => {
		lose('after');
		const parameters = inNewSession(["'done'"], { options: { maxCredits: 15 } });
		const execution = await runNode(sandbox, parameters);
		expect(errorText(execution)).toContain('Max Credits (This Run)');
		const [left = ''] = await openIds(sandbox);
		expect(errorText(execution)).toMatch(mayBeYours(left));
		expect(sandbox.stats().calls.browserCreate).toBe(1);
	}, 30_000);

	it('says so where the list could not be read', async () => {
		lose('after');
		sandbox.faults.add({ step: 'browserList', kind: 'status', httpStatus: 403 });
		const execution = await runNode(sandbox, one);
		expect(errorText(execution)).toBe('');
		expect(hintsIn(execution)).toContain('The list of open sessions could not be read');
		expect(hintsIn(execution)).toContain('when nothing is done in it for 60 seconds');
	}, 30_000);

	it.each(['Retry On Fail', 'Retry of the execution'])(
		'is named by %s, which closes nothing that it does not know',
		async (how) => {
			lose('after', 2);
			const first = await runNode(sandbox, one, how === 'Retry On Fail' ? { node: retries } : {});
			const retried = how === 'Retry On Fail' ? first : await retry(first, one);
			expect(errorText(retried)).toBe('');
			const left = await openIds(sandbox);
			expect(left).toHaveLength(2);
			expect(hintsIn(retried)).toContain(
				'In an earlier try of this execution the answers to 2 openings were lost.',
			);
			for (const id of left) expect(hintsIn(retried)).toContain(id);
		},
		60_000,
	);
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
