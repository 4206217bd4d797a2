import { row } from '../row.ts';
import type { Measure } from '../row.ts';
import { pagesOf } from './pages.ts';
import { madeQuestions } from './questions.ts';
import { MadeWorld } from './world.ts';
import type { MadePage } from './pages.ts';
import type { Call, KeptNotes } from './world.ts';

/** Never settles: the process that waits for it is gone. */
const GONE = new Promise<never>(() => undefined);

/** What was paid for and answered; reading a page back is free. */
function answered(calls: readonly Call[]): string[] {
	const paid = calls.filter(({ kind, isAnswered }) => isAnswered && kind !== 'read back');
	return paid.map(({ kind, key }) => `${kind} ${key}`);
}

/** Runs until call number `at` is about to be sent; what is on its way then is lost with the process. */
async function killedAt(
	at: number,
	pages: readonly MadePage[],
	query: string,
): Promise<{ before: Call[]; notes: KeptNotes }> {
	const world = new MadeWorld(pages);
	let left = at;
	const killed = new Promise<void>((resolve) => {
		world.beforeCall = async () => {
			left -= 1;
			if (left > 0) return;
			resolve();
			await GONE;
		};
	});
	await world.clock.until(Promise.race([killed, world.begin(query)]));
	return { before: world.calls.map((call) => ({ ...call })), notes: world.notes.copy() };
}

/** Pages that failed before the kill, which cost nothing, and were asked for again. */
function failedAgain(before: readonly Call[], after: readonly Call[]): number {
	const again = new Set(after.filter(({ kind }) => kind === 'page').map(({ key }) => key));
	return before.filter(({ hasFailed, key }) => hasFailed && again.has(key)).length;
}

/** Kills the run before each of its calls, and goes on with what it had noted: nothing answered is asked again. */
export const measure: Measure = async (say) => {
	const twice = { search: 0, page: 0, model: 0 };
	const totals = { kills: 0, other: 0, lost: 0, inFlight: 0, readBack: 0, failed: 0 };
	for (const question of madeQuestions()) {
		const pages = pagesOf(question);
		const whole = new MadeWorld(pages);
		const expected = await whole.run(question.query);
		const steps = whole.calls.length;
		for (let at = 1; at <= steps; at++) {
			const { before, notes } = await killedAt(at, pages, question.query);
			const retry = new MadeWorld(pages, notes);
			const result = await retry.run(question.query);
			const paid = new Set(answered(before));
			for (const { kind, key } of retry.calls) {
				if (kind !== 'read back' && paid.has(`${kind} ${key}`)) twice[kind] += 1;
			}
			totals.kills += 1;
			totals.inFlight += before.filter((call) => !call.isAnswered).length;
			totals.failed += failedAgain(before, retry.calls);
			totals.readBack += retry.calls.filter(({ kind }) => kind === 'read back').length;
			const both = answered(before).length + answered(retry.calls).length;
			totals.other += Math.max(0, both - answered(whole.calls).length);
			if (result.finalAnalysis !== expected.finalAnalysis) totals.lost += 1;
		}
		say(`${question.subject}: ${steps} kills`);
	}
	say(`${totals.inFlight} calls were on their way, ${totals.readBack} pages were read back`);
	const name = `killed at each of ${totals.kills} steps and retried`;
	const none = (what: string, value: number) =>
		row({ name: `${name}: ${what}`, value, unit: '', target: { of: 'value', most: 0 } });
	return [
		none('searches twice', twice.search),
		none('pages twice', twice.page),
		none('calls of the model twice', twice.model),
		none('answers more than in one run', totals.other),
		none('other reports than in one run', totals.lost),
		row({
			name: `${name}: pages that had failed, which costs nothing, asked for again`,
			value: totals.failed,
			unit: '',
		}),
	];
};
