import type { INodeParameters } from 'n8n-workflow';
import { startInBetween } from './serviceInBetween';
import type { Sandbox } from '../../sandbox/server.ts';
import type { FaultRule } from '../../sandbox/control/faultBook.ts';
import { createSession, inNewSession, openIds, sessionsOf } from './browserRun';
import { errorText, hintsIn, jsonOf, KEY, NODE, runNode, sourceItems, startSandbox } from './run';
import { until } from '../sandbox/client';

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

const continues = { node: { onError: 'continueErrorOutput' as const } };

describe('a step that does not go well closes the session', () => {
	it.each([
		['code that fails', '[fail]', ['Step 2 of 2: The code failed', 'stub failure', 'exit code 1']],
		['code that runs too long', '[killed]', ['ran into its time limit', 'after 30 seconds']],
		['a browser that fails', '[502]', ['The browser failed', 'is not known']],
	])('%s', async (_name, code, words) => {
		const execution = await runNode(sandbox, inNewSession(["console.log('one')", code]));
		for (const word of [...words, 'The session was closed']) {
			expect(errorText(execution)).toContain(word);
		}
		expect(await sessionsOf(sandbox)).toHaveLength(1);
		expect(await openIds(sandbox)).toEqual([]);
	});

	it('keeps what it had printed in the details of its item, and what the steps before gave', async () => {
		const execution = await runNode(
			sandbox,
			inNewSession(["console.log('one')", "console.log('two'); throw new Error('x')"]),
			continues,
		);
		const [item] = execution.items(NODE, 1);
		expect(item?.json.details).toEqual({
			sessionId: expect.any(String),
			step: 2,
			stepsBefore: [{ result: 'one', stderr: '', exitCode: 0 }],
			stdout: 'two',
			stderr: 'Error: x',
			result: '',
			exitCode: 1,
			killed: false,
		});
	});

	it('an answer that never comes is not asked for twice', async () => {
		sandbox.faults.add({ step: 'browserExecute', kind: 'reset', when: 'after' });
		const execution = await runNode(sandbox, inNewSession(['1']));
		expect(errorText(execution)).toMatch(/Whether the code ran, and how far, is not known/);
		expect(sandbox.stats().calls.browserExecute).toBe(1);
		expect(await openIds(sandbox)).toEqual([]);
	});
});

describe('with many items', () => {
	const items = ['1', '[fail]', '3'].map((code) => ({ code }));

	it('continues on error: each item its result or its error, all sessions closed and counted', async () => {
		const execution = await runNode(sandbox, inNewSession(['={{ $json.code }}']), {
			...continues,
			items,
		});
		expect(execution.error).toBeUndefined();
		expect(execution.items(NODE)).toHaveLength(2);
		expect(execution.items(NODE, 1)).toHaveLength(1);
		expect(execution.items(NODE, 1)[0]?.pairedItem).toMatchObject({ item: 1 });
		expect(await openIds(sandbox)).toEqual([]);
		expect(hintsIn(execution)).toContain('3 sessions closed');
		expect(hintsIn(execution)).toContain('(= 6 credits). 1 of 3 items failed.');
	});

	it('without it, one that fails closes the others at once and opens no more', async () => {
		const slow = [{ code: '[lasts:20]' }, { code: '[lasts:20]' }, { code: '[fail]' }];
		const began = Date.now();
		const execution = await runNode(sandbox, inNewSession(['={{ $json.code }}']), {
			items: [...slow, ...Array.from({ length: 20 }, () => ({ code: '[lasts:20]' }))],
		});
		expect(Date.now() - began).toBeLessThan(10_000);
		expect(errorText(execution)).toContain('The code failed');
		expect(execution.error).toMatchObject({ context: { itemIndex: 2 } });
		expect((await sessionsOf(sandbox)).length).toBeLessThan(12);
		expect(await openIds(sandbox)).toEqual([]);
	});
});

describe('an opening that is refused', () => {
	it.each([
		[402, 'does not have enough credits'],
		[409, 'refused the request'],
		[503, 'has no browsers to offer'],
	])('with %i says why, and leaves nothing open', async (httpStatus, words) => {
		sandbox.faults.add({ step: 'browserCreate', kind: 'status', httpStatus, error: 'Because' });
		const execution = await runNode(sandbox, inNewSession(['1']));
		expect(errorText(execution)).toContain(words);
		expect(errorText(execution)).toContain('Because');
		expect(await openIds(sandbox)).toEqual([]);
	});

	it.each([
		[30, ''],
		[2, 'The service took no new job for 2 seconds'],
	])('with 429 is tried again until Max Wait, here %i seconds', async (maxWait, words) => {
		sandbox.faults.add({ step: 'browserCreate', kind: 'rateLimit', retryAfter: 1, times: 3 });
		const execution = await runNode(sandbox, inNewSession(['console.log(1)'], { options: { maxWait } }));
		expect(errorText(execution)).toContain(words);
		expect(execution.items(NODE)).toHaveLength(words === '' ? 1 : 0);
		expect(await openIds(sandbox)).toEqual([]);
	});

	it('for all items together where they may cost more than Max Credits', async () => {
		const parameters = inNewSession(['1'], { options: { maxCredits: 15 } });
		const execution = await runNode(sandbox, parameters, { items: [{}, {}] as never });
		expect(errorText(execution)).toContain('may cost up to 20 credits');
		expect(sandbox.stats().requests).toBe(0);
	});
});

describe('a closing', () => {
	it('is tried again until the session is closed', async () => {
		sandbox.faults.add({ step: 'browserDelete', kind: 'status', httpStatus: 500, times: 1 });
		sandbox.faults.add({ step: 'browserDelete', kind: 'reset', times: 1 });
		const execution = await runNode(sandbox, inNewSession(['1']));
		expect(errorText(execution)).toBe('');
		expect(await openIds(sandbox)).toEqual([]);
	});

	it('that is refused takes no result away, and says which session still costs', async () => {
		sandbox.faults.add({ step: 'browserDelete', kind: 'status', httpStatus: 403 });
		const execution = await runNode(sandbox, inNewSession(["'done'"]));
		expect(jsonOf(execution.items(NODE))[0]).toMatchObject({ result: 'done' });
		const [id] = await openIds(sandbox);
		expect(hintsIn(execution)).toContain(`1 session could not be closed: ${id}`);
	});
});

describe('Create Session', () => {
	it('closes the sessions that nobody gets when another item fails', async () => {
		sandbox.faults.add({ step: 'browserCreate', kind: 'status', httpStatus: 402, skip: 2 });
		const execution = await runNode(sandbox, createSession(), { items: [{}, {}, {}] as never });
		expect(errorText(execution)).toContain('enough credits');
		expect(await sessionsOf(sandbox)).toHaveLength(2);
		expect(await openIds(sandbox)).toEqual([]);
	});
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

/** Runs, stops when it is time, and gives how long it took to end, in milliseconds. */
async function stopWhen(parameters: ReturnType<typeof inNewSession>, isTime: () => boolean, items: object[] = [{}]) {
	const stop = new AbortController();
	const running = runNode(sandbox, parameters, { signal: stop.signal, items: items as never });
	await until('the moment to stop', isTime);
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

it('Stop closes all of many, names them, and opens no more', async () => {
	const items = Array.from({ length: 20 }, () => ({}));
	const execution = await stopWhen(inNewSession(['[lasts:30]']), () => calls().browserExecute === 5, items);
	const ids = (await sessionsOf(sandbox)).map(({ id }) => id);
	expect(ids).toHaveLength(5);
	expect(await openIds(sandbox)).toEqual([]);
	const [, said = ''] = /Closed: ([^.]*)\./.exec(errorText(execution)) ?? [];
	expect(said.split(', ').sort()).toEqual(ids.sort());
}, 20_000);

it('Stop of Create Session closes those that nobody gets', async () => {
	sandbox.faults.add({ step: 'browserCreate', kind: 'slow', ms: 1500, skip: 2 });
	await stopWhen(createSession(), () => calls().browserCreate === 3, [{}, {}, {}]);
	expect(await sessionsOf(sandbox)).toHaveLength(3);
	expect(await openIds(sandbox)).toEqual([]);
}, 20_000);

it('Stop names no session of an opening that was refused', async () => {
	sandbox.faults.add({ step: 'browserCreate', kind: 'status', httpStatus: 400, times: 1 });
	const stop = new AbortController();
	const running = runNode(sandbox, inNewSession(['[lasts:30]'], { options: { maxSessionsAtOnce: 1 } }), {
		signal: stop.signal,
		items: [{}, {}] as never,
		node: { onError: 'continueRegularOutput' },
	});
	await until('the second session', () => calls().browserExecute === 1);
	stop.abort();
	const said = errorText(await running);
	expect(said).toMatch(/Closed: |Could not be closed/);
	expect(said).not.toContain('may have been opened');
}, 20_000);

it('says why there is no replay of a session that was not recorded', async () => {
	sandbox = await startSandbox();
	const create = { resource: 'browser', operation: 'createSession', options: { recordSession: false } };
	const [session] = jsonOf((await runNode(sandbox, create)).items(NODE));
	const replay = { resource: 'browser', operation: 'getReplay', sessionId: String(session?.id) };
	const execution = await runNode(sandbox, replay);
	expect(errorText(execution)).toMatch(/^There is no replay of .*Record Session was off/);
});
