/** Two troubles, one after the other or beside one another. docs/reference/WHAT-HAPPENS-WHEN.md has their rows. */
import type { INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/server.ts';
import type { SandboxOptions } from '../../sandbox/service/options.ts';
import type { Execution } from '../../tools/n8n-engine/index.ts';
import { ask, until } from '../sandbox/client';
import { createSession, inNewSession, sessionsOf } from './browserRun';
import { callsOf, RESEARCH, retryResearch, runResearch } from './webResearchRun';
import {
	after,
	batchStart,
	crawlStart,
	errorText,
	hintsIn,
	jsonOf,
	KEY,
	KEY_AFTERWARDS,
	killedInNode,
	NODE,
	questions,
	retryNode,
	runNode,
	startedIds,
	startParameters,
	startSandbox,
	withoutLists,
} from './run';
import { startInBetween } from './serviceInBetween';

let sandbox: Sandbox;

async function serve(options: SandboxOptions = {}): Promise<void> {
	sandbox = await startSandbox({ lightWork: true, jobDurationMs: 300, ...options });
}

const starts = () => sandbox.stats().starts.total;
const lose = (when: 'before' | 'after', times = 1) => sandbox.faults.add({ step: 'start', kind: 'reset', when, times });

/** Loses the answer to the first start, and refuses the next one. */
async function loseThenRefuse(parameters: INodeParameters, httpStatus: number): Promise<Execution> {
	lose('after');
	const running = runNode(sandbox, parameters, { items: questions(1) });
	await until('the first start', () => starts() === 1);
	sandbox.faults.add({ step: 'start', kind: 'status', httpStatus, times: 1 });
	return await running;
}

const SAME = [{ q: 'question' }, { q: 'question' }];
const CONTINUE = { node: { onError: 'continueRegularOutput' as const } };

describe('two starts for the same that are both lost', () => {
	const url = 'http://site.example/docs';
	const cases: Array<[string, INodeParameters]> = [
		['a research', startParameters()],
		['a batch', batchStart({ urlsFrom: 'list', urls: `${url}\n${url}/b` })],
		['an extract', { resource: 'extract', operation: 'start', urlsFrom: 'list', urls: url, prompt: 'Prices' }],
		['a crawl', crawlStart({ url })],
	];

	it.each(cases)('have a job each, and no job comes out twice: %s', async (_what, parameters) => {
		await serve();
		lose('after', 2);
		const execution = await runNode(sandbox, parameters, { items: SAME });
		expect(errorText(execution)).toBe('');
		expect(starts()).toBe(2);
		for (const id of startedIds(sandbox)) expect(hintsIn(execution)).toContain(id);
	});

	it.each(cases)('where one never arrived, share no job: %s', async (_what, parameters) => {
		await serve();
		lose('after');
		lose('before');
		const execution = await runNode(sandbox, parameters, { items: SAME, ...CONTINUE });
		const failed = jsonOf(execution.items(NODE)).filter(({ error }) => error !== undefined);
		expect(failed).toHaveLength(1);
		expect(JSON.stringify(failed)).toMatch(/may have been started, and may be paid for/);
		expect(starts()).toBe(1);
		const { creditsUsed } = sandbox.stats();
		expect(hintsIn(execution)).toMatch(new RegExp(`\\(= ${creditsUsed} credits?\\)`));
		expect(hintsIn(execution)).toMatch(/1 start got no clear answer, and may have cost (up to \d+ credits? )?more/);
	});

	it('share no job in two executions either', async () => {
		await serve();
		lose('after');
		lose('before');
		const both = await Promise.all(
			[1, 2].map(async () => await runNode(sandbox, startParameters(), { items: questions(1) })),
		);
		expect(both.map(errorText).filter((text) => text === '')).toHaveLength(1);
		expect(both.map(errorText).join('')).toContain('may have been started, and may be paid for');
	});
});

describe('a lost start beside one that is known', () => {
	const later = () => ({ credential: { baseUrl: sandbox.baseUrl, apiKey: KEY_AFTERWARDS } });

	it('does not take the job of another item in the Retry, whichever comes first', async () => {
		await serve({ keys: [KEY, KEY_AFTERWARDS] });
		withoutLists(sandbox);
		// The first item's start never arrives, the second one's job runs.
		lose('before');
		const failed = await runNode(sandbox, startParameters(), { items: SAME });
		expect([errorText(failed), starts()]).toEqual([expect.stringContaining('may have been started'), 1]);
		sandbox.faults.clear();
		const parameters = startParameters({ options: { waitOptions: { maxJobsAtOnce: 1 } } });
		const retried = await retryNode(sandbox, failed, parameters, { ...later(), ...CONTINUE });
		expect(jsonOf(retried.items(NODE)).filter(({ error }) => error === undefined)).toHaveLength(1);
	});

	it('does not take the job of a start that another execution has on its way', async () => {
		await serve();
		const between = await startInBetween(sandbox);
		let posts = 0;
		between.interpose = async ({ method }, pass) => {
			if (method !== 'POST') return await pass();
			posts += 1;
			if (posts > 1) throw new Error('lost');
			const answer = await pass();
			// The first has begun its job, and its answer takes its time.
			await after(40_000);
			return answer;
		};
		const one = runNode(between, startParameters(), { items: questions(1) });
		await until('the first start', () => starts() === 1);
		const other = await runNode(between, startParameters(), { items: questions(1) });
		expect(errorText(other)).toMatch(/lists a deep research job that may be it or belong to another start/);
		expect(errorText(await one)).toBe('');
	});

	it('is waited for as long as it may be on its way, where nobody was told that it was lost', async () => {
		await serve({ keys: [KEY, KEY_AFTERWARDS], lagMs: 25_000 });
		withoutLists(sandbox);
		lose('after');
		const parameters = startParameters({ options: { onUnclearStart: 'startAgain', maxUrls: 20, maxCredits: 39 } });
		const failed = await runNode(sandbox, parameters, { items: questions(1) });
		expect(errorText(failed)).toContain('may have been started');
		sandbox.faults.clear();
		// As if n8n had been ended before it noted more than that it was sent.
		const stored = failed.stored.replace('"unconfirmed"', '"sent"').replace('"lostAt"', '"lost"');
		await after(20_000);
		const retried = await retryNode(sandbox, { ...failed, stored }, parameters, later());
		expect([errorText(retried), starts()]).toEqual(['', 1]);
	});
});

describe('a start that is lost, and sent once more as If Start Is Uncertain says', () => {
	it.each([400, 401, 402, 403])('and refused with %i, is told and found by the Retry', async (httpStatus) => {
		await serve({ lagMs: 20_000 });
		const parameters = startParameters({ options: { onUnclearStart: 'startAgain', maxUrls: 20, maxCredits: 40 } });
		const execution = await loseThenRefuse(parameters, httpStatus);
		expect(errorText(execution)).toMatch(
			/It was sent once more, and refused: .* may have been started, and may be paid/,
		);
		const [id] = startedIds(sandbox);
		await after(60_000);
		const retried = await retryNode(sandbox, execution, parameters);
		expect(errorText(retried)).toBe('');
		expect(hintsIn(retried)).toContain(`Found 1 job again whose start got no clear answer (${id})`);
		expect(starts()).toBe(1);
	});

	it('is counted under Max Credits after the refusal, too', async () => {
		await serve({ lagMs: 600_000 });
		const options = { onUnclearStart: 'startAgain', maxUrls: 20, maxCredits: 40 };
		const execution = await loseThenRefuse(startParameters({ options }), 402);
		expect(errorText(execution)).toContain('may have been started');
		// Another question is asked in the Retry: the first is counted with its worst case, and leaves no room for it.
		const other = startParameters({ query: 'What else?', options: { ...options, maxCredits: 39 } });
		const retried = await retryNode(sandbox, execution, other);
		expect(errorText(retried)).toMatch(/counted already/);
		expect(starts()).toBe(1);
	});

	it('is kept, too, where a decision about paid calls is refused because the first was done', async () => {
		await serve({ paidProviders: true, lagMs: 20_000 });
		const agent = (operation: string, more: INodeParameters) => ({ resource: 'agent', operation, ...more });
		const exchange = { enabled: true, requireApproval: true };
		const asking = { prompt: 'Find the CEO', options: { mode: 'chat', exchange: { exchange } } };
		const asked = await runNode(sandbox, agent('start', asking));
		const [item] = jsonOf(asked.items(NODE));
		const { id: approvalId } = item?.pendingApproval as { id: string };
		lose('after');
		const options = { onUnclearStart: 'startAgain' };
		const decision = { threadId: String(item?.threadId), approvalId, decision: 'approve', options };
		const execution = await runNode(sandbox, agent('decide', decision));
		expect(errorText(execution)).toMatch(/sent once more, and refused: .*no such approval.* may have been started/);
		expect(starts()).toBe(2);
	});
});

describe('after a kill, a Retry that fails on its way', () => {
	const credential = () => ({ credential: { baseUrl: sandbox.baseUrl, apiKey: KEY_AFTERWARDS } });

	it('leaves what it has not looked for to the next one, which starts nothing twice', async () => {
		await serve({ keys: [KEY, KEY_AFTERWARDS] });
		const parameters = startParameters({ options: { waitOptions: { maxJobsAtOnce: 1 } } });
		const killed = await killedInNode(sandbox, parameters, { items: questions(3) });
		sandbox.faults.add({ step: 'status', kind: 'status', httpStatus: 403, times: 1 });
		const failed = await retryNode(sandbox, killed, parameters, credential());
		expect(errorText(failed)).toContain('could not be read');
		const retried = await retryNode(sandbox, failed, parameters, credential());
		expect([errorText(retried), retried.items(NODE).length, starts()]).toEqual(['', 3, 3]);
		expect(hintsIn(retried)).toContain('Found 2 jobs again');
	});

	it('says what may be paid for twice, and so does the one that succeeds', async () => {
		await serve({ keys: [KEY, KEY_AFTERWARDS] });
		const search = { resource: 'search', operation: 'search', query: 'cargo bikes' };
		const killed = await killedInNode(sandbox, search);
		sandbox.faults.add({ step: 'search', kind: 'status', httpStatus: 402, times: 1 });
		const failed = await retryNode(sandbox, killed, search, credential());
		expect(errorText(failed)).toContain('The request of an earlier try may have been done, and charged for, too.');
		const retried = await retryNode(sandbox, failed, search, credential());
		expect(errorText(retried)).toBe('');
		expect(hintsIn(retried)).toMatch(/n8n was killed.*sent again, and may be paid for twice: cargo bikes/);
	});
});

it.each(['after', 'before'] as const)(
	'a decision that is lost (%s) takes no run of another thread that was given the same message',
	async (when) => {
		await serve({ paidProviders: true });
		const options = { mode: 'chat', exchange: { exchange: { enabled: true, requireApproval: true } } };
		const asking = { resource: 'agent', operation: 'start', prompt: 'Find the CEO', options };
		const asked = await runNode(sandbox, asking, { items: SAME });
		const [own, other] = jsonOf(asked.items(NODE)).map(({ threadId, pendingApproval }) => ({
			threadId: String(threadId),
			approvalId: (pendingApproval as { id: string }).id,
		}));
		lose(when);
		const parameters = { resource: 'agent', operation: 'decide', ...own, decision: 'approve', prompt: 'Go on.' };
		const running = runNode(sandbox, parameters);
		await until('the decision', () => sandbox.stats().calls.agentStart === 3);
		// Somebody else of the account decides in the other thread.
		const approve = { approvalId: other?.approvalId };
		const decided = { prompt: 'Go on.', threadId: other?.threadId, mode: 'chat', exchange: { enabled: true, approve } };
		const headers = { 'x-sandbox-no-faults': '1' };
		expect((await ask(sandbox, 'POST', '/v2/agent', { body: decided, headers })).status).toBe(200);
		const execution = await running;
		if (when === 'after') expect(jsonOf(execution.items(NODE))).toMatchObject([{ threadId: own?.threadId }]);
		else expect(errorText(execution)).toMatch(/may have been started.*The service has not listed it yet/);
	},
);

describe('the opening of a session that is lost', () => {
	it.each([
		['Run in a New Session', inNewSession(["'done'"])],
		['Create Session', createSession()],
	])('is told where the second is refused: %s', async (_name, parameters) => {
		await serve();
		sandbox.faults.add({ step: 'browserCreate', kind: 'reset', when: 'after', times: 1 });
		const running = runNode(sandbox, parameters);
		await until('the first opening', () => sandbox.stats().calls.browserCreate === 1);
		sandbox.faults.add({ step: 'browserCreate', kind: 'status', httpStatus: 402, times: 1 });
		const execution = await running;
		expect(errorText(execution)).toMatch(/It was sent once more, and refused: .*credits/);
		expect(errorText(execution)).toContain('If a session was opened, it ends by itself');
		expect(await sessionsOf(sandbox)).toHaveLength(1);
	});
});

describe('a research whose question is an expression that differs each time', () => {
	const broken = { step: 'model', kind: 'status', httpStatus: 401, skip: 4, times: 1 } as const;
	const parameters = {
		query: '={{ $json.q }} (asked {{ $now.toMillis() }})',
		options: { publishedBetween: { from: '2026-01-01', to: '={{ $now.toISODate() }}' } },
	};

	it.each(['Retry', 'Retry On Fail'])('goes on with the question and the day of the first try: %s', async (how) => {
		await serve({ lightWork: false });
		await runResearch(sandbox, { parameters });
		const whole = callsOf(sandbox);
		sandbox.reset();
		sandbox.faults.add(broken);
		const node = how === 'Retry' ? {} : { retryOnFail: true, maxTries: 2 };
		let execution = await runResearch(sandbox, { parameters, node });
		await after(86_400_000);
		if (how === 'Retry') execution = await retryResearch(sandbox, execution, { parameters });
		expect(errorText(execution)).toBe('');
		expect(callsOf(sandbox)).toEqual({ ...whole, model: whole.model + 1 });
	});

	it('asks anew what was edited', async () => {
		await serve({ lightWork: false });
		sandbox.faults.add(broken);
		const failed = await runResearch(sandbox, { parameters });
		const before = callsOf(sandbox);
		await retryResearch(sandbox, failed, { parameters: { ...parameters, query: '={{ $json.q }} ({{ $now }})' } });
		expect(callsOf(sandbox).search).toBeGreaterThan(before.search);
	});
});

it('a page of a research whose answer is lost is named, and counted as what it may have cost', async () => {
	await serve({ lightWork: false, database: false });
	sandbox.faults.add({ step: 'scrape', kind: 'reset', when: 'before', times: 1 });
	const execution = await runResearch(sandbox);
	expect(errorText(execution)).toBe('');
	const [item] = jsonOf(execution.items(RESEARCH));
	const { creditsUsed } = sandbox.stats();
	expect(item?.usage).toMatchObject({ creditsUsed, creditsInDoubt: 10 });
	const said = execution.hints(RESEARCH).map(({ message }) => message);
	expect(said.join('\n')).toContain(`${creditsUsed} credits and up to 10 more`);
	expect(said.join('\n')).toMatch(/1 request got no answer, and may have cost up to 10 credits more: page http/);
});
