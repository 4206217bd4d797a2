import { counted } from '../text/amounts';
import type { PricePart } from './prices';

/** What one input item may cost. Credits are Infinity where nobody can say. */
export interface ItemPrice {
	item: number;
	credits: number;
	likely: number;
	parts: PricePart[];
	/** Costs that nobody can know before, and that are not in `credits`. */
	notCounted: string[];
	/** Of a research: the most tokens of the chat model; null without a limit. */
	tokens?: number | null;
}

/** What a run may cost, as each of its items says it. */
export interface Estimate {
	/** The most that the item may cost: as Max Credits counts it; null where it has no bound. */
	maxCredits: number | null;
	/** What it most likely costs where all goes well; null where nobody can say. */
	likelyCredits: number | null;
	/** The most that all items together may cost: the Max Credits (This Run) of the run that was agreed to. */
	runMaxCredits: number | null;
	/** Whether the run has a bound; without one, nothing may be put in the place of Max Credits. */
	isBounded: boolean;
	why: Array<{ what: string; credits: number | null }>;
	notCounted: string[];
	tokens?: number | null;
	/** The credits that the account has left, where the service tells it. */
	balance?: number;
}

/** What is known of the whole run. `most`: a limit that a research keeps to by itself, of all items together. */
interface PriceFacts {
	most?: number | undefined;
	balance?: number | undefined;
}

/** The estimate of each item, in their order. */
export function estimatesOf(prices: readonly ItemPrice[], { most = Infinity, balance }: PriceFacts = {}): Estimate[] {
	const all = Math.min(sumOf(prices, 'credits'), most);
	return prices.map(({ credits, likely, parts, notCounted, tokens }) => ({
		maxCredits: known(Math.min(credits, most)),
		likelyCredits: known(Math.min(likely, credits, most)),
		runMaxCredits: known(all),
		isBounded: Number.isFinite(all),
		why: parts.map((part) => ({ what: part.what, credits: known(part.credits) })),
		notCounted,
		...(tokens !== undefined && { tokens }),
		...(balance !== undefined && { balance }),
	}));
}

/** The sum of a run in one line under the output. */
export function estimateText(prices: readonly ItemPrice[], { most = Infinity, balance }: PriceFacts = {}): string {
	const all = Math.min(sumOf(prices, 'credits'), most);
	const likely = Math.min(sumOf(prices, 'likely'), all);
	const may = Number.isFinite(all)
		? `This run may cost up to ${counted(all, 'credit')}, likely about ${counted(Math.round(likely), 'credit')}.`
		: 'What this run costs has no bound that could be known before.';
	const left = balance === undefined ? '' : ` The account has ${counted(balance, 'credit')} left.`;
	const others = [...new Set(prices.flatMap(({ notCounted }) => notCounted))];
	const notCounted = others.length === 0 ? '' : ` It does not count ${others.join(', nor ')}.`;
	return `${may}${notCounted}${left} Nothing was sent that costs: Only Tell the Price is on.`;
}

function sumOf(prices: readonly ItemPrice[], name: 'credits' | 'likely'): number {
	return prices.reduce((sum, price) => sum + price[name], 0);
}

/** JSON has no infinity: what is not known is null. */
function known(credits: number): number | null {
	return Number.isFinite(credits) ? Math.ceil(credits) : null;
}
