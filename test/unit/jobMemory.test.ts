import type { INodeExecutionData } from 'n8n-workflow';

import type { JobMemory } from '../../nodes/WebData/run/memory/jobMemory';
import { knownJobOf } from '../../nodes/WebData/run/memory/seenJob';
import { asked, memories } from './nodeMemories';

it('finds a start of the same execution in its place, whatever it asks for', () => {
	const open = memories();
	open().remember(asked('a'), { id: 'one' });
	expect(open().find(asked('b'))?.id).toBe('one');
	expect(open().find(asked('a', 1))).toBeUndefined();
	expect(open({ run: 1 }).find(asked('a'))).toBeUndefined();
	expect(open({ kind: 'batchScrape' }).find(asked('a'))).toBeUndefined();
});

it('finds a start of an earlier execution only when it asks for the same of the same service', () => {
	const open = memories();
	open().remember(asked('a'), { id: 'one' });
	expect(open({ execution: '2' }).find(asked('b'))).toBeUndefined();
	expect(open({ execution: '2', origin: 'https://x.example' }).find(asked('a'))).toBeUndefined();
	expect(open({ execution: '2' }).find(asked('a'))?.id).toBe('one');
	// Now it is of the second execution, whose next try may ask for something else.
	expect(open({ execution: '2' }).find(asked('b'))?.id).toBe('one');
});

it('finds for an agent what any call of the chain of retries asked for, until it is forgotten', () => {
	const open = memories();
	const first = open({ isTool: true });
	first.remember(asked('a'), { id: 'one' });
	first.handOver([], [first.keyOf(asked('a'))]);
	expect(open({ isTool: true, run: 3 }).find(asked('b'))).toBeUndefined();
	const second = open({ isTool: true, run: 3 });
	expect(second.find(asked('a'))?.id).toBe('one');
	const retry = open({ isTool: true, run: 0, execution: '2' });
	expect(retry.find(asked('a', 0, { onlyMainContent: undefined }))?.id).toBe('one');
	expect(open({ isTool: true, origin: 'https://x.example' }).find(asked('a'))).toBeUndefined();
	second.forget(second.keyOf(asked('a')));
	expect(open({ isTool: true, run: 4 }).find(asked('a'))).toBeUndefined();
	expect(open({ isTool: true, run: 4, execution: '2' }).find(asked('a'))).toBeUndefined();
});

it('finds for an agent what an older version of this package has noted by its place', () => {
	const open = memories();
	open({ run: 2 }).remember(asked('https://a.example/docs/'), { id: 'one' });
	const tool = open({ isTool: true, execution: '2' });
	expect(tool.find(asked('https://a.example/docs'))).toBeUndefined();
	expect(tool.find(asked('https://a.example/docs/'))?.id).toBe('one');
	// From now on it is known by what is asked for.
	expect(open({ isTool: true, run: 5 }).find(asked('https://a.example/docs'))?.id).toBe('one');
});

describe('an agent that asks for a fresh page', () => {
	const fresh = asked('a', 0, { scrapeOptions: { maxAge: 0 } });
	const never = async () => await new Promise<void>(() => undefined);

	function answered(open: ReturnType<typeof memories>, id: string, execution = '1') {
		const call = open({ isTool: true, execution });
		call.remember(fresh, { id });
		call.handOver([], [call.keyOf(fresh)]);
	}

	it('finds what had no answer yet, and nothing that had one in this execution', () => {
		const open = memories();
		open({ isTool: true }).remember(fresh, { id: 'one' });
		expect(open({ isTool: true }).find(fresh)?.id).toBe('one');
		answered(open, 'one');
		expect(open({ isTool: true, run: 1 }).find(fresh)).toBeUndefined();
	});

	it('finds in a retry the newest, once', () => {
		const open = memories();
		answered(open, 'one');
		answered(open, 'two');
		const call = open({ isTool: true, execution: '2' });
		expect(call.find(fresh)?.id).toBe('two');
		expect(call.find(fresh)?.id).toBe('two');
		call.handOver([], [call.keyOf(fresh)]);
		expect(open({ isTool: true, execution: '2' }).find(fresh)).toBeUndefined();
		expect([...call.allIds].sort()).toEqual(['one', 'two']);
	});

	it('finds what another call of the same moment has got', async () => {
		const open = memories();
		const [first, second] = [open({ isTool: true }), open({ isTool: true })];
		await first.takeTurn([fresh], never);
		const turn = second.takeTurn([fresh], never);
		first.remember(fresh, { id: 'one' });
		first.endTurn();
		first.handOver([], [first.keyOf(fresh)]);
		await turn;
		expect(second.find(fresh)?.id).toBe('one');
		second.endTurn();
	});
});

it('finds no job for an agent that has failed, or is gone', () => {
	const open = memories();
	const call = open({ isTool: true });
	call.remember(asked('a'), { id: 'one' });
	call.retire(call.keyOf(asked('a')), 'failed');
	expect(open({ isTool: true }).find(asked('a'))).toBeUndefined();
	expect(call.startedIds).toEqual(['one']);
	expect(call.left).toEqual([]);
});

it('names what was not taken up, of this run of the node only, until it has been named', () => {
	const open = memories();
	for (const item of [0, 1, 2]) open().remember(asked('a', item), { id: `job-${item}` });
	open({ run: 1 }).remember(asked('a'), { id: 'later' });
	const retry = open({ execution: '2' });
	retry.find(asked('a', 0));
	retry.find(asked('changed', 1));
	retry.remember(asked('changed', 1), { id: 'new' });
	expect(retry.left.map(({ id }) => id).sort()).toEqual(['job-1', 'job-2']);
	// It failed, so nobody has read it: the next one says it again.
	const next = open({ execution: '3' });
	next.find(asked('a', 0));
	next.find(asked('changed', 1));
	expect(next.left.map(({ id }) => id).sort()).toEqual(['job-1', 'job-2']);
	next.forgetLeft();
	expect(
		open({ execution: '4' })
			.left.map(({ id }) => id)
			.sort(),
	).toEqual(['job-0', 'new']);
});

it.each<[string, INodeExecutionData[], boolean]>([
	['nothing', [], false],
	['a result', [{ json: { url: 'x' } }, { json: { error: 'x' } }], false],
	['an error', [{ json: { error: 'x' } }], true],
	// n8n 1.123 runs the node again for these, too.
	['an empty error', [{ json: { error: '' } }], true],
	['null for an error', [{ json: { error: null } }], true],
])('asks what n8n asks about the first item that is put out: %s', (_what, output, isComing) => {
	const open = memories();
	expect(open().isRetryComing(output)).toBe(isComing);
	expect(open({ retryOnFail: false }).isRetryComing(output)).toBe(false);
});

it('works in an execution without an id', () => {
	const open = memories();
	open({ execution: undefined }).remember(asked('a'), { id: 'one' });
	expect(open({ execution: undefined }).find(asked('b'))?.id).toBe('one');
});

it('notes for how long a job was denied, or showed no change, and what its id is known by', () => {
	const open = memories();
	open().remember(asked('a'), { id: 'one', evidence: 'addressAndTime' });
	const knownIn = (memory: JobMemory) => {
		const entry = memory.find(asked('a'));
		return entry && knownJobOf('one', entry, Date.now());
	};
	const key = open().keyOf(asked('a'));
	open().noteSeen(key, { id: 'other', unchangedForMs: 5000 });
	expect(knownIn(open())).not.toHaveProperty('unchangedForMs');
	open().noteSeen(key, { id: 'one', unchangedForMs: 5000 });
	expect(knownIn(open())).toMatchObject({ id: 'one', evidence: 'addressAndTime' });
	expect(knownIn(open())?.unchangedForMs).toBeGreaterThanOrEqual(5000);
	open().noteSeen(key, { id: 'one', deniedForMs: 7000 });
	expect(knownIn(open())).not.toHaveProperty('unchangedForMs');
	expect(knownIn(open())?.deniedForMs).toBeGreaterThanOrEqual(7000);
	open().noteSeen(key, { id: 'one' });
	expect(knownIn(open())).not.toHaveProperty('deniedForMs');
});
