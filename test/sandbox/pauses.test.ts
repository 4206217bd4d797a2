import { pauses } from '../../sandbox/runtime/pauses.ts';

it('a pause never ends too soon: a job that was to end then would run on, and its call never be made', async () => {
	const { pause } = pauses();
	const early = async (ms: number) => {
		const beganMs = performance.now();
		await pause(ms);
		return performance.now() - beganMs < ms;
	};
	const all = Array.from({ length: 300 }, async (_none, index) => await early(index / 7));
	expect(await Promise.all(all)).not.toContain(true);
});

it('all end at once where the sandbox stops, and later ones as they begin', async () => {
	const { pause, endAll } = pauses();
	const long = pause(3_600_000);
	endAll();
	await long;
	await pause(3_600_000);
});

it('one until a moment that is past takes no negative time, at which Node prints a warning', async () => {
	const timer = vi.spyOn(globalThis, 'setTimeout');
	try {
		await pauses().pause(-4.2);
		expect(timer.mock.calls.map(([, ms]) => ms)).toEqual([1]);
	} finally {
		timer.mockRestore();
	}
});
