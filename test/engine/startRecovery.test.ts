import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/server.ts';
import type { SandboxOptions } from '../../sandbox/service/options.ts';
import { startedJob, until } from '../sandbox/client';
import {
	errorText,
	hintsIn,
	NODE,
	questions,
	retryNode,
	runNode,
	startParameters,
	startSandbox,
	withoutLists,
} from './run';
import type { RunSettings } from './run';

let sandbox: Sandbox;

/** The clock of the service is `offsetMs` ahead of that of the node. */
async function serve(options: SandboxOptions = {}, offsetMs = 0): Promise<void> {
	const now = () => Date.now() + offsetMs;
	sandbox = await startSandbox({ lightWork: true, jobDurationMs: 300, now, ...options });
}

/** The service does its work, but its answer never comes. */
function loseAnswers(times: number): void {
	sandbox.faults.add({ step: 'start', kind: 'reset', when: 'after', times });
}

const starts = () => sandbox.stats().starts.total;
const crawl = (url: string): INodeParameters => ({ resource: 'crawl', operation: 'start', url });
const batch: INodeParameters = {
	resource: 'batchScrape',
	operation: 'start',
	urlsFrom: 'list',
	urls: '={{ $json.urls }}',
};

describe('a start whose answer is lost', () => {
	const long = `${'What do tides change? '.repeat(300)}#end`;
	const cases: Array<[string, INodeParameters, RunSettings]> = [
		['research', startParameters(), { items: [{ q: 'question' }] }],
		['research with a long query', startParameters(), { items: [{ q: long }] }],
		['a crawl', crawl('http://site.example/docs'), {}],
		['a crawl of an address with a fragment', crawl('http://site.example/docs/#run-7'), {}],
		['a batch', batch, { items: [{ urls: 'http://site.example/a#1\nhttp://site.example/b' }] }],
	];

	it.each(cases)(
		'is found in the list and goes on as if it had been answered: %s',
		async (_name, parameters, settings) => {
			await serve();
			loseAnswers(1);
			const execution = await runNode(sandbox, parameters, settings);
			expect(execution.error).toBeUndefined();
			expect(execution.items(NODE).length).toBeGreaterThan(0);
			expect(starts()).toBe(1);
			expect(hintsIn(execution)).toMatch(/^Found 1 job again whose start got no clear answer/m);
		},
	);

	it('is taken up by Retry On Fail and by a retry, too: it is in the ledger', async () => {
		await serve();
		loseAnswers(1);
		sandbox.faults.add({ step: 'status', kind: 'status', httpStatus: 403, times: 1 });
		const failed = await runNode(sandbox, startParameters(), { items: questions(1) });
		expect(errorText(failed)).toContain('could not be read');
		const retried = await retryNode(sandbox, failed, startParameters());
		expect(retried.error).toBeUndefined();
		expect(starts()).toBe(1);
	});

	it('is not taken when two may be it: both are named', async () => {
		await serve();
		loseAnswers(1);
		const running = runNode(sandbox, startParameters(), { items: questions(1) });
		await until('the start', () => starts() === 1);
		const other = await startedJob(sandbox, '/v1/deep-research', { query: 'question 0' });
		const execution = await running;
		expect(errorText(execution)).toMatch(/may have been started.*several that may be it/);
		expect(errorText(execution)).toContain(other);
		expect(errorText(execution)).toContain('Deep Research · Get');
		expect(errorText(execution)).not.toContain('activity');
		expect(execution.error?.context.details).toMatchObject({
			candidates: expect.arrayContaining([other]),
		});
		expect(starts()).toBe(2);
	});

	it.each([6000, 12_000])('is found, and not started again, where the lists are %i ms behind', async (lagMs) => {
		await serve({ lagMs });
		loseAnswers(1);
		const parameters = startParameters({ options: { onUnclearStart: 'startAgain' } });
		const execution = await runNode(sandbox, parameters, { items: questions(1) });
		expect(errorText(execution)).toBe('');
		expect(execution.items(NODE)).toHaveLength(1);
		expect(starts()).toBe(1);
		expect(hintsIn(execution)).toContain('Found 1 job again');
	});

	it('is found where the list had another shape at first', async () => {
		await serve();
		loseAnswers(1);
		sandbox.faults.add({ step: 'activity', kind: 'wrongShape', body: { success: true }, times: 1 });
		const execution = await runNode(sandbox, startParameters(), { items: questions(1) });
		expect(execution.error).toBeUndefined();
		expect(starts()).toBe(1);
	});

	it('says that it is not listed yet when the list does not have it', async () => {
		await serve();
		sandbox.faults.add({ step: 'start', kind: 'reset', when: 'before', times: 1 });
		const execution = await runNode(sandbox, startParameters(), { items: questions(1) });
		expect(errorText(execution)).toMatch(
			/may have been started.*The service has not listed it yet\. It is not started again/,
		);
		expect(starts()).toBe(0);
	});

	it('says that absence proves nothing where only running crawls are listed', async () => {
		await serve();
		withoutLists(sandbox, ['activity']);
		sandbox.faults.add({ step: 'start', kind: 'reset', when: 'before', times: 1 });
		const execution = await runNode(sandbox, crawl('http://site.example/docs'));
		expect(errorText(execution)).toMatch(/has not listed it yet, but it may have ended already/);
	});

	it.each([
		['missing', "look in the account's activity"],
		['broken', 'look in the log of your server'],
	] as const)('ends as ever where the lists are %s', async (lists, advice) => {
		await serve({ database: lists === 'missing' });
		if (lists === 'missing') withoutLists(sandbox);
		loseAnswers(1);
		const execution = await runNode(sandbox, startParameters(), { items: questions(1) });
		expect(errorText(execution)).toMatch(/may have been started, and may be paid for\./);
		expect(errorText(execution)).toContain(
			`It is not started again by a retry, so that it is not paid twice: ${advice}`,
		);
		expect(starts()).toBe(1);
	});

	it('is looked for again by a retry, which then finds it', async () => {
		await serve();
		loseAnswers(1);
		sandbox.faults.add({ step: 'activity', kind: 'status', httpStatus: 404, times: 1 });
		const failed = await runNode(sandbox, startParameters(), { items: questions(1) });
		expect(errorText(failed)).toContain('may have been started');
		const retried = await retryNode(sandbox, failed, startParameters());
		expect(retried.error).toBeUndefined();
		expect(retried.items(NODE)).toHaveLength(1);
		expect(hintsIn(retried)).toContain('Found 1 job again');
		expect(starts()).toBe(1);
	});

	it('is sent once more with "Start Again" when it is not found, and a hint says what that may cost', async () => {
		await serve();
		sandbox.faults.add({ step: 'start', kind: 'reset', when: 'before', times: 1 });
		const parameters = startParameters({ options: { onUnclearStart: 'startAgain' } });
		const execution = await runNode(sandbox, parameters, { items: questions(1) });
		expect(execution.error).toBeUndefined();
		expect(starts()).toBe(1);
		expect(hintsIn(execution)).toContain('may be paid for twice');
	});

	it('is not sent again with "Start Again" when Max Credits has no room for a second one', async () => {
		await serve();
		withoutLists(sandbox);
		loseAnswers(1);
		const parameters = startParameters({
			options: { onUnclearStart: 'startAgain', maxUrls: 20, maxCredits: 39 },
		});
		const execution = await runNode(sandbox, parameters, { items: questions(1) });
		expect(errorText(execution)).toMatch(
			/may have been started.*Start Again is not followed: .*more than Max Credits \(This Run\) allows/,
		);
		expect(starts()).toBe(1);
	});

	it('is sent again with "Start Again" when Max Credits has room for a second one', async () => {
		await serve();
		withoutLists(sandbox);
		loseAnswers(1);
		const parameters = startParameters({
			options: { onUnclearStart: 'startAgain', maxUrls: 20, maxCredits: 40 },
		});
		const execution = await runNode(sandbox, parameters, { items: questions(1) });
		expect(execution.error).toBeUndefined();
		expect(starts()).toBe(2);
	});

	it('ends within a second at Stop while it is looked for', async () => {
		await serve();
		sandbox.faults.add({ step: 'start', kind: 'reset', when: 'before', times: 1 });
		const stop = new AbortController();
		setTimeout(() => stop.abort(), 1500);
		const beganMs = Date.now();
		const execution = await runNode(sandbox, startParameters(), {
			items: questions(1),
			signal: stop.signal,
		});
		expect(execution.run.status).toBe('canceled');
		expect(Date.now() - beganMs).toBeLessThan(3500);
	});
});
