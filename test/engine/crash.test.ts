import { recoveredFromCrash, retryFromStored, runWorkflow } from '../../engine/index.ts';
import type { Execution, NodeOverride } from '../../engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { after } from './pagesRun';
import {
	errorText,
	executionOptions,
	hintsIn,
	jsonOf,
	KEY,
	NODE,
	questions,
	startParameters,
	startSandbox,
} from './run';

// Real kills of a real n8n: npm run chaos:kills. Here is what the node makes of what they leave behind.

const ITEMS = questions(3);
const DIED = /may have been started.*n8n's log.*retry this execution/;

let sandbox: Sandbox;

/** A process that was started again knows nothing of this credential; in this one, another key has that. */
const KEY_AFTERWARDS = 'fc-afterwards';

async function serve(lists: 'present' | 'missing'): Promise<void> {
	const keys = [KEY, KEY_AFTERWARDS];
	sandbox = await startSandbox({
		lightWork: true,
		jobDurationMs: 200,
		lists,
		keys,
	});
}

/** Runs, and gives what n8n had stored when the node under test began. */
async function storedBeforeNode(): Promise<Pick<Execution, 'executionId' | 'stored'>> {
	let stored = '';
	const { executionId } = await runWorkflow({
		...(await executionOptions(sandbox, startParameters())),
		pinData: { Items: ITEMS.map((json) => ({ json })) },
		onProgress: (nodeName, data) => {
			if (nodeName === 'Items') stored = data;
		},
	});
	return { executionId, stored };
}

/** The same when n8n was killed while the node ran, and was started again. */
async function killedInNode(): Promise<Pick<Execution, 'executionId' | 'stored'>> {
	const { executionId, stored } = await storedBeforeNode();
	return { executionId, stored: recoveredFromCrash(stored, NODE) };
}

async function retry(previous: Pick<Execution, 'executionId' | 'stored'>, node?: NodeOverride): Promise<Execution> {
	const credential = { baseUrl: sandbox.baseUrl, apiKey: KEY_AFTERWARDS };
	const settings = { credential };
	const { nodeOverrides, ...options } = await executionOptions(sandbox, startParameters(), settings);
	return await retryFromStored(previous, {
		...options,
		...(node && { nodeOverrides: { ...nodeOverrides, [NODE]: node } }),
	});
}

const starts = () => sandbox.stats().starts.total;

describe('where the service lists jobs', () => {
	beforeEach(async () => await serve('present'));

	it('finds the jobs on the first Retry after n8n died while the node ran, and starts nothing', async () => {
		const retried = await retry(await killedInNode());
		expect(retried.error).toBeUndefined();
		expect(jsonOf(retried.items(NODE)).map(({ query }) => query)).toEqual(ITEMS.map(({ q }) => q));
		expect(starts()).toBe(3);
		expect(hintsIn(retried)).toContain('Found 3 jobs again');
	});

	it('finds the jobs of a Retry that n8n was killed in, too, and starts nothing', async () => {
		sandbox.faults.add({ step: 'start', kind: 'status', httpStatus: 400 });
		const failed = await runWorkflow({
			...(await executionOptions(sandbox, startParameters())),
			pinData: { Items: ITEMS.map((json) => ({ json })) },
		});
		expect(failed.error).toBeDefined();
		sandbox.faults.clear();
		const credential = { baseUrl: sandbox.baseUrl, apiKey: KEY };
		const options = await executionOptions(sandbox, startParameters(), { credential });
		const killed = await retryFromStored(failed, options);
		expect(starts()).toBe(3);
		// n8n stores a retry with what it begins with, and its recovery finds nothing to put down.
		const { executionId } = killed;
		const retried = await retry({ executionId, stored: failed.stored });
		expect(retried.error).toBeUndefined();
		expect(retried.items(NODE)).toHaveLength(3);
		expect(starts()).toBe(3);
		expect(hintsIn(retried)).toContain('Found 3 jobs again');
	});

	it('starts what the list does not have: it was never started', async () => {
		sandbox.faults.add({ step: 'start', kind: 'status', httpStatus: 400, query: 'question 1' });
		const killed = await killedInNode();
		expect(starts()).toBe(2);
		sandbox.faults.clear();
		// n8n takes its time to start again.
		await after(60_000);
		const retried = await retry(killed);
		expect(retried.error).toBeUndefined();
		expect(retried.items(NODE)).toHaveLength(3);
		expect(starts()).toBe(3);
		expect(hintsIn(retried)).toContain('Found 2 jobs again');
	});

	it('names those that may be it when there are several, and starts nothing', async () => {
		await killedInNode();
		const retried = await retry(await killedInNode());
		const [id] = sandbox.stats().starts.list.map((start) => start.id);
		expect(errorText(retried)).toMatch(/may have been started.*several that may be it/);
		expect(errorText(retried)).toMatch(/n8n's log.*retry this execution/);
		expect(errorText(retried)).toContain(String(id));
		expect(starts()).toBe(6);
	});
});

describe('where the service lists nothing', () => {
	beforeEach(async () => await serve('missing'));

	it('starts nothing again on the first Retry after n8n died while the node ran', async () => {
		const retried = await retry(await killedInNode());
		expect(errorText(retried)).toMatch(DIED);
		expect(starts()).toBe(3);
	});

	it('starts nothing again either when Retry On Fail repeats the refusal', async () => {
		const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
		const retried = await retry(await killedInNode(), node);
		expect(errorText(retried)).toMatch(DIED);
		expect(starts()).toBe(3);
	});

	it('says it of every item with "continue on error"', async () => {
		const retried = await retry(await killedInNode(), { onError: 'continueErrorOutput' });
		expect(retried.error).toBeUndefined();
		const errors = jsonOf(retried.items(NODE, 1)).map(({ error }) => error);
		expect(errors).toEqual([1, 2, 3].map(() => expect.stringMatching(DIED)));
		expect(starts()).toBe(3);
	});

	it('starts all when the refusal itself is retried: then the person has decided', async () => {
		const again = await retry(await retry(await killedInNode()));
		expect(again.error).toBeUndefined();
		expect(again.items(NODE)).toHaveLength(3);
		expect(starts()).toBe(6);
	});

	it('starts all on Retry when n8n died before the node began', async () => {
		const retried = await retry(await storedBeforeNode());
		expect(retried.error).toBeUndefined();
		expect(starts()).toBe(6);
	});

	it('does not take a credential that was wrong for a death of n8n', async () => {
		const failed = await runWorkflow({
			...(await executionOptions(sandbox, startParameters())),
			credential: { baseUrl: 'no address', apiKey: '' },
			pinData: { Items: ITEMS.map((json) => ({ json })) },
		});
		expect(failed.error).toBeDefined();
		const retried = await retry(failed);
		expect(retried.error).toBeUndefined();
		expect(starts()).toBe(3);
	});
});
