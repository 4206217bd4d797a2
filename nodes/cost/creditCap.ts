import { isJsonObject } from '../service/http/answer';
import { refusedInput, shorten } from '../service/http/failure';
import type { JsonObject } from '../service/http/transport';
import { counted } from '../text/amounts';
import { unpricedAddress } from './prices';
import type { WorstCase } from './prices';

/** The cost of the request of one item, or of several that share one: then `item` is the first. */
interface ItemCost extends WorstCase {
	item: number;
	/** The number of items that share it. */
	items: number;
	/** Its list has an entry of each of these items. */
	isListOfItems?: boolean | undefined;
}

/** The option Max Credits (This Run) of one item, as it was read; undefined without it. */
export function maxCreditsOf({ options, scrapeOptions }: JsonObject): number | undefined {
	const caps = [options, scrapeOptions].map((one) => (isJsonObject(one) ? one.maxCredits : undefined));
	return caps.find((cap) => typeof cap === 'number');
}

/** One request that is about to be sent, and the cap that its item asks for. */
export interface AskedFor {
	item: number;
	items: number;
	isListOfItems?: boolean | undefined;
	/** Body and query. */
	sent: JsonObject;
	maxCredits: number | undefined;
}

/** The verdict of a cap on a run: why it may not be sent, and what the cap does not hold for. */
export interface CapCheck {
	tooMuch: string | undefined;
	notCounted: string | undefined;
}

/** The credits that are counted already: what was sent before, and what else is about to be. */
interface CountedBefore {
	credits: number;
	/** Of jobs that were started before. */
	ids: readonly string[];
}

const NOTHING_BEFORE: CountedBefore = { credits: 0, ids: [] };

/** The lowest cap that any item asks for. */
export function lowestCap(caps: ReadonlyArray<number | undefined>): number | undefined {
	const given = caps.flatMap((cap) => (cap === undefined ? [] : [cap]));
	return given.length === 0 ? undefined : given.reduce((least, cap) => Math.min(least, cap));
}

/**
 * Throws a ServiceFailure of kind badInput for an item whose price has no bound because of an address, where a cap is
 * asked for: the others can be sent.
 */
export function refuseUnpriced(
	worstCase: ((sent: JsonObject) => WorstCase) | undefined,
	sent: JsonObject,
	maxCredits: number | undefined,
): void {
	const address = maxCredits === undefined ? undefined : unpricedAddress(sent);
	if (address === undefined || worstCase?.(sent).credits !== Infinity) return;
	throw refusedInput(
		`${shorten(address, 200)} comes from a paid data provider, whose price is not known before, so Max Credits (This Run) cannot be kept: leave this address out, or Max Credits.`,
	);
}

/** Adds up the worst case of all requests, with what is counted already, against the cap. */
export function checkCap(
	worstCase: ((sent: JsonObject) => WorstCase) | undefined,
	requests: AskedFor[],
	cap = lowestCap(requests.map(({ maxCredits }) => maxCredits)),
	before = NOTHING_BEFORE,
): CapCheck {
	if (!worstCase || cap === undefined) return { tooMuch: undefined, notCounted: undefined };
	const costs = requests.map(({ item, items, isListOfItems, sent }) => {
		return { item, items, isListOfItems, ...worstCase(sent) };
	});
	return { tooMuch: overCap(costs, cap, before), notCounted: notCountedText(costs) };
}

const MAX_NAMED = 3;

const MAX_IDS = 20;

/**
 * The reason why a run may not be sent; undefined when its worst case is within the cap. Where nobody can know the
 * worst case, the service's own cap is asked for.
 */
export function overCap(costs: ItemCost[], cap: number, before = NOTHING_BEFORE): string | undefined {
	if (costs.length === 0) return undefined;
	const isFirst = before.credits === 0;
	const nothingSent = isFirst ? 'No request was sent.' : 'Nothing more was sent.';
	const open = costs.find(({ credits }) => !Number.isFinite(credits));
	if (open) {
		return `The cost of ${nameOf(open)} has no limit, so Max Credits (This Run) cannot be kept: set ${orList(open.lower)}. ${nothingSent}`;
	}
	const sum = costs.reduce((all, { credits }) => all + credits, 0);
	if (sum + before.credits <= cap) return undefined;
	const [first] = costs;
	const isEven = costs.length > 1 && costs.every((one) => one.items === 1 && first && sumText(one) === sumText(first));
	const biggest = [...costs].sort((left, right) => right.credits - left.credits);
	const named = biggest
		.slice(0, MAX_NAMED)
		.map((cost) => `${nameOf(cost)}: ${cost.credits.toLocaleString('en-US')} (${sumText(cost)})`);
	const lower = [...new Set(biggest.slice(0, MAX_NAMED).flatMap(namesToLower))];
	const inputItems = costs.reduce((all, { items }) => all + items, 0);
	const advice = [
		...(lower.length > 0 ? [`lower ${lower.join(' or ')}`] : []),
		...(inputItems > 1 ? ['send fewer items'] : []),
		'raise Max Credits (This Run)',
	];
	const notCounted = notCountedText(costs);
	const allowed = `Max Credits (This Run) allows ${cap.toLocaleString('en-US')}`;
	const begin = isFirst
		? `This run may cost up to ${counted(sum, 'credit')}, and ${allowed}.`
		: `This run may cost up to ${counted(sum, 'credit')} more. ${beforeText(before)}, and ${allowed} for the whole execution with all its retries.`;
	const each =
		first && `That is ${counted(costs.length, 'item')}, ${counted(first.credits, 'credit')} each (${sumText(first)}).`;
	const what = isEven ? each : `Most of it is for ${named.join('; ')}.`;
	return `${begin} ${nothingSent} ${what} To run it, ${orList(advice)}.${notCounted === undefined ? '' : ` ${notCounted}`}`;
}

function beforeText({ credits, ids }: CountedBefore): string {
	const amount = Number.isFinite(credits) ? counted(credits, 'credit') : 'A cost without a limit';
	const shown = ids.slice(0, MAX_IDS).join(', ');
	const more = ids.length > MAX_IDS ? ` and ${ids.length - MAX_IDS} more` : '';
	const which = ids.length === 0 ? '' : ` (${shown}${more})`;
	return `${amount} ${credits === 1 || !Number.isFinite(credits) ? 'is' : 'are'} counted already for what this execution has started${which}`;
}

function sumText({ parts }: ItemCost): string {
	return parts.map(({ what }) => what).join(' + ');
}

function notCountedText(costs: ItemCost[]): string | undefined {
	const all = [...new Set(costs.flatMap(({ notCounted }) => notCounted))];
	if (all.length === 0) return undefined;
	return `Max Credits (This Run) does not count ${all.join(', nor ')}.`;
}

function nameOf({ item, items }: ItemCost): string {
	return items === 1 ? `item ${item}` : `the job of ${items} items from item ${item}`;
}

/** The parameters that lower a cost. A list that input items make is as long as they are many. */
function namesToLower({ list, isListOfItems, lower }: ItemCost): string[] {
	return list === undefined || isListOfItems ? lower : [list, ...lower];
}

function orList(parts: string[]): string {
	const last = parts.at(-1) ?? '';
	return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} or ${last}`;
}
