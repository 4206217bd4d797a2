import { createSession } from './browserRun';
import { MonitorService } from './monitorService';
import { hintsIn, jsonOf, KEY, NODE, runNode, startSandbox } from './run';

// Retry On Fail does nothing twice that an earlier try has done: what is deleted is gone, code has its effects.

const RETRY = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
const FAILS_ONCE = { kind: 'status', httpStatus: 500, skip: 1, times: 1 } as const;

it('deletes no monitor twice when one of several fails', async () => {
	const service = await MonitorService.start({ keys: [KEY] });
	const items: Array<{ id: string }> = [];
	for (const name of ['a', 'b', 'c']) items.push({ id: await service.created(name) });
	service.sandbox.faults.add({ step: 'monitor', ...FAILS_ONCE });
	const parameters = { resource: 'monitor', operation: 'delete', monitorId: '={{ $json.id }}' };
	const execution = await runNode(service.sandbox, parameters, { items, node: RETRY });
	expect(execution.error).toBeUndefined();
	expect(jsonOf(execution.items(NODE))).toHaveLength(3);
	expect(hintsIn(execution)).toContain('of an earlier try; nothing was sent twice');
});

it('runs no code twice when that of one item fails', async () => {
	const sandbox = await startSandbox({ lightWork: true, keys: [KEY] });
	const created = await runNode(sandbox, createSession(), {
		items: ['a', 'b', 'c'].map((q) => ({ q })),
	});
	const items = jsonOf(created.items(NODE)).map(({ id }) => ({ id: String(id) }));
	sandbox.faults.add({ step: 'browserExecute', ...FAILS_ONCE });
	const execution = await runNode(
		sandbox,
		{
			resource: 'browser',
			operation: 'runCode',
			sessionId: '={{ $json.id }}',
			code: "console.log('one')",
		},
		{ items, node: RETRY },
	);
	expect(execution.error).toBeUndefined();
	expect(jsonOf(execution.items(NODE)).map(({ result }) => result)).toEqual(['one', 'one', 'one']);
	expect(sandbox.stats().calls.browserExecute).toBe(4);
});
