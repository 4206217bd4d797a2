import type { Sandbox } from '../../sandbox/server.ts';
import {
	callTool,
	errorText,
	jsonOf,
	NODE,
	questions,
	runNode,
	sourceItems,
	startParameters,
	startSandbox,
} from './run';

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
			`The deep research job is not finished after 2 seconds. The deep research job ${id} was still "processing" after 2 seconds (Max Wait). It runs on at the service. Retry in the list of executions waits on for the same job, and Deep Research · Get with this ID collects it. A longer Max Wait prevents this; with On Max Wait → Output the Unfinished Job you get what there is.`,
		);
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

// A plan of 5 jobs at once that does not say how long to wait: the hardest case for a client.
const TIGHT_PLAN = { jobsAtOnce: 5, retryAfter: 'none' } as const;

async function sandboxWith(options: Parameters<typeof startSandbox>[0]): Promise<Sandbox> {
	sandbox = await startSandbox({ lightWork: true, jobDurationMs: 300, ...options });
	return sandbox;
}

const FIFTY = questions(50);

it('brings 50 items through a plan of 5 jobs at once: 50 results, 50 starts, in input order', async () => {
	await sandboxWith({ plan: TIGHT_PLAN });
	const execution = await runNode(sandbox, startParameters(), { items: FIFTY });

	expect(execution.error).toBeUndefined();
	const items = execution.items(NODE);
	expect(jsonOf(items).map(({ query }) => query)).toEqual(FIFTY.map(({ q }) => q));
	expect(sourceItems(items)).toEqual(FIFTY.map((_item, index) => index));
	const stats = sandbox.stats();
	expect(stats.starts.total).toBe(50);
	expect(new Set(stats.starts.list.map(({ query }) => query)).size).toBe(50);
	expect(stats.mostJobsAtOnce).toBeLessThanOrEqual(5);
	expect(stats.refusals.jobsAtOnce).toBeGreaterThan(0);
	expect(execution.hints(NODE)[0]?.message).toMatch(/^50 jobs finished, .* Rate limits made it wait \d+ s\./);
});

it('starts none of 50 jobs twice when Retry On Fail repeats the run after a fault on one item', async () => {
	await sandboxWith({ plan: TIGHT_PLAN });
	sandbox.faults.add({
		step: 'status',
		query: 'question 7',
		kind: 'body',
		httpStatus: 403,
		times: 1,
	});
	const execution = await runNode(sandbox, startParameters(), {
		items: FIFTY,
		node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
	});

	expect(execution.error).toBeUndefined();
	expect(jsonOf(execution.items(NODE)).map(({ query }) => query)).toEqual(FIFTY.map(({ q }) => q));
	expect(sandbox.stats().starts.total).toBe(50);
});

it('names every job that was started when it fails', async () => {
	await sandboxWith({});
	sandbox.faults.add({
		step: 'start',
		query: 'question 1',
		kind: 'failJob',
		error: 'No sources found',
	});
	const execution = await runNode(sandbox, startParameters(), { items: questions(3) });

	const started = sandbox.stats().starts.list;
	const idOf = (query: string) => started.find((job) => job.query === query)?.id;
	expect(errorText(execution)).toContain(`${idOf('question 1')} failed: No sources found`);
	const error = execution.error as unknown as { context: { details: unknown } };
	expect(error.context.details).toEqual({
		jobId: idOf('question 1'),
		state: 'failed',
		jobs: [0, 1, 2].map((item) => ({
			item,
			id: idOf(`question ${item}`),
			state: item === 1 ? 'failed' : expect.any(String),
		})),
	});
});
