import type { Sandbox } from '../../sandbox/server.ts';
import { after, callTool, errorText, NODE, questions, runNode, startParameters, startSandbox } from './run';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ lightWork: true, jobDurationMs: 60_000 });
});

describe('Max Wait', () => {
	it('fails with the job’s id and what to do', async () => {
		const execution = await runNode(sandbox, startParameters({ options: { waitOptions: { maxWait: 2 } } }), {
			items: questions(1),
		});
		const id = sandbox.stats().starts.list[0]?.id;
		expect(errorText(execution)).toBe(
			`The deep research job is not finished after 2 seconds. The deep research job ${id} was still "processing" after 2 seconds (Max Wait). It runs on at the service. Retry in the list of executions waits on for the same job, Deep Research · Get with this ID collects it, and a longer Max Wait prevents this.`,
		);
	});
});

describe('an unknown state', () => {
	it('is waited on until Max Wait and then reported as it is', async () => {
		const execution = await runNode(sandbox, startParameters({ options: { waitOptions: { maxWait: 2 } } }), {
			items: [{ q: 'what is [odd]' }],
		});
		expect(errorText(execution)).toContain('was still "pondering" after 2 seconds');
	});
});

describe('Stop', () => {
	it('ends the wait, with no further request after one second', async () => {
		const stop = new AbortController();
		const running = runNode(sandbox, startParameters(), {
			items: questions(5),
			signal: stop.signal,
		});
		while (sandbox.stats().polls.total < 5) await after(50);
		stop.abort();
		const stoppedAtMs = Date.now();
		const execution = await running;
		expect(execution.run.status).toBe('canceled');
		for (const { id } of sandbox.stats().starts.list) expect(errorText(execution)).toContain(id);
		await after(2500);
		const last = sandbox.stats().lastRequestAtMs ?? 0;
		expect(last - stoppedAtMs).toBeLessThan(1000);
	});
});

describe('continue on error', () => {
	it.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
		'%s keeps good and bad items apart and names the job',
		async (onError) => {
			sandbox.faults.add({ step: 'start', query: 'question 1', kind: 'failJob', error: 'No luck' });
			const items = [{ q: '[lasts:0.3] question 0' }, { q: '[lasts:0.3] question 1' }];
			const execution = await runNode(sandbox, startParameters(), { items, node: { onError } });
			expect(execution.error).toBeUndefined();
			const good = execution.items(NODE, 0);
			const bad = onError === 'continueErrorOutput' ? execution.items(NODE, 1) : good.slice(1);
			const id = sandbox.stats().starts.list.find(({ query }) => query.includes('1'))?.id;
			expect(good[0]?.json).toMatchObject({ status: 'completed' });
			expect(bad[0]?.json).toMatchObject({
				error: `The deep research job ${id} failed: No luck. A retry starts a new job, and pays for it.`,
				details: { jobId: id, state: 'failed', jobs: [{ item: 0 }, { item: 1, id }] },
			});
			expect(bad[0]?.pairedItem).toEqual({ item: 1 });
		},
	);
});

describe('as a tool of an AI agent', () => {
	const call = async (path: 'invoke' | 'request', args: Record<string, string>, output = 'simplified') =>
		await callTool(sandbox, {
			parameters: {
				resource: 'deepResearch',
				operation: 'start',
				query: "={{ $fromAI('query', 'what to research', 'string') }}",
				output,
			},
			args,
			path,
		});

	it.each(['invoke', 'request'] as const)('answers with text (%s)', async (path) => {
		const tool = await call(path, { query: '[lasts:0.3] cargo bikes' });
		expect(tool.text).toContain('finalAnalysis');
		expect(tool.text).toContain('completed');
	});

	it.each(['invoke', 'request'] as const)('gives the report as text, not as a file (%s)', async (path) => {
		const tool = await call(path, { query: '[lasts:0.3] cargo bikes' }, 'reportFile');
		expect(tool.text).toContain('## Sources');
	});
});
