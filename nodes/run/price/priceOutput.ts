import type { INodeExecutionData } from 'n8n-workflow';
import { estimateText, estimatesOf } from '../../cost/estimate';
import type { ItemPrice } from '../../cost/estimate';
import { hint } from '../../operation/hint';
import type { ServiceClient } from '../../service/client';
import { failureOrThrow } from '../../service/http/failure';
import { creditsLeft } from '../connection/creditsLeft';
import type { RunContext } from '../connection/runContext';
import { keepsFailedItems } from '../input/readFields';
import { errorItem, runError, withRefused } from '../output/itemError';
import type { ItemFailure } from '../output/itemError';

/** The prices of all items, one after the other, and why those of others cannot be told. */
export async function pricesOf(
	ctx: RunContext,
	priceOf: (item: number) => Promise<ItemPrice>,
): Promise<{ prices: ItemPrice[]; failures: ItemFailure[] }> {
	const prices: ItemPrice[] = [];
	const failures: ItemFailure[] = [];
	for (const item of ctx.getInputData().keys()) {
		try {
			prices.push(await priceOf(item));
		} catch (error) {
			const { kind, message, httpCode } = failureOrThrow(error);
			failures.push({ item, kind, message, httpCode });
		}
	}
	return { prices, failures };
}

/**
 * Each input item with its own fields and an `estimate`, those whose input is refused as errors, and the sum in a hint.
 * `most`: a limit that the whole run keeps to by itself. Throws the error of the first item where it ends the run.
 */
export async function priceOutput(
	ctx: RunContext,
	client: ServiceClient,
	prices: ItemPrice[],
	{ failures, most }: { failures: ItemFailure[]; most?: number | undefined },
): Promise<INodeExecutionData[]> {
	const input = ctx.getInputData();
	const [first] = failures.sort((one, other) => one.item - other.item);
	if (first && !keepsFailedItems(ctx)) throw runError(ctx, withRefused(first, failures, input.length), []);
	const left = client.isWithoutKey ? Infinity : await creditsLeft(client);
	const facts = { most, ...(Number.isFinite(left) && { balance: left }) };
	const estimates = estimatesOf(prices, facts);
	const told = prices.map(({ item }, at): [number, INodeExecutionData] => {
		const { json = {}, binary } = input[item] ?? {};
		const estimate = { ...estimates[at] };
		return [item, { json: { ...json, estimate }, pairedItem: { item }, ...(binary && { binary }) }];
	});
	const failed = failures.map((failure): [number, INodeExecutionData] => [failure.item, errorItem(ctx, failure)]);
	if (prices.length > 0) ctx.addExecutionHints(hint(estimateText(prices, facts)));
	if (Number.isNaN(left)) {
		ctx.addExecutionHints(hint('How many credits the account has left could not be asked for.', 'warning'));
	}
	return [...told, ...failed].sort(([one], [other]) => one - other).map(([, item]) => item);
}
