/** So much too soon a timer of Node may come, besides the fraction of a millisecond that it drops. */
const EARLY_MS = 1;
/** The longest that one takes, in milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Timers of answers that are under way, so that all can be ended at once. */
export function pauses() {
	const underWay = new Map<NodeJS.Timeout, () => void>();
	let isOver = false;
	return {
		/**
		 * Resolves after so long, never sooner but for what is over 24 days; at once when the sandbox stops. Where the
		 * moment is past already, because the clock went on meanwhile, it resolves in the next millisecond.
		 */
		pause: (ms: number) =>
			new Promise<void>((resolve) => {
				if (isOver) {
					resolve();
					return;
				}
				const timer = setTimeout(
					() => {
						underWay.delete(timer);
						resolve();
					},
					Math.min(Math.max(0, Math.ceil(ms)) + EARLY_MS, LONGEST_TIMER_MS),
				);
				underWay.set(timer, resolve);
			}),
		/** Ends all pauses; later ones end as they begin. */
		endAll() {
			isOver = true;
			for (const [timer, resolve] of underWay) {
				clearTimeout(timer);
				resolve();
			}
			underWay.clear();
		},
	};
}

export type Pauses = ReturnType<typeof pauses>;

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
	return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-');
}

/** A version 4 UUID drawn from the given source, so that a seeded run names its jobs the same way each time. */
export function randomUuid(random: Random): string {
	const digits = hexDigits(32, random);
	digits[12] = 4;
	digits[16] = 8 + Math.floor(random() * 4);
	return uuidOf(digits);
}

/**
 * A version 7 UUID: its first 48 bits are the moment in milliseconds (docs/reference/service-notes.md#ids-hold-the-time),
 * the rest is drawn.
 */
export function timedUuid(random: Random, nowMs: number): string {
	const moment = Math.floor(nowMs).toString(16).padStart(12, '0').slice(-12);
	const digits = [...Array.from(moment, (digit) => Number.parseInt(digit, 16)), 7];
	digits.push(...hexDigits(3, random), 8 + Math.floor(random() * 4), ...hexDigits(15, random));
	return uuidOf(digits);
}
