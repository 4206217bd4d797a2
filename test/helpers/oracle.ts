import { seededRandom } from '../../sandbox/runtime/runtime.ts';

const MINUTE_MS = 60_000;

/** Lengths of jobs between two bounds in seconds. */
export function lengthsMs(count: number, [least, most]: readonly [number, number]): number[] {
	const random = seededRandom(7);
	return Array.from({ length: count }, () => Math.round(1000 * (least + random() * (most - least))));
}

/**
 * How long the jobs take, in milliseconds, started in this order by somebody who knows the plan of each moment, sees
 * each end at once and needs no time on the way. A minute of starts begins with its first.
 */
export function oracleMs(
	lengths: readonly number[],
	placesAt: (ms: number) => number,
	startsPerMinute = Infinity,
	changeMs = Infinity,
): number {
	let endsMs: number[] = [];
	let nowMs = 0;
	let minute = { endsMs: -1, starts: 0 };
	let lastMs = 0;
	for (const length of lengths) {
		for (;;) {
			endsMs = endsMs.filter((ms) => ms > nowMs);
			if (nowMs >= minute.endsMs) minute = { endsMs: nowMs + MINUTE_MS, starts: 0 };
			if (endsMs.length >= placesAt(nowMs)) nowMs = Math.min(...endsMs, nowMs < changeMs ? changeMs : Infinity);
			else if (minute.starts >= startsPerMinute) nowMs = minute.endsMs;
			else break;
		}
		minute.starts += 1;
		endsMs.push(nowMs + length);
		lastMs = Math.max(lastMs, nowMs + length);
	}
	return lastMs;
}
