/** A source of numbers in [0, 1), as Math.random. */
export type Random = () => number;

/**
 * A repeatable source of numbers (mulberry32): the same seed gives the same row.
 * Not for secrets.
 */
export function seededRandom(seed: number): Random {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

const hexDigits = (count: number, random: Random): number[] =>
	Array.from({ length: count }, () => Math.floor(random() * 16));

function uuidOf(digits: readonly number[]): string {
	const text = digits.map((digit) => digit.toString(16)).join('');
	return [
		text.slice(0, 8),
		text.slice(8, 12),
		text.slice(12, 16),
		text.slice(16, 20),
		text.slice(20),
	].join('-');
}

/** A version 4 UUID drawn from the given source, so that a seeded run names its jobs the same way each time. */
export function randomUuid(random: Random): string {
	const digits = hexDigits(32, random);
	digits[12] = 4;
	digits[16] = 8 + Math.floor(random() * 4);
	return uuidOf(digits);
}

/**
 * A version 7 UUID: its first 48 bits are the moment in milliseconds (docs/service-notes.md#ids-hold-the-time),
 * the rest is drawn.
 */
export function timedUuid(random: Random, nowMs: number): string {
	const moment = Math.floor(nowMs).toString(16).padStart(12, '0').slice(-12);
	const digits = [...Array.from(moment, (digit) => Number.parseInt(digit, 16)), 7];
	digits.push(...hexDigits(3, random), 8 + Math.floor(random() * 4), ...hexDigits(15, random));
	return uuidOf(digits);
}
