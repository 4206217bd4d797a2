import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/server.ts';
import type { SandboxOptions } from '../../sandbox/service/options.ts';
import { sayOfJobs } from './answerKinds';
import { runRecorded } from './recordedService';
import { after, errorText, hintsIn, jsonOf, NODE, RETRY, retryNode, runNode, startedIds, startSandbox } from './run';
import type { RunSettings } from './run';
import { until } from '../sandbox/client';

let sandbox: Sandbox;

async function serve(options: SandboxOptions = {}): Promise<void> {
	sandbox = await startSandbox({ lightWork: true, jobDurationMs: 300, ...options });
}

const starts = () => sandbox.stats().starts.total;
const start = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'agent',
	operation: 'start',
	prompt: 'Find the CEO',
	...more,
});
const on = (operation: string, more: INodeParameters = {}): INodeParameters => ({
	resource: 'agent',
	operation,
	...more,
});
const run = async (parameters: INodeParameters, settings: RunSettings = {}) =>
	await runNode(sandbox, parameters, settings);

describe('what an agent found', () => {
	it.each([
		['an object', { name: 'Ann' }],
		['a text', 'Ann is the CEO.'],
		['a list', [{ name: 'Ann' }, { name: 'Bo' }]],
		['a number', 0],
		['a truth value', false],
	])('is put out as it is: %s', async (_what, data) => {
		await serve();
		sayOfJobs(sandbox, { success: true, status: 'completed', data, creditsUsed: 3 });
		for (const output of ['simplified', 'fullRecord']) {
			const execution = await run(start({ output }));
			expect(jsonOf(execution.items(NODE))[0]?.data).toEqual(data);
			expect(hintsIn(execution)).toContain('(= 3 credits)');
			expect(hintsIn(execution)).not.toContain('gave no data');
		}
	});

	it('is a message in a chat, and then no data is missed', async () => {
		await serve();
		const body = {
			status: 'completed',
			mode: 'chat',
			message: 'Ann.',
			threadId: 't-1',
			threadTurn: 2,
		};
		sayOfJobs(sandbox, body);
		const execution = await run(start());
		const [json] = jsonOf(execution.items(NODE));
		expect(json).toEqual({
			id: startedIds(sandbox)[0],
			status: 'completed',
			message: 'Ann.',
			data: null,
			threadId: 't-1',
		});
		expect(hintsIn(execution)).not.toContain('gave no data');
	});
});

describe('what this server does not have', () => {
	it.each([
		['the option "effort"', { effort: 'low' }],
		['the option "mode"', { mode: 'chat' }],
		['the option "threadId"', { threadId: 'abc' }],
		['the options "effort", "mode", "threadId"', { effort: 'high', mode: 'chat', threadId: 'abc' }],
	])('says that it does not know %s, and starts nothing', async (what, options) => {
		await serve();
		const execution = await run(start({ options }));
		expect(errorText(execution)).toContain(`This server does not know ${what}. Remove`);
		expect(starts()).toBe(0);
		expect(execution.context(NODE)).toEqual({
			webDataJobs: {},
			webDataAccount: expect.any(String),
			webDataExecution: expect.any(String),
		});
	});
});

describe('what a start is refused for', () => {
	it.each<[string, INodeParameters, RegExp, SandboxOptions?]>([
		['agent-61', { structure: 'schema', schema: '{"type":"nonsense"}' }, /Invalid JSON schema: .*allowed values/],
		[
			'agent-78',
			{ options: { rareOptions: { threatProtection: { riskScoreThreshold: 50 } } } },
			/enterprise feature/,
			{ enterprise: false },
		],
		[
			'agent-72',
			{ options: { additionalFields: '{"webhook":{"url":"https://a.example","secret":"s"}}' } },
			/"webhook\.secret"/,
		],
		[
			'agent-73',
			{
				options: {
					webhook: {
						target: { url: 'https://a.example', headers: '{"X-Firecrawl-Signature":"a"}' },
					},
				},
			},
			/headers are not allowed: x-firecrawl-signature/,
		],
		[
			'agent-76',
			{ options: { additionalFields: '{"integration":"no-such"}' } },
			/Invalid enum value\. Expected 'dify'/,
		],
		[
			'agent-94-exchange',
			{ options: { additionalFields: '{"exchange":{}}' } },
			/The agent of this server has no paid data providers/,
		],
	])('%s: in the service’s words, and nothing is started', async (_name, more, words, options = {}) => {
		await serve(options);
		expect(errorText(await run(start(more)))).toMatch(words);
		expect(starts()).toBe(0);
	});

	it.each<[string, INodeParameters, RegExp]>([
		['an empty prompt', { prompt: '={{ "" }}' }, /"Prompt" is required/],
		['a prompt of 10,001 characters', { prompt: 'x'.repeat(10_001) }, /"Prompt" may have at most 10000 characters/],
		['an address that is none', { urls: 'https://a.example\nnope' }, /"URLs" must be made of web addresses/],
		['a cap of nothing', { maxCredits: 0 }, /"Max Credits" must be/],
	])('%s: before anything is sent', async (_what, more, words) => {
		await serve();
		const execution = await run(start(more));
		expect(errorText(execution)).toMatch(words);
		expect(errorText(execution)).toContain('Nothing was sent');
		expect(sandbox.stats().requests).toBe(0);
	});
});

describe('paid data providers', () => {
	const PROVIDERS = {
		mode: 'chat',
		exchange: { exchange: { enabled: true, requireApproval: true, maxCalls: 5, onTermsRequired: 'skip' } },
	};

	/** A run that waits for an approval. */
	async function waiting() {
		await serve({ paidProviders: true });
		const execution = await run(start({ options: PROVIDERS }));
		const [item] = jsonOf(execution.items(NODE));
		const { id } = item?.pendingApproval as { id: string };
		return { execution, item, decide: { threadId: String(item?.threadId), approvalId: id } };
	}

	it('are asked for nothing before somebody has agreed, and the item says what would be bought', async () => {
		const { execution, item } = await waiting();
		expect(item).toMatchObject({
			data: null,
			threadId: expect.any(String),
			exchange: { enabled: true, paidCalls: 0, creditsUsed: 0 },
			pendingApproval: { kind: 'calls', calls: [{ id: 'call-1', creditsEstimate: 5 }, { id: 'call-2' }] },
		});
		expect(hintsIn(execution)).toMatch(
			/waits for a decision on 2 paid calls \(about 10 credits\), approval [\w-]+: Agent · Approve or Decline goes on/,
		);
		expect(hintsIn(execution)).not.toContain('gave no data');
		expect(sandbox.stats().creditsUsed).toBe(15);
	});

	it('are paid once it is approved, which goes on in the thread; Max Credits counts both', async () => {
		const { decide } = await waiting();
		const execution = await run(on('decide', { ...decide, decision: 'approve', maxCredits: 40 }));
		expect(errorText(execution)).toBe('');
		const [item] = jsonOf(execution.items(NODE));
		expect(item).toMatchObject({ exchange: { paidCalls: 2, creditsUsed: 10 }, threadId: decide.threadId });
		expect(item).not.toHaveProperty('pendingApproval');
		expect(item?.data).not.toBeNull();
		expect(hintsIn(execution)).toContain('(= 35 credits)');
		// Twice is once too often.
		expect(errorText(await run(on('decide', { ...decide, decision: 'approve' })))).toContain('no such approval');
	});

	it('are paid as far as it is approved, and not at all where it is declined', async () => {
		const some = await waiting();
		const part = await run(on('decide', { ...some.decide, decision: 'approve', callIds: 'call-2', always: true }));
		expect(part.items(NODE)[0]?.json).toMatchObject({ exchange: { paidCalls: 1, creditsUsed: 5 } });
		// From now on nobody is asked in this thread.
		const later = await run(start({ options: { threadId: some.decide.threadId } }));
		expect(later.items(NODE)[0]?.json).toMatchObject({ exchange: { requireApproval: false, paidCalls: 2 } });
		const { decide } = await waiting();
		const declined = await run(on('decide', { ...decide, decision: '={{ "decline" }}' }));
		expect(errorText(declined)).toBe('');
		expect(declined.items(NODE)[0]?.json).toMatchObject({ exchange: { paidCalls: 0 }, data: expect.anything() });
	});

	it('are paid once where the answer to the decision is lost: its run is found by the approval in its message', async () => {
		const { decide } = await waiting();
		sandbox.faults.add({ step: 'agentStart', kind: 'reset', when: 'after', times: 1 });
		const execution = await run(on('decide', { ...decide, decision: 'approve' }));
		expect(errorText(execution)).toBe('');
		expect(execution.items(NODE)[0]?.json).toMatchObject({ exchange: { paidCalls: 2, creditsUsed: 10 } });
		expect(starts()).toBe(2);
		expect(sandbox.stats().creditsUsed).toBe(40);
	});

	/** What nobody has said: an expression that gives nothing, and what only looks like a decision. */
	const ODD = [
		['an expression that gives nothing', '={{ undefined }}'],
		['null', '={{ null }}'],
		['an empty text', '={{ "" }}'],
		['blanks', '={{ "  " }}'],
		['an empty field', ''],
		['a field that is not there', '={{ $json.nobody }}'],
		['an empty list', '={{ [] }}'],
		['a list with nothing in it', '={{ [""] }}'],
		['a comma', '={{ "," }}'],
		['an object', '={{ ({}) }}'],
		['two lines', '={{ "approve\\ncall-1; rm" }}'],
		['another word', '={{ "yes!" }}'],
	] as const;

	it.each(ODD)('are not decided on by %s', async (_what, odd) => {
		const { decide } = await waiting();
		const before = sandbox.stats().requests;
		const undecided = await run(on('decide', { ...decide, decision: odd }));
		expect(errorText(undecided)).toMatch(/"Decision" (is required|must be one of approve, decline)/);
		// The field of calls as n8n stores it empty means all; nothing else that is empty does.
		// An empty field that is required n8n refuses itself.
		if (odd !== '') {
			const unnamed = await run(on('decide', { ...decide, decision: 'approve', callIds: odd }));
			expect(errorText(unnamed)).toMatch(/"Calls" (gives no ID|must be)/);
		}
		for (const name of odd === '' ? [] : ['approvalId', 'threadId']) {
			const nobody = await run(on('decide', { ...decide, decision: 'approve', [name]: odd }));
			expect(errorText(nobody)).toMatch(/is required|must be one ID|must be text/);
		}
		expect(sandbox.stats().requests).toBe(before);
		expect(sandbox.stats().creditsUsed).toBe(15);
	});

	it.each<[string, object]>([
		['no mode', { exchange: PROVIDERS.exchange }],
		['the mode Extract', { ...PROVIDERS, mode: 'extract' }],
		['another mode in Additional Fields', { ...PROVIDERS, additionalFields: '{"mode":"extract"}' }],
		['a thread that may be a chat', { exchange: PROVIDERS.exchange, threadId: 'thread-1' }],
		['no mode, in Additional Fields', { additionalFields: '{"exchange":{"enabled":true,"requireApproval":true}}' }],
	])('with an approval that may not hold are not begun: %s', async (_what, options) => {
		await serve({ paidProviders: true });
		const refused = await run(start({ options } as INodeParameters));
		expect(errorText(refused)).toContain('"Require Approval" holds only with the option "Mode" set to Chat');
		expect(starts()).toBe(0);
	});

	it('without an approval are paid at once', async () => {
		await serve({ paidProviders: true });
		const exchange = { exchange: { ...PROVIDERS.exchange.exchange, requireApproval: false } };
		const execution = await run(start({ options: { exchange } }));
		expect(errorText(execution)).toBe('');
		expect(sandbox.stats().creditsUsed).toBe(25);
	});

	it('wait for terms that a person accepts, and the hint says where they are', async () => {
		await serve();
		const pendingApproval = { id: 'a-1', kind: 'terms', terms: { url: 'https://terms.example' }, resolution: 'ask' };
		sayOfJobs(sandbox, { success: true, status: 'completed', data: null, pendingApproval });
		const execution = await run(start());
		expect(execution.items(NODE)[0]?.json).toMatchObject({ pendingApproval });
		expect(hintsIn(execution)).toContain("waits until a provider's terms are accepted, see pendingApproval.terms");
	});

	it('are no part of a run that nobody has set them for', async () => {
		await serve({ paidProviders: true });
		const execution = await run(start());
		expect(execution.items(NODE)[0]?.json).not.toHaveProperty('exchange');
		expect(execution.items(NODE)[0]?.json).not.toHaveProperty('threadId');
	});
});

describe('a run that has stopped at its limit', () => {
	const LIMIT = { prompt: 'What does a cargo bike cost? [limit]' };

	it('hands over what it has, and says how to go on', async () => {
		await serve();
		const execution = await run(start(LIMIT));
		expect(errorText(execution)).toBe('');
		expect(execution.items(NODE)[0]?.json).toMatchObject({
			data: { answer: expect.any(String) },
			isPartial: true,
			stopReason: 'credit_limit_reached',
			reason: 'The run reached its credit limit.',
			message: 'This is what was found by then.',
			status: 'failed',
			creditsUsed: 0,
		});
		expect(hintsIn(execution)).toMatch(/is partial: it stopped at its limit.*Continue a Thread/);
	});

	it('is handed over by Get and after a start in the background, too', async () => {
		await serve();
		await run(start({ ...LIMIT, waitForCompletion: false }));
		await after(60_000);
		const got = await run(on('get', { jobId: startedIds(sandbox)[0] ?? '' }));
		expect(got.items(NODE)[0]?.json).toMatchObject({ isPartial: true, data: { answer: expect.any(String) } });
	});

	it('is an error where that is wanted, which starts nothing anew in a Retry', async () => {
		await serve();
		const parameters = start({ ...LIMIT, options: { onPartial: 'fail' } });
		const failed = await run(parameters);
		expect(errorText(failed)).toMatch(
			/stopped at its limit: The run reached its credit limit.*start another one in its thread/,
		);
		const retried = await retryNode(sandbox, failed, parameters);
		expect(errorText(retried)).toContain('stopped at its limit');
		expect(starts()).toBe(1);
	});

	it('is read again, not started again, where n8n’s Retry is for the sake of another item', async () => {
		await serve();
		const items = [{ q: LIMIT.prompt }, { q: 'Another' }];
		const parameters = start({ prompt: '={{ $json.q }}' });
		sandbox.faults.add({ step: 'agentStart', kind: 'status', httpStatus: 403, query: 'Another' });
		const failed = await runNode(sandbox, parameters, { items });
		expect(errorText(failed)).not.toBe('');
		sandbox.faults.clear();
		await after(60_000);
		const retried = await retryNode(sandbox, failed, parameters);
		expect(errorText(retried)).toBe('');
		expect(retried.items(NODE).map(({ json }) => json.isPartial)).toEqual([true, undefined]);
		expect(starts()).toBe(2);
	});
});

describe('Cancel', () => {
	const begin = async (options: SandboxOptions = {}) => {
		await serve({ jobDurationMs: 60_000, ...options });
		await run(start({ waitForCompletion: false }));
		return startedIds(sandbox)[0] ?? '';
	};

	it('stops a running agent; Get says that it was cancelled', async () => {
		const jobId = await begin();
		const execution = await run(on('cancel', { jobId }));
		expect(jsonOf(execution.items(NODE))).toEqual([{ cancelled: true, id: jobId }]);
		for (const waitForCompletion of [false, true]) {
			const got = await run(on('get', { jobId, waitForCompletion }));
			expect(errorText(got)).toContain(`The agent job ${jobId} was cancelled: Agent was cancelled by user.`);
			expect(got.error?.context.details).toMatchObject({ jobId, state: 'cancelled' });
		}
	});

	it('ends the wait of a Start soon after the agent stops', async () => {
		await serve({ jobDurationMs: 60_000, lagMs: 1200 });
		const running = run(start());
		await after(2000);
		await run(on('cancel', { jobId: startedIds(sandbox)[0] ?? '' }));
		const execution = await running;
		expect(errorText(execution)).toContain('was cancelled: Agent was cancelled by user');
		expect(errorText(execution)).toContain('A retry starts a new job');
	});

	it('of an ID that is unknown or none says so', async () => {
		await serve();
		for (const jobId of ['00000000-0000-4000-8000-000000000000', 'nope']) {
			expect(errorText(await run(on('cancel', { jobId })))).toContain(`does not know the agent job ${jobId}`);
		}
		expect(errorText(await run(on('cancel', { jobId: 'a/b' })))).toContain('the ID of an agent job');
	});
});

describe('Cancel on Stop', () => {
	const STOPS = { options: { waitOptions: { cancelOnStop: true } } };

	async function stopped(prepare: () => void, options: SandboxOptions = {}) {
		await serve({ jobDurationMs: 60_000, ...options });
		const stop = new AbortController();
		const running = run(start(STOPS), { signal: stop.signal });
		await until('a check', () => sandbox.stats().polls.total > 0);
		prepare();
		const beganMs = performance.now();
		stop.abort();
		const execution = await running;
		await until('what is said', () => errorText(execution).includes(startedIds(sandbox)[0] ?? ''));
		expect(performance.now() - beganMs).toBeLessThan(5500);
		return execution;
	}

	it('cancels it once when the answer to the first try is lost', async () => {
		const execution = await stopped(
			() => sandbox.faults.add({ step: 'cancel', kind: 'reset', when: 'after', times: 1 }),
			{ lagMs: 1200 },
		);
		expect(errorText(execution)).toContain(`Cancelled at the service: ${startedIds(sandbox)[0]}.`);
		expect(errorText(execution)).not.toContain('runs on');
	});

	it('says of one that has ended meanwhile that it has ended, not that it runs on', async () => {
		const execution = await stopped(() =>
			sandbox.faults.add({
				step: 'cancel',
				kind: 'status',
				httpStatus: 409,
				error: 'Agent already finished',
			}),
		);
		expect(errorText(execution)).toContain(`Had ended before (Agent · Get collects them): ${startedIds(sandbox)[0]}.`);
		expect(errorText(execution)).not.toContain('runs on');
		expect(sandbox.stats().calls.cancel).toBe(1);
	});
});

describe('Max Credits', () => {
	it('of each agent is its worst case for that of the run', async () => {
		await serve();
		const asked = (maxCredits: number) => start({ maxCredits, options: { maxCredits: 5000 } });
		const items = [{}, {}];
		const refused = await run(asked(2501), { items });
		expect(errorText(refused)).toMatch(/up to 5,002 credits.* allows 5,000/);
		expect(errorText(refused)).toContain('lower Max Credits of the agent');
		expect(starts()).toBe(0);
		const execution = await run(asked(2500), { items });
		expect(execution.error).toBeUndefined();
		expect(starts()).toBe(2);
	});
});

describe('Get Many, where a server has the list', () => {
	const part = (names: string[], next?: string) => ({
		name: 'contract',
		response: {
			status: 200,
			body: {
				success: true,
				agents: names.map((id) => ({
					id,
					createdAt: '2026-08-01 12:00:00.5+02',
					status: 'completed',
				})),
				...(next !== undefined && { next }),
			},
		},
	});

	beforeEach(async () => await serve());

	it('reads all parts, with nothing of the link but its moment', async () => {
		const { execution, seen } = await runRecorded(
			[part(['a', 'b'], 'https://evil.example/v2/agent?before=17&limit=5'), part(['c'])],
			on('getMany', { returnAll: true }),
		);
		expect(jsonOf(execution.items(NODE)).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
		expect(jsonOf(execution.items(NODE))[0]?.createdAt).toBe('2026-08-01T10:00:00.500Z');
		expect(seen.map(({ path }) => path)).toEqual(['/v2/agent', '/v2/agent?before=17']);
	});
});

it('that the service could not pass on is told to be not started, and is looked for in no list', async () => {
	await serve();
	const execution = await run(start({ prompt: '[refuse] Find the CEO' }));
	expect(errorText(execution)).toMatch(/Failed to passthrough agent request\. Nothing was started: try again later\./);
	expect(errorText(execution)).not.toContain('may have been started');
	expect(sandbox.stats().calls.activity).toBeUndefined();
	const again = await run(start({ prompt: '[refuse] Find the CEO' }), {
		node: RETRY,
	});
	expect(errorText(again)).toContain('Nothing was started');
});

describe('a thread with a run at work', () => {
	const CHAT = { mode: 'chat', exchange: { exchange: { enabled: true, requireApproval: false } } };

	/** A run of 20 s, in a thread of its own. */
	async function busyThread(): Promise<{ threadId: string; runId: string }> {
		await serve({ paidProviders: true, jobDurationMs: 20_000 });
		const first = await run(start({ waitForCompletion: false, options: CHAT }));
		const [item] = jsonOf(first.items(NODE));
		return { threadId: String(item?.threadId), runId: String(item?.id) };
	}

	it('is waited for, and the next one is started once', async () => {
		const { threadId, runId } = await busyThread();
		const second = await run(start({ prompt: 'And the CFO?', options: { threadId } }));
		expect(errorText(second)).toBe('');
		expect(jsonOf(second.items(NODE))).toMatchObject([{ threadId, status: 'completed' }]);
		expect(starts()).toBe(2);
		const posts = sandbox.requests().filter(({ method, path }) => method === 'POST' && path === '/v2/agent');
		expect(posts.map(({ status }) => status)).toEqual([200, 409, 200]);
		expect(jsonOf(second.items(NODE))[0]?.id).not.toBe(runId);
	});

	it.each<[string, INodeParameters, RegExp]>([
		['nobody waits', { waitForCompletion: false }, /has to end first.* Nothing was started: run this again/],
		[
			'it outlasts Max Wait',
			{ options: { waitOptions: { maxWait: 5 } } },
			/It still ran after 5 seconds \(Max Wait\), so nothing was started/,
		],
	])('says that nothing was started where %s', async (_name, more, text) => {
		const { threadId, runId } = await busyThread();
		const options = { threadId, ...(more.options as object) };
		const second = await run(start({ ...more, options }));
		expect(errorText(second)).toMatch(text);
		expect(errorText(second)).toContain(runId);
		expect(errorText(second)).toContain('thread_busy');
		expect(starts()).toBe(1);
	});
});
