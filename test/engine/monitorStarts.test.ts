import type { INodeParameters } from 'n8n-workflow';
import type { Execution } from '../../tools/n8n-engine/index.ts';
import type { FaultRule } from '../../sandbox/control/faultBook.ts';
import { MonitorService } from './monitorService';
import {
	after,
	errorText,
	hintsIn,
	jsonOf,
	KEY,
	KEY_AFTERWARDS,
	killedInNode,
	NODE,
	RETRY,
	retryNode,
	runNode,
} from './run';
import type { RunSettings } from './run';

// No check of a monitor is lost or paid for twice: starts without an answer, both retries, kills, faults.

let service: MonitorService;

beforeEach(async () => {
	service = await MonitorService.start({ keys: [KEY, KEY_AFTERWARDS] });
});

const RUN: INodeParameters = {
	resource: 'monitor',
	operation: 'run',
	monitorId: '={{ $json.id }}',
	output: 'job',
};

const run = async (ids: string[], settings: RunSettings = {}) =>
	await runNode(service.sandbox, RUN, { items: ids.map((id) => ({ id })), ...settings });

const idsOf = (execution: Execution) => jsonOf(execution.items(NODE)).map(({ id }) => id);

async function monitors(...names: string[]): Promise<string[]> {
	const ids: string[] = [];
	for (const name of names) ids.push(await service.created(name));
	return ids;
}

describe('a start whose answer is lost', () => {
	it('is found in the list of checks of its own monitor', async () => {
		service.sandbox.faults.add({ step: 'monitorRun', kind: 'reset', when: 'after', times: 2 });
		const execution = await run(await monitors('a', 'b', 'c'));
		expect(execution.error).toBeUndefined();
		expect([...idsOf(execution)].sort()).toEqual([...service.checks].sort());
		expect(service.checks).toHaveLength(3);
		expect(hintsIn(execution)).toContain('Found 2 jobs again');
	});

	it('is told to be missing where the list does not have it', async () => {
		const [id = ''] = await monitors('a');
		await service.run(id);
		service.sandbox.faults.add({ step: 'monitorRun', kind: 'reset', times: 1 });
		await after(6000);
		const execution = await run([id]);
		expect(errorText(execution)).toMatch(/monitor check may have been started.*The service has not listed it yet\./);
		expect(service.checks).toHaveLength(1);
	});
});

describe('a run that is repeated', () => {
	it('by Retry On Fail goes on with the checks that were started', async () => {
		const fault: FaultRule = { step: 'monitorCheck', kind: 'status', httpStatus: 403, times: 1 };
		service.sandbox.faults.add(fault);
		const execution = await run(await monitors('a', 'b'), { node: RETRY });
		expect(execution.error).toBeUndefined();
		expect(idsOf(execution)).toEqual(service.checks);
		expect(service.checks).toHaveLength(2);
		expect(hintsIn(execution)).toMatch(/Reused \d jobs? from an earlier try/);
	});

	it('finds its checks after n8n was killed, and starts none', async () => {
		const ids = await monitors('a', 'b');
		const killed = await killedInNode(service.sandbox, RUN, { items: ids.map((id) => ({ id })) });
		expect(service.checks).toHaveLength(2);
		const credential = { baseUrl: service.sandbox.baseUrl, apiKey: KEY_AFTERWARDS };
		const retried = await retryNode(service.sandbox, killed, RUN, { credential });
		expect(retried.error).toBeUndefined();
		expect([...idsOf(retried)].sort()).toEqual([...service.checks].sort());
		expect(service.checks).toHaveLength(2);
		expect(hintsIn(retried)).toContain('Found 2 jobs again');
	});
});

/** What a fault comes to, and how many checks there are then. */
type Cell = [name: string, fault: FaultRule, sees: 'result' | RegExp, starts: 0 | 1];

const MAYBE = /may have been started, and may be paid for/;
const status = (httpStatus: number, more: Partial<FaultRule> = {}): FaultRule =>
	({ kind: 'status', httpStatus, error: `told ${httpStatus}`, times: 1, ...more }) as FaultRule;

const AT_START: Cell[] = [
	['500 before the work', status(500), MAYBE, 0],
	['500 after the work', status(500, { when: 'after' }), 'result', 1],
	['408', status(408), MAYBE, 0],
	['502 with HTML', { kind: 'htmlError', times: 1 }, MAYBE, 0],
	['a truncated answer', { kind: 'truncated', when: 'after', times: 1 }, 'result', 1],
	['nothing', { kind: 'empty', when: 'after', times: 1 }, 'result', 1],
	['400', status(400), /refused the request: told 400/, 0],
	['401', status(401), /API key: told 401/, 0],
	['402', status(402), /enough credits: told 402/, 0],
	['403', status(403), /does not allow this: told 403/, 0],
	['404', status(404), /does not know the monitor/, 0],
	['409 without a check', status(409), /told 409/, 0],
	['429', { kind: 'rateLimit', retryAfter: 1, times: 1 }, 'result', 1],
	['a check that fails', { kind: 'failJob', error: 'No luck', times: 1 }, /failed: No luck/, 1],
	['a check that vanishes', { kind: 'expire', times: 1 }, /The monitor check \S+ is gone/, 1],
];
const AT_LOOK: Cell[] = [
	['500', status(500), 'result', 1],
	['408', status(408), 'result', 1],
	['a reset', { kind: 'reset', times: 1 }, 'result', 1],
	['half an answer', { kind: 'truncated', when: 'after', times: 1 }, 'result', 1],
	['a web page', { kind: 'html', times: 1 }, 'result', 1],
	['wrong types', { kind: 'wrongShape', body: { data: 5 }, times: 1 }, 'result', 1],
	['one 404', status(404), 'result', 1],
	['403', status(403), /could not be read: .*told 403/, 1],
	['429', { kind: 'rateLimit', retryAfter: 1, times: 1 }, 'result', 1],
];

describe.each([
	['the start', 'monitorRun', AT_START],
	['a check', 'monitorCheck', AT_LOOK],
] as const)('a fault at %s', (_where, step, cells) => {
	it('ends as it should, each in an item of its own', async () => {
		const ids = await monitors(...cells.map((_cell, index) => `cell-${index}-`));
		cells.forEach(([, fault], index) => {
			service.sandbox.faults.add({ ...fault, step, query: `cell-${index}-` });
		});
		const execution = await run(ids, { node: { onError: 'continueRegularOutput' } });
		const output = jsonOf(execution.items(NODE));
		const started = service.sandbox.stats().starts.list;
		cells.forEach(([name, , sees, starts], index) => {
			const own = started.filter(({ query }) => query.startsWith(`cell-${index}-`));
			expect([name, own.length]).toEqual([name, starts]);
			const told = sees === 'result' ? output[index]?.status : output[index]?.error;
			expect([name, told]).toEqual([name, sees === 'result' ? 'completed' : expect.stringMatching(sees)]);
		});
	});
});
