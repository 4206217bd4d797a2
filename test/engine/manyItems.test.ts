import type { Sandbox } from '../../sandbox/server.ts';
import {
	errorText,
	hintsOf,
	jsonOf,
	NODE,
	questions,
	retryNode,
	runNode,
	sourceItems,
	startParameters,
	startSandbox,
} from './run';

// A plan of 5 jobs at once that does not say how long to wait: the hardest case for a client.
const TIGHT_PLAN = { jobsAtOnce: 5, retryAfter: 'none' } as const;

let sandbox: Sandbox;

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

it('attaches to the jobs of a failed run when its stored data is run again', async () => {
	await sandboxWith({ plan: TIGHT_PLAN });
	sandbox.faults.add({
		step: 'status',
		query: 'question 3',
		kind: 'status',
		httpStatus: 401,
		times: 1,
	});
	const items = questions(10);
	const failed = await runNode(sandbox, startParameters(), { items });
	expect(errorText(failed)).toContain('API key');
	const startedBefore = sandbox.stats().starts.total;

	const retried = await retryNode(sandbox, failed, startParameters());
	expect(retried.error).toBeUndefined();
	expect(jsonOf(retried.items(NODE)).map(({ query }) => query)).toEqual(items.map(({ q }) => q));
	expect(startedBefore).toBeGreaterThan(0);
	expect(sandbox.stats().starts.total).toBe(10);
	expect(hintsOf(retried).join(' ')).toContain('Reused ');
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
