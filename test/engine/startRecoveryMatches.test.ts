import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/server.ts';
import type { SandboxOptions } from '../../sandbox/service/options.ts';
import { startedJob } from '../sandbox/client';
import { suspendingCrawl, openWaitingSetup } from './suspension';
import { sayOfJobs } from './answerKinds';
import {
	after,
	errorText,
	hintsIn,
	jsonOf,
	NODE,
	retryNode,
	runNode,
	startedIds,
	startSandbox,
	withoutLists,
} from './run';

// A job that the service lists is a start's own only where its options show that.

const URL = 'http://site.example/docs';
const ONLY = /1 job was found by its address and time only, and may be somebody else's/;

let sandbox: Sandbox;

async function serve(options: SandboxOptions = {}): Promise<void> {
	sandbox = await startSandbox({ lightWork: true, jobDurationMs: 60_000, ...options });
}

const crawl = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'crawl',
	operation: 'start',
	url: URL,
	pageLimit: 20,
	...more,
});

/** Somebody else of the account starts a crawl of the same address. */
const startElsewhere = async (body: object) => await startedJob(sandbox, '/v2/crawl', { url: URL, ...body });

const starts = () => sandbox.stats().starts.total;
const loseAnswer = () => sandbox.faults.add({ step: 'start', kind: 'reset', when: 'after', times: 1 });
const loseRequest = () => sandbox.faults.add({ step: 'start', kind: 'reset', when: 'before', times: 1 });

/** Runs the crawl, and stops the execution as soon as its job is watched. */
async function stoppedWhenWatched() {
	const stop = new AbortController();
	const running = runNode(sandbox, crawl(), { signal: stop.signal });
	while (sandbox.stats().calls.crawlStatus === undefined) await after(10);
	stop.abort();
	const execution = await running;
	await after(300);
	return execution;
}

describe('a crawl of the same address that somebody else has started', () => {
	it.each([
		['more pages', { limit: 50 }],
		['no limit', {}],
		['other paths', { limit: 20, includePaths: ['blog/.*'] }],
		['other formats', { limit: 20, scrapeOptions: { formats: ['html'] } }],
	])('is not taken, and not touched, where it asks for %s', async (_what, body) => {
		await serve();
		const id = await startElsewhere(body);
		loseRequest();
		const execution = await runNode(sandbox, crawl());
		expect(errorText(execution)).toContain('The service has not listed it yet');
		expect(errorText(execution)).not.toContain(id);
		expect(starts()).toBe(1);
	});

	it('is taken where only its limit is lower, since the service may have lowered it, and said to be unproven', async () => {
		await serve();
		await startElsewhere({ limit: 5 });
		loseRequest();
		const execution = await runNode(sandbox, crawl());
		expect(hintsIn(execution)).toMatch(ONLY);
	});

	it('is its own where the service has lowered its limit to the balance, and no other is started', async () => {
		await serve({ plan: { credits: 5 }, jobDurationMs: 1000 });
		loseAnswer();
		const execution = await runNode(sandbox, crawl());
		expect(errorText(execution)).toBe('');
		expect(execution.items(NODE)).toHaveLength(5);
		expect(hintsIn(execution)).toMatch(ONLY);
		expect(starts()).toBe(1);
	});

	it('does not hide the one that is its own', async () => {
		await serve({ jobDurationMs: 1000 });
		const id = await startElsewhere({ limit: 50 });
		loseAnswer();
		const execution = await runNode(sandbox, crawl());
		expect(errorText(execution)).toBe('');
		expect(hintsIn(execution)).toContain('Found 1 job again');
		expect(hintsIn(execution)).not.toContain(id);
		expect(starts()).toBe(2);
	});
});

describe('a crawl that was found', () => {
	it('by all its options is cancelled on Stop', async () => {
		await serve();
		loseAnswer();
		await stoppedWhenWatched();
		expect(sandbox.stats().calls.cancel).toBe(1);
	});

	it('by its address and time only is left alone on Stop', async () => {
		await serve();
		withoutLists(sandbox, ['active']);
		loseAnswer();
		const execution = await stoppedWhenWatched();
		expect(sandbox.stats().calls.cancel).toBeUndefined();
		expect(errorText(execution)).toContain('Still running at the service');
	});
});

it('a crawl that was found by its address and time only is not waited for by its webhook', async () => {
	const setup = await openWaitingSetup({ jobDurationMs: 2000 });
	({ sandbox } = setup);
	withoutLists(sandbox, ['active']);
	loseAnswer();
	const ended = await setup.run(suspendingCrawl(sandbox));
	expect(ended.run.status).toBe('success');
	expect(hintsIn(ended)).toMatch(ONLY);
	expect(hintsIn(ended)).toMatch(/the node kept running: a job was found by its address and time only/);
});

describe('an agent whose start is answered by an error that says nothing', () => {
	const agent = { resource: 'agent', operation: 'start', prompt: 'Find the CEO' };
	const refuse = (when: 'before' | 'after') =>
		sandbox.faults.add({
			step: 'agentStart',
			kind: 'body',
			httpStatus: 500,
			body: { success: false, code: 'UNKNOWN_ERROR', error: 'An error occurred. Error ID: 1' },
			when,
			times: 1,
		});

	it('is found again where it was started, and read to its end', async () => {
		await serve({ jobDurationMs: 500 });
		refuse('after');
		const execution = await runNode(sandbox, agent);
		const [id] = startedIds(sandbox);
		expect(jsonOf(execution.items(NODE))).toMatchObject([{ id }]);
		expect(hintsIn(execution)).toContain(`Found 1 job again`);
		expect(hintsIn(execution)).toMatch(/found by its address or prompt and time only, and may be somebody else's/);
		expect(starts()).toBe(1);
	});

	it('is told as possibly started where it is not listed, and not sent again', async () => {
		await serve();
		refuse('before');
		const execution = await runNode(sandbox, agent);
		expect(errorText(execution)).toContain('The agent job may have been started');
		expect(errorText(execution)).toContain('The service has not listed it yet');
		const again = await retryNode(sandbox, execution, agent);
		expect(errorText(again)).toContain('The agent job may have been started');
		expect(sandbox.stats().calls.agentStart).toBe(1);
	});
});

describe('an agent that was found, and stays "processing"', () => {
	const agent: INodeParameters = {
		resource: 'agent',
		operation: 'start',
		prompt: 'Find the CEO',
		options: { waitOptions: { maxWait: 600 } },
	};

	it('is waited for until Max Wait, and named', async () => {
		await serve();
		loseAnswer();
		sayOfJobs(sandbox, { success: true, status: 'processing' });
		const execution = await runNode(sandbox, agent);
		const [id] = startedIds(sandbox);
		expect(errorText(execution)).toContain(`The agent job ${id} was still "processing" after 600 seconds (Max Wait).`);
		expect(starts()).toBe(1);
	});
});
