/** The account's credits. */
export interface Credits {
	left(): number;
	used(): number;
	/** Takes credits; a job that costs more than is left takes what there is. */
	charge(amount: number): void;
	refill(): void;
}

/** See `Credits`. `total` may be Infinity. */
export function credits(total: number): Credits {
	let used = 0;
	return {
		left: () => Math.max(0, total - used),
		used: () => used,
		charge: (amount) => void (used += amount),
		refill: () => void (used = 0),
	};
}
