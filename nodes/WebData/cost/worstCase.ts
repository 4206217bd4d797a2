/** The most that one request can cost (docs/service-notes.md#prices). */
export interface WorstCase {
	/** In credits. Infinity where the service sets no bound unless it is given one. */
	credits: number;
	/** What it is made of: `100 pages × 5`. */
	sum: string;
	/** The parameters that lower it, as the panel calls them: `Page Limit`. */
	lower: string[];
	/** The parameter with the list that each entry of is paid for; it can be made shorter where it is typed: `URLs`. */
	list?: string;
	/** What nobody can know before, and is not in `credits`. Completes "It does not count …". */
	notCounted: string[];
}

/** `1 page`, `1,000 pages`. */
export function counted(amount: number, thing: string): string {
	return `${amount.toLocaleString('en-US')} ${thing}${amount === 1 ? '' : 's'}`;
}
