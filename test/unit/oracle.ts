import { minuteWindow } from './minuteWindow.ts';
import type { SimulatedPlan } from './simulatedService.ts';

/**
 * How long the jobs take, in milliseconds, when somebody starts them in the same order who knows the
 * plan, sees each end at once and needs no time on the way.
 */
export function oracleMakespanMs(durationsMs: number[], plan: SimulatedPlan, concurrency: number): number {
	const limit = Math.min(concurrency, plan.concurrency ?? Infinity);
	const startWaitMs = minuteWindow(plan.startsPerMinute ?? Infinity);
	const endsMs: number[] = [];
	let nowMs = 0;
	let makespanMs = 0;
	for (const durationMs of durationsMs) {
		endsMs.sort((left, right) => left - right);
		if (endsMs.length >= limit) nowMs = Math.max(nowMs, endsMs.shift() ?? 0);
		const waitMs = startWaitMs(nowMs);
		if (waitMs > 0) {
			nowMs += waitMs;
			startWaitMs(nowMs);
		}
		endsMs.push(nowMs + durationMs);
		makespanMs = Math.max(makespanMs, nowMs + durationMs);
	}
	return makespanMs;
}
