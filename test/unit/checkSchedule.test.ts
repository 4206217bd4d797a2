import { ALL_ENDED, CheckSchedule, NOT_CHECKED, RECEIVED } from '../../nodes/WebData/run/suspension/checks';
import type { CheckAnswer, CheckTarget } from '../../nodes/WebData/run/suspension/checks';
import { VirtualTime } from './virtualTime.ts';

const HOUR_MS = 3_600_000;
const runs: CheckAnswer = { status: 200, message: RECEIVED };
const ended: CheckAnswer = { status: 200, message: ALL_ENDED };
const unread: CheckAnswer = { status: 503, message: NOT_CHECKED };
const refused = (how: string): CheckAnswer => ({
	status: 409,
	message: `The execution "7" ${how}.`,
});
const notStored = refused('is running already');
const stopped = refused('has finished with error');

/** A schedule whose checks are answered by `answer`, which throws for nobody. */
function open(answer: (nth: number, secret: string) => CheckAnswer, tookMs = 0) {
	const clock = new VirtualTime(1, 100_000);
	const time = {
		now: () => clock.now(),
		random: () => 0,
		sleep: async (ms: number, wake?: AbortSignal) => await clock.sleep(ms, wake),
	};
	const checks: Array<{ secret: string; atMs: number }> = [];
	const silences: string[] = [];
	let underWay = 0;
	let mostAtOnce = 0;
	const schedule = new CheckSchedule({
		time,
		async check({ secret }) {
			const nth = checks.push({ secret, atMs: clock.now() });
			underWay += 1;
			mostAtOnce = Math.max(mostAtOnce, underWay);
			await clock.sleep(tookMs);
			underWay -= 1;
			return answer(nth, secret);
		},
		onSilence: ({ where }) => silences.push(where),
	});
	return {
		clock,
		schedule,
		checks,
		silences,
		seconds: () => checks.map(({ atMs }) => Math.round(atMs / 1000)),
		mostAtOnce: () => mostAtOnce,
	};
}

const target = (secret = 's', untilMs = HOUR_MS): CheckTarget => ({
	secret,
	url: `http://localhost:5678/webhook-waiting/${secret}`,
	where: `Execution ${secret}`,
	untilMs,
});

describe('the checks of a suspended execution', () => {
	it('come after 2 s, then in pauses of twice the length up to 5 min, and end with Max Wait', async () => {
		const { clock, schedule, seconds } = open(() => runs);
		schedule.suspended(target('s', HOUR_MS / 2));
		await clock.pass(2 * HOUR_MS);
		const [first, ...others] = seconds();
		expect(first).toBe(2);
		expect(others).toEqual([6, 14, 30, 62, 126, 254, 510, 810, 1110, 1410, 1710]);
		expect(clock.pending).toBe(0);
	});

	it('go on while n8n has not stored it, and when its jobs cannot be read', async () => {
		const answers = [notStored, notStored, unread, runs, ended];
		const { clock, schedule, seconds } = open((nth) => answers[nth - 1] ?? ended);
		schedule.suspended(target());
		await clock.pass(HOUR_MS);
		expect(seconds()).toEqual([2, 6, 14, 30, 62]);
		expect(clock.pending).toBe(0);
	});

	it.each([
		['all jobs have ended', ended],
		['it was stopped', stopped],
	])('end when %s', async (_why, answer) => {
		const { clock, schedule, checks } = open(() => answer);
		schedule.suspended(target());
		await clock.pass(HOUR_MS);
		expect(checks).toHaveLength(1);
		expect(clock.pending).toBe(0);
	});

	it('end when somebody else has resumed it, or this process has', async () => {
		const { clock, schedule, checks } = open((nth, secret) => (secret === 'elsewhere' && nth > 2 ? notStored : runs));
		schedule.suspended(target('elsewhere'));
		schedule.suspended(target('here'));
		await clock.pass(10_000);
		schedule.resumed('here');
		await clock.pass(HOUR_MS);
		expect(checks.map(({ secret }) => secret)).toEqual(['elsewhere', 'here', 'elsewhere', 'here']);
		expect(clock.pending).toBe(0);
	});

	it('are made again when the connection breaks once, and nothing is told of it', async () => {
		const { clock, schedule, checks, silences } = open((nth) => {
			if (nth % 2 === 0) throw new Error('socket hang up');
			return notStored;
		});
		schedule.suspended(target());
		await clock.pass(60_000);
		expect(checks).toHaveLength(4);
		expect(silences).toEqual([]);
	});

	it('tell once that nobody answers, or another n8n, and go on', async () => {
		const elsewhere = { status: 404, message: 'The execution "7" does not exist.' };
		const { clock, schedule, silences, checks } = open((_nth, secret) => {
			if (secret === 'nobody') throw new Error('connect ECONNREFUSED');
			return elsewhere;
		});
		schedule.suspended(target('nobody'));
		schedule.suspended(target('another'));
		await clock.pass(4000);
		expect(silences).toEqual([]);
		await clock.pass(HOUR_MS / 2);
		expect(silences).toEqual(['Execution nobody', 'Execution another']);
		expect(checks.length).toBeGreaterThan(16);
	});
});

describe('a call that did not resume the execution', () => {
	it('is followed by checks after 1, 3, 7, 15 and 31 s, whether the process suspended it or not', async () => {
		for (const isOwn of [true, false]) {
			const { clock, schedule, seconds } = open(() => runs);
			if (isOwn) schedule.suspended(target());
			await clock.pass(20_000);
			schedule.called(target());
			await clock.pass(60_000);
			const close = seconds().filter((second) => second > 20);
			expect(close.map((second) => second - 20)).toEqual([1, 3, 7, 15, 31]);
		}
	});

	it('begins them again when it comes twice, or while a check is under way', async () => {
		const { clock, schedule, checks } = open(() => runs, 3000);
		schedule.called(target());
		await clock.pass(1500);
		schedule.called(target());
		schedule.called(target());
		await clock.pass(100_000);
		const starts = checks.map(({ atMs }) => atMs);
		// The first of them takes until 4 s; no second one is made beside it.
		expect(starts).toHaveLength(7);
		expect(starts.every((atMs, nth) => nth === 0 || atMs >= (starts[nth - 1] ?? 0) + 3000)).toBe(true);
		expect(starts.at(-1)).toBeGreaterThanOrEqual(31_500);
	});

	it('resumes nothing a second time: what is resumed while a check is under way is forgotten', async () => {
		const { clock, schedule, checks } = open(() => runs, 3000);
		schedule.called(target());
		await clock.pass(1500);
		schedule.resumed('s');
		await clock.pass(HOUR_MS);
		expect(checks).toHaveLength(1);
		expect(clock.pending).toBe(0);
	});
});

describe('a thousand executions suspended in one moment', () => {
	it('are checked five at once, and each of them', async () => {
		const { clock, schedule, checks, mostAtOnce } = open(() => ended, 50);
		for (let nth = 0; nth < 1000; nth += 1) schedule.suspended(target(`s${nth}`));
		await clock.pass(100_000);
		expect(new Set(checks.map(({ secret }) => secret)).size).toBe(1000);
		expect(checks).toHaveLength(1000);
		expect(mostAtOnce()).toBe(5);
		expect(checks.at(-1)?.atMs).toBeLessThan(20_000);
	});

	it('are forgotten from the first on when they are ten times as many', async () => {
		const { clock, schedule, checks } = open(() => ended);
		for (let nth = 0; nth < 10_003; nth += 1) schedule.suspended(target(`s${nth}`));
		await clock.pass(100_000);
		expect(checks).toHaveLength(10_000);
		expect(checks[0]?.secret).toBe('s3');
	});
});
