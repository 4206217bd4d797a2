import type { INodeParameters } from 'n8n-workflow';
import type { Execution, NodeOverride } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import {
	after,
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
import type { Stored } from './run';

// Real kills of a real n8n: npm run kills. Here is what the node makes of what they leave behind.

const ITEMS = questions(3);
const DIED = /may have been started.*n8n's log.*retry this execution/;

let sandbox: Sandbox;

beforeEach(async () => {
	const keys = [KEY, KEY_AFTERWARDS];
	sandbox = await startSandbox({
		lightWork: true,
		jobDurationMs: 200,
		keys,
	});
});

const killed = async () => await killedInNode(sandbox, startParameters(), { items: ITEMS });

async function retry(previous: Stored, node: NodeOverride = {}): Promise<Execution> {
	const credential = { baseUrl: sandbox.baseUrl, apiKey: KEY_AFTERWARDS };
	return await retryNode(sandbox, previous, startParameters(), { credential, node });
}

const starts = () => sandbox.stats().starts.total;

describe('where the service lists jobs', () => {
	it('finds the jobs on the first Retry after n8n died while the node ran, and starts nothing', async () => {
		const retried = await retry(await killed());
		expect(retried.error).toBeUndefined();
		expect(jsonOf(retried.items(NODE)).map(({ query }) => query)).toEqual(ITEMS.map(({ q }) => q));
		expect(starts()).toBe(3);
		expect(hintsIn(retried)).toContain('Found 3 jobs again');
	});

	it('finds the jobs of a Retry that n8n was killed in, too, and starts nothing', async () => {
		sandbox.faults.add({ step: 'start', kind: 'status', httpStatus: 400 });
		const failed = await runNode(sandbox, startParameters(), { items: ITEMS });
		expect(failed.error).toBeDefined();
		sandbox.faults.clear();
		const { executionId } = await retryNode(sandbox, failed, startParameters());
		expect(starts()).toBe(3);
		// n8n stores a retry with what it begins with, and its recovery finds nothing to put down.
		const retried = await retry({ executionId, stored: failed.stored });
		expect(retried.error).toBeUndefined();
		expect(retried.items(NODE)).toHaveLength(3);
		expect(starts()).toBe(3);
		expect(hintsIn(retried)).toContain('Found 3 jobs again');
	});

	it('starts what the list does not have: it was never started', async () => {
		sandbox.faults.add({ step: 'start', kind: 'status', httpStatus: 400, query: 'question 1' });
		const stored = await killed();
		expect(starts()).toBe(2);
		sandbox.faults.clear();
		// n8n takes its time to start again.
		await after(60_000);
		const retried = await retry(stored);
		expect(retried.error).toBeUndefined();
		expect(retried.items(NODE)).toHaveLength(3);
		expect(starts()).toBe(3);
		expect(hintsIn(retried)).toContain('Found 2 jobs again');
	});

	it('names those that may be it when there are several, and starts nothing', async () => {
		await killed();
		const retried = await retry(await killed());
		const [id] = startedIds(sandbox);
		expect(errorText(retried)).toMatch(/may have been started.*several that may be it/);
		expect(errorText(retried)).toMatch(/n8n's log.*retry this execution/);
		expect(errorText(retried)).toContain(String(id));
		expect(starts()).toBe(6);
	});
});

describe('where the service lists nothing', () => {
	beforeEach(() => withoutLists(sandbox));

	it('starts nothing again on the first Retry after n8n died while the node ran', async () => {
		const retried = await retry(await killed());
		expect(errorText(retried)).toMatch(DIED);
		expect(starts()).toBe(3);
	});

	it('starts all when the refusal itself is retried: then the person has decided', async () => {
		const again = await retry(await retry(await killed()));
		expect(again.error).toBeUndefined();
		expect(again.items(NODE)).toHaveLength(3);
		expect(starts()).toBe(6);
	});

	it('starts all on Retry when n8n died before the node began', async () => {
		const { executionId, before } = await killed();
		const retried = await retry({ executionId, stored: before });
		expect(retried.error).toBeUndefined();
		expect(starts()).toBe(6);
	});

	it('does not take a credential that was wrong for a death of n8n', async () => {
		const credential = { baseUrl: 'no address', apiKey: '' };
		const failed = await runNode(sandbox, startParameters(), { items: ITEMS, credential });
		expect(failed.error).toBeDefined();
		const retried = await retry(failed);
		expect(retried.error).toBeUndefined();
		expect(starts()).toBe(3);
	});
});

describe('single requests', () => {
	const SCRAPE = { resource: 'page', operation: 'scrape', url: 'https://example.com/?page=1' };
	const search = (maxResults: number) => ({ resource: 'search', operation: 'search', query: 'winter', maxResults });

	async function retryOf(stored: Stored, parameters: INodeParameters): Promise<Execution> {
		const credential = { baseUrl: sandbox.baseUrl, apiKey: KEY_AFTERWARDS };
		await after(10_000);
		return await retryNode(sandbox, stored, parameters, { credential });
	}

	const sent = (path: RegExp) =>
		sandbox.requests().filter((one) => one.method === 'POST' && path.test(one.path)).length;

	it('are sent again where they cost little, and that is said', async () => {
		const retried = await retryOf(await killedInNode(sandbox, search(5)), search(5));
		expect(errorText(retried)).toBe('');
		expect(hintsIn(retried)).toContain('n8n was killed while this node ran');
		expect(sent(/search$/)).toBe(2);
	});

	it('are left to a person where they may cost much, who retries once more', async () => {
		const retried = await retryOf(await killedInNode(sandbox, search(100)), search(100));
		expect(errorText(retried)).toMatch(/n8n was ended.*more than 10 credits.*retry this execution once more/);
		expect(sent(/search$/)).toBe(1);
		const again = await retryOf(retried, search(100));
		expect(errorText(again)).toBe('');
		expect(sent(/search$/)).toBe(2);
	});

	it('are left to a person where several are listed, and named', async () => {
		await killedInNode(sandbox, SCRAPE);
		const retried = await retryOf(await killedInNode(sandbox, SCRAPE), SCRAPE);
		expect(errorText(retried)).toMatch(/several that may be it.*retry this execution once more/);
		expect(sent(/scrape$/)).toBe(2);
		const again = await retryOf(retried, SCRAPE);
		expect(errorText(again)).toBe('');
	});
});
