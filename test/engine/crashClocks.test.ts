import type { Execution } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import type { SandboxOptions } from '../../sandbox/service/options.ts';
import {
	errorText,
	hintsIn,
	KEY,
	KEY_AFTERWARDS,
	killedInNode,
	questions,
	retryNode,
	startParameters,
	startSandbox,
} from './run';
import type { Stored } from './run';

// n8n is killed, and its clock, or the lists of the service, do not show what they should afterwards.

const ITEMS = questions(3);
const LATER_MS = 100_000;
const trueNow = Date.now.bind(Date);

let sandbox: Sandbox;
let passedMs = 0;
let offsetMs = 0;

beforeEach(() => {
	[passedMs, offsetMs] = [0, 0];
	jest.spyOn(Date, 'now').mockImplementation(() => trueNow() + passedMs + offsetMs);
});

async function serve(options: SandboxOptions = {}): Promise<void> {
	const now = () => trueNow() + passedMs;
	const keys = [KEY, KEY_AFTERWARDS];
	sandbox = await startSandbox({ lightWork: true, jobDurationMs: 200, keys, now, ...options });
}

const killed = async () => await killedInNode(sandbox, startParameters(), { items: ITEMS });

async function retry(previous: Stored): Promise<Execution> {
	const credential = { baseUrl: sandbox.baseUrl, apiKey: KEY_AFTERWARDS };
	return await retryNode(sandbox, previous, startParameters(), { credential });
}

const starts = () => sandbox.stats().starts.total;

it.each([
	['ahead when it was killed', 98_000, 0],
	['far ahead when it was killed', 80_000 + LATER_MS, 60_000],
	['behind when it was killed', -70_000, 0],
	['behind when it was started again', 0, -98_000],
	['ahead when it was started again', 0, 70_000],
])('starts nothing again where n8n’s clock was %s', async (_when, killedAtMs, retriedAtMs) => {
	await serve();
	offsetMs = killedAtMs;
	const stored = await killed();
	expect(starts()).toBe(3);
	[passedMs, offsetMs] = [LATER_MS, retriedAtMs];
	const retried = await retry(stored);
	expect(starts()).toBe(3);
	if (retried.error) expect(errorText(retried)).toContain('may have been started');
	else expect(hintsIn(retried)).toContain('Found 3 jobs again');
});

it('finds the jobs where the lists are 12 s behind', async () => {
	await serve({ lagMs: 1200 });
	const retried = await retry(await killed());
	expect(errorText(retried)).toBe('');
	expect(hintsIn(retried)).toContain('Found 3 jobs again');
	expect(starts()).toBe(3);
});

it('starts nothing of what was not listed at once where the list then cannot be read any more', async () => {
	await serve();
	sandbox.faults.add({ step: 'start', kind: 'status', httpStatus: 400, query: 'question 1' });
	const stored = await killed();
	sandbox.faults.clear();
	expect(starts()).toBe(2);
	sandbox.faults.add({ step: 'activity', kind: 'status', httpStatus: 500, skip: 1 });
	const retried = await retry(stored);
	expect(starts()).toBe(2);
	expect(errorText(retried)).toMatch(/may have been started.*retry this execution/);
});
