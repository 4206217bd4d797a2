import { runHints } from '../../nodes/WebData/run/output/hints';
import type { RunTotals } from '../../nodes/WebData/run/output/hints';

const nothing: RunTotals = {
	items: 3,
	failed: 0,
	started: 0,
	ended: 0,
	finished: 0,
	attached: 0,
	startedAnew: [],
	found: [],
	startedAgain: 0,
	used: 0,
	putOut: 0,
	usageUnit: ['URL analysed', 'URLs analysed'],
	credits: 0,
	expiresAt: undefined,
	throttledSeconds: 0,
	collectWith: 'Deep Research · Get',
	timeZone: 'UTC',
};
const texts = (totals: Partial<RunTotals>) => runHints({ ...nothing, ...totals }).map(({ message }) => message);

it('says nothing when nothing was done', () => {
	expect(texts({})).toEqual([]);
	expect(texts({ throttledSeconds: 5 })).toEqual([]);
});

it('tells jobs, cost, wait and expiry after a run', () => {
	const done = { ended: 3, finished: 3, putOut: 42, used: 42, credits: 42, throttledSeconds: 65 };
	expect(texts({ ...done, expiresAt: '2026-11-21T07:45:57.000Z' })).toEqual([
		'3 jobs finished, 42 URLs analysed (= 42 credits). Rate limits made it wait 65 s. Results expire on 2026-11-21 07:45 (UTC).',
	]);
	const inBerlin = { timeZone: 'Europe/Berlin', expiresAt: '2026-11-21T23:45:57.000Z' };
	expect(texts({ ended: 1, finished: 1, ...inBerlin }).join()).toContain(
		'Results expire on 2026-11-22 00:45 (Europe/Berlin).',
	);
	expect(texts({ ended: 1, finished: 1, used: 1, putOut: 1, credits: 1 })).toEqual([
		'1 job finished, 1 URL analysed (= 1 credit).',
	]);
});

it('shows a date that is none as it is, shortened', () => {
	const [text] = texts({ ended: 1, finished: 1, expiresAt: `soon${'x'.repeat(100)}` });
	expect(text).toMatch(/Results expire on soonx{36}\.$/);
});

it('names the operation that collects jobs which were only started', () => {
	expect(texts({ started: 2 })).toEqual(['2 jobs started. Collect the results with Deep Research · Get.']);
});

it('tells which jobs of an earlier try were taken up, and which had to be paid again', () => {
	const startedAnew = ['a', 'b', 'c', 'd', 'e', 'f'];
	const hints = runHints({ ...nothing, ended: 7, finished: 7, attached: 1, startedAnew });
	expect(hints.map(({ type }) => type)).toEqual(['info', 'info', 'warning']);
	expect(hints[1]?.message).toContain('1 job of an earlier try of this execution was taken up');
	expect(hints[2]?.message).toContain('no longer knew 6 jobs of an earlier try (a, b, c, d, e, f)');
	expect(hints.every(({ location }) => location === 'outputPane')).toBe(true);
});

it('tells what was put out of how much, what did not end well, and nothing of an unknown price', () => {
	const credits = undefined;
	const part = {
		ended: 3,
		finished: 2,
		used: 2000,
		putOut: 150,
		usageUnit: ['page', 'pages'] as const,
	};
	expect(texts({ ...part, credits, failed: 1 })).toEqual([
		'2 jobs finished, 1 job ended early, 150 of 2000 pages. 1 of 3 items failed.',
	]);
	expect(texts({ items: 1, failed: 1 })).toEqual(['The item failed.']);
});
