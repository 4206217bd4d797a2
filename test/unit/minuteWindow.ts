const WINDOW_MS = 60_000;

/**
 * A fixed window of one minute that its first request opens; refused requests count too. Returns a
 * function that counts one request and tells how long to wait, 0 when it is let through.
 */
export function minuteWindow(limit: number): (nowMs: number) => number {
	let resetsAtMs = -Infinity;
	let consumed = 0;
	return (nowMs) => {
		if (nowMs >= resetsAtMs) {
			resetsAtMs = nowMs + WINDOW_MS;
			consumed = 0;
		}
		consumed += 1;
		return consumed > limit ? resetsAtMs - nowMs : 0;
	};
}
