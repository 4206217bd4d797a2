/** What an IP address may use in an hour without a key. */
export interface Allowance {
	requests: number;
	credits: number;
}

interface UsedUp {
	reason: keyof Allowance;
	seconds: number;
}

const HOUR_MS = 60 * 60_000;

/** By method and path without its query. No recordings: docs/reference/service-notes.md#without-a-key. */
const ANSWERED: readonly RegExp[] = [
	/^POST \/v2\/(?:scrape|search|parse|search\/developer|search\/gov)$/,
	/^GET \/v2\/search\/research\/papers(?:\/|$)/,
	/^(?:POST|DELETE) \/v2\/scrape\/[^/]+\/interact$/,
];

export function answersWithoutKey(method: string, url: string): boolean {
	const line = `${method} ${url.split('?', 1)[0]}`;
	return ANSWERED.some((pattern) => pattern.test(line));
}

/** Counts what each address uses. A request is counted with the credits that it needs at least. */
export function addressAllowances({ requests, credits }: Allowance, speed: number) {
	const used = new Map<string, { requests: number; credits: number; endsAtMs: number }>();
	return {
		/** What an address has used up, and for how long; undefined where it may ask, which is counted then. */
		use(address: string, creditsNeeded: number, nowMs: number): UsedUp | undefined {
			let one = used.get(address);
			if (!one || nowMs >= one.endsAtMs) {
				one = { requests: 0, credits: 0, endsAtMs: nowMs + HOUR_MS / speed };
				used.set(address, one);
			}
			const reason =
				one.requests >= requests ? 'requests' : one.credits + creditsNeeded > credits ? 'credits' : undefined;
			if (reason) return { reason, seconds: Math.ceil((one.endsAtMs - nowMs) / 1000) };
			one.requests += 1;
			one.credits += creditsNeeded;
			return undefined;
		},
		clear: () => used.clear(),
	};
}
