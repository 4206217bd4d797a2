import type { Sandbox } from '../../sandbox/server.ts';
import { jsonOf, NODE, questions, retryNode, runNode, startParameters, startSandbox } from './run';

const HOUR_MS = 3_600_000;
const trueNow = Date.now.bind(Date);
let offsetMs = 0;
let sandbox: Sandbox;

// Only the wall clock is set, as an administrator or a time server does it; timers go on as they are.
beforeAll(async () => {
	sandbox = await startSandbox({ lightWork: true, now: trueNow });
});
beforeEach(() => {
	offsetMs = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => trueNow() + offsetMs);
});

/** Sets the clock every 300 ms while the work is done: there, back, and beyond. */
async function whileClockJumps<T>(jumpMs: number, work: () => Promise<T>): Promise<T> {
	let jumps = 0;
	const timer = setInterval(() => (offsetMs = [jumpMs, 0, -jumpMs][jumps++ % 3] ?? 0), 300);
	try {
		return await work();
	} finally {
		clearInterval(timer);
	}
}

describe.each([HOUR_MS, -HOUR_MS])('a clock that jumps by %i ms and back', (jumpMs) => {
	it('neither ends a wait early nor keeps it', async () => {
		const items = [{ q: '[lasts:3] question' }, { q: '[lasts:60] slow' }];
		const beganMs = performance.now();
		const execution = await whileClockJumps(jumpMs, async () => {
			const parameters = startParameters({ options: { waitOptions: { maxWait: 6 } } });
			return await runNode(sandbox, parameters, {
				items,
				node: { onError: 'continueErrorOutput' },
			});
		});
		const seconds = (performance.now() - beganMs) / 1000;
		expect(jsonOf(execution.items(NODE, 0))).toMatchObject([{ status: 'completed' }]);
		expect(execution.items(NODE, 1)[0]?.json.error).toMatch(/after 6 seconds \(Max Wait\)/);
		expect(seconds).toBeGreaterThanOrEqual(6);
		expect(seconds).toBeLessThan(12);
	});

	it('neither skips a pause nor makes it an hour long', async () => {
		const date = new Date(trueNow() + 3000).toUTCString();
		sandbox.faults.add({ step: 'start', kind: 'rateLimit', retryAfter: 3, times: 1 });
		sandbox.faults.add({ step: 'status', kind: 'rateLimit', retryAfter: date, times: 1 });
		const execution = await whileClockJumps(jumpMs, async () => {
			return await runNode(sandbox, startParameters(), { items: [{ q: '[lasts:0.3] question' }] });
		});
		expect(execution.error).toBeUndefined();
		expect(sandbox.stats().starts.total).toBe(1);
		const held = /made it wait (\d+) s/.exec(execution.hints(NODE)[0]?.message ?? '')?.[1];
		expect(Number(held)).toBeGreaterThanOrEqual(3);
		expect(Number(held)).toBeLessThan(12);
	});

	it('does not make a retry forget or repeat the jobs of the first try', async () => {
		sandbox.faults.add({ step: 'status', kind: 'status', httpStatus: 403, times: 1 });
		const failed = await runNode(sandbox, startParameters(), {
			items: questions(2).map(({ q }) => ({ q: `[lasts:0.3] ${q}` })),
		});
		expect(failed.error).toBeDefined();
		offsetMs = jumpMs;
		const retried = await retryNode(sandbox, failed, startParameters());
		expect(retried.error).toBeUndefined();
		expect(retried.items(NODE)).toHaveLength(2);
		expect(sandbox.stats().starts.total).toBe(2);
	});
});
