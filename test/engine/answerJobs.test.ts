import type { Sandbox } from '../../sandbox/server.ts';
import type { SandboxOptions } from '../../sandbox/service/options.ts';
import { ANSWER_KINDS, sayOfJobs, startOf } from './answerKinds';
import {
	errorText,
	hintsIn,
	jsonOf,
	NODE,
	questions,
	RETRY,
	retryNode,
	runNode,
	startedIds,
	startSandbox,
} from './run';

let sandbox: Sandbox;

async function serve(options: SandboxOptions = {}): Promise<void> {
	sandbox = await startSandbox({ lightWork: true, jobDurationMs: 300, ...options });
}

const starts = () => sandbox.stats().starts.total;
const q = (...texts: string[]) => texts.map((text) => ({ q: text }));

describe.each(ANSWER_KINDS)('$name', (kind) => {
	const { label, collectWith } = kind;
	const start = startOf(kind);

	it('puts out one item with what was found, and says what it cost', async () => {
		await serve();
		const execution = await runNode(sandbox, start, { items: q('tides') });
		expect(execution.error).toBeUndefined();
		const [id] = startedIds(sandbox);
		expect(jsonOf(execution.items(NODE))).toMatchObject([{ id, status: 'completed', ...kind.gives }]);
		expect(hintsIn(execution)).toMatch(/^1 job finished, /);
		expect(hintsIn(execution)).toContain(`${kind.costs}. Results expire on `);
	});

	it('is taken up by Get, running and ended', async () => {
		await serve({ jobDurationMs: 2500 });
		const begun = await runNode(sandbox, { ...start, waitForCompletion: false }, { items: q('tides') });
		const [id = ''] = startedIds(sandbox);
		expect(jsonOf(begun.items(NODE))).toMatchObject([{ id }]);
		expect(hintsIn(begun)).toContain(`1 job started. Collect the results with ${collectWith}.`);
		const get = { resource: kind.name, operation: 'get', jobId: '={{ $json.id }}' };
		const looked = await runNode(sandbox, get, { items: [{ id }] });
		expect(jsonOf(looked.items(NODE))).toMatchObject([{ id, status: 'processing' }]);
		const waited = await runNode(sandbox, { ...get, waitForCompletion: true }, { items: [{ id }] });
		expect(jsonOf(waited.items(NODE))).toMatchObject([{ id, status: 'completed', ...kind.gives }]);
		expect(starts()).toBe(1);
	});

	it.each(['failed', 'cancelled'])('says of a job that is "%s" why, in one sentence', async (status) => {
		await serve();
		sayOfJobs(sandbox, { success: false, status, error: 'The budget is used up.' });
		const execution = await runNode(sandbox, start, { items: q('tides') });
		const verb = status === 'failed' ? 'failed' : 'was cancelled';
		expect(errorText(execution)).toContain(`${verb}: The budget is used up.`);
		expect(execution.error?.context.details).toMatchObject({ state: status });
	});

	it('is waited for in a state that nobody knows, until Max Wait, and can be put out unfinished', async () => {
		await serve();
		sayOfJobs(sandbox, { success: true, status: 'pondering' });
		const wait = (more: object) => ({
			...start,
			options: { waitOptions: { maxWait: 1, ...more } },
		});
		const failed = await runNode(sandbox, wait({}), { items: q('tides') });
		expect(errorText(failed)).toContain('was still "pondering" after 1 second (Max Wait). It runs on');
		expect(errorText(failed)).toContain(`${collectWith} with this ID collects it`);
		const put = await runNode(sandbox, wait({ onTimeout: 'output' }), { items: q('tides') });
		expect(jsonOf(put.items(NODE))).toMatchObject([{ id: startedIds(sandbox)[1], status: 'pondering' }]);
	});

	it.each(Object.entries(kind.nothing))(
		'ends well with %s: an item, and a hint that says what it lacks',
		async (_what, body) => {
			await serve();
			sayOfJobs(sandbox, body);
			const execution = await runNode(sandbox, start, { items: q('tides') });
			expect(execution.error).toBeUndefined();
			expect(jsonOf(execution.items(NODE))).toMatchObject([{ id: startedIds(sandbox)[0], status: 'completed' }]);
			expect(hintsIn(execution)).toContain(`The ${label} ${startedIds(sandbox)[0]} ${kind.saysOfNothing}.`);
		},
	);

	it('costs an unknown sum where the service says -1: neither shown nor summed', async () => {
		await serve();
		sayOfJobs(sandbox, {
			status: 'completed',
			data: { a: 1, llmstxt: '\n- [A](a)' },
			creditsUsed: -1,
		});
		for (const output of ['simplified', 'fullRecord', 'text']) {
			const execution = await runNode(sandbox, { ...start, output }, { items: q('tides') });
			// IDs have hyphens, too: a number of its own is meant.
			expect(JSON.stringify(jsonOf(execution.items(NODE)))).not.toMatch(/:-1\b/);
			expect(hintsIn(execution)).not.toMatch(/(^|\s)-1\b/);
		}
	});
});

describe.each(ANSWER_KINDS)('$name is never paid for twice', (kind) => {
	const start = startOf(kind);
	const refuseOneLook = () =>
		sandbox.faults.add({ step: 'status', kind: 'status', httpStatus: 403, times: 1, query: 'b' });

	it('by Retry On Fail', async () => {
		await serve();
		refuseOneLook();
		const execution = await runNode(sandbox, start, {
			items: q('a', 'b', 'c'),
			node: RETRY,
		});
		expect(execution.error).toBeUndefined();
		expect(jsonOf(execution.items(NODE)).map(({ id }) => id)).toEqual(startedIds(sandbox));
		expect(starts()).toBe(3);
		expect(hintsIn(execution)).toContain('Reused 3 jobs from an earlier try');
	});

	it('by a retry of the failed execution', async () => {
		await serve();
		refuseOneLook();
		const failed = await runNode(sandbox, start, { items: q('a', 'b', 'c') });
		expect(errorText(failed)).toContain('could not be read');
		const again = await retryNode(sandbox, failed, start);
		expect(again.error).toBeUndefined();
		expect(jsonOf(again.items(NODE))).toHaveLength(3);
		expect(starts()).toBe(3);
	});

	it('a job that failed is started again by a retry, which says so', async () => {
		await serve();
		sandbox.faults.add({ step: 'start', kind: 'failJob', times: 1, error: 'No luck' });
		const failed = await runNode(sandbox, start, { items: q('a') });
		expect(errorText(failed)).toContain('A retry starts a new job, and pays for it');
		const again = await retryNode(sandbox, failed, start);
		expect(again.error).toBeUndefined();
		expect(starts()).toBe(2);
		expect(hintsIn(again)).toContain('1 job of an earlier try failed');
	});

	it('when the answers of its starts are lost', async () => {
		const count = 6;
		await serve();
		sandbox.faults.add({ step: 'start', kind: 'reset', when: 'after', times: count });
		const items = questions(count).map(({ q: text }) => ({ q: text.replace(' ', '-') }));
		const execution = await runNode(sandbox, start, { items });
		expect(execution.error).toBeUndefined();
		expect(
			jsonOf(execution.items(NODE))
				.map(({ id }) => id)
				.sort(),
		).toEqual(startedIds(sandbox).sort());
		expect(starts()).toBe(count);
		expect(hintsIn(execution)).toContain(`Found ${count} job`);
	});
});
