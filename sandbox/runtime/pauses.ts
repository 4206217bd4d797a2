/** Timers of answers that are under way, so that all can be ended at once. */
export interface Pauses {
	/**
	 * Resolves after so long, never sooner but for what is over 24 days; at once when the sandbox stops. Where the
	 * moment is past already, because the clock went on meanwhile, it resolves in the next millisecond.
	 */
	pause(ms: number): Promise<void>;
	/** Ends all pauses; later ones end as they begin. */
	endAll(): void;
}

/** So much too soon a timer of Node may come, besides the fraction of a millisecond that it drops. */
const EARLY_MS = 1;
/** The longest that one takes, in milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** See `Pauses`. */
export function pauses(): Pauses {
	const underWay = new Map<NodeJS.Timeout, () => void>();
	let isOver = false;
	return {
		pause: (ms) =>
			new Promise((resolve) => {
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
