import type { INodeExecutionData } from 'n8n-workflow';
import type { ItemPrice } from '../../cost/estimate';
import type { PricePart, WorstCase } from '../../cost/prices';
import type { CallOperation, Operation, SessionOperation, StartJobOperation } from '../../operation/operation';
import type { ServiceClient } from '../../service/client';
import { failureOrThrow } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import { askingPrices, askingTypes, callCharge, planCalls } from '../calls/callPlans';
import type { RunContext } from '../connection/runContext';
import { byEntry } from '../job/jobPlan';
import { planItems } from '../jobs/planJobs';
import type { ItemFailure } from '../output/itemError';
import { readSessions } from '../sessions/sessionSteps';
import { priceOutput, pricesOf } from './priceOutput';

type Priced = Awaited<ReturnType<typeof pricesOf>>;

/**
 * Tells what an operation would cost for all input items, by the code of Max Credits: nothing that costs is sent, and no
 * memory is read or written. Prices that only the service knows are asked for where that is free.
 */
export async function tellPrice(
	ctx: RunContext,
	operation: Operation,
	client: ServiceClient,
): Promise<INodeExecutionData[]> {
	const { prices, failures } = await priced(ctx, operation, client);
	client.throwIfStopped();
	return await priceOutput(ctx, client, prices, { failures });
}

async function priced(ctx: RunContext, operation: Operation, client: ServiceClient): Promise<Priced> {
	switch (operation.kind) {
		case 'call':
			return await pricedCalls(ctx, operation, client);
		case 'startJob':
			return pricedJobs(ctx, operation);
		case 'session':
			return pricedSessions(ctx, operation);
		default:
			return pricesTogether(ctx, [], []);
	}
}

/** The prices of all items but those that have failed, of requests of which an item may have several, or none. */
function pricesTogether(
	ctx: RunContext,
	requests: ReadonlyArray<{ item: number; worst: WorstCase }>,
	failures: ItemFailure[],
): Priced {
	const byItem = new Map([...ctx.getInputData().keys()].map((item) => [item, new Array<WorstCase>()]));
	for (const { item, worst } of requests) byItem.get(item)?.push(worst);
	for (const { item } of failures) byItem.delete(item);
	return { prices: [...byItem].map(([item, all]) => itemPrice(item, all)), failures };
}

/** The requests of an item together. */
function itemPrice(item: number, all: readonly WorstCase[]): ItemPrice {
	return {
		item,
		credits: all.reduce((sum, { credits }) => sum + credits, 0),
		likely: all.reduce((sum, { likely }) => sum + likely, 0),
		parts: together(all.flatMap(({ parts }) => parts)),
		notCounted: [...new Set(all.flatMap(({ notCounted }) => notCounted))],
	};
}

/** Equal parts as one: of a thousand files, not a thousand lines. */
function together(parts: readonly PricePart[]): PricePart[] {
	const amounts = new Map<string, { part: PricePart; times: number }>();
	for (const part of parts) {
		const name = `${part.what} ${part.credits}`;
		const before = amounts.get(name);
		if (before) before.times += 1;
		else amounts.set(name, { part, times: 1 });
	}
	return [...amounts.values()].map(({ part, times }) =>
		times === 1 ? part : { what: `${times} × ${part.what}`, credits: times * part.credits },
	);
}

async function pricedCalls(ctx: RunContext, operation: CallOperation, client: ServiceClient): Promise<Priced> {
	const priceOf = askingPrices(operation, client);
	const newerTypes = askingTypes(operation, client);
	return await pricesOf(ctx, async (item) => {
		const { calls } = await planCalls(ctx, operation, item, newerTypes);
		const all: WorstCase[] = [];
		for (const plan of calls) {
			const priceIn = async () => worstOf(operation, callCharge({ ...plan, price: await priceOf(plan) }).sent);
			all.push(await priceIn().catch(unknownPrice));
		}
		return itemPrice(item, all);
	});
}

/** What cannot be asked for has no bound, and says why. */
function unknownPrice(error: unknown): WorstCase {
	const { message, kind } = failureOrThrow(error);
	if (kind === 'aborted') throw error;
	return { credits: Infinity, likely: Infinity, parts: [{ what: message, credits: Infinity }], ...NOTHING };
}

const NOTHING = { lower: [], notCounted: [] };
const FREE: WorstCase = { credits: 0, likely: 0, parts: [], ...NOTHING };

function worstOf({ worstCase }: Operation, sent: JsonObject): WorstCase {
	return worstCase?.(sent) ?? FREE;
}

/** Of a job that items share, each pays for its own entry, and for one that several have the first pays. */
function pricedJobs(ctx: RunContext, operation: StartJobOperation): Priced {
	const { plans, failures } = planItems(ctx, operation, []);
	const parts = plans.flatMap(({ item, sent = {}, shared }) => {
		const { groupBy } = operation;
		if (!shared || !groupBy) return [{ item, worst: worstOf(operation, sent) }];
		return byEntry(shared).flatMap(([first]) =>
			first ? [{ item: first.item, worst: worstOf(operation, { ...sent, [groupBy.property]: [first.entry] }) }] : [],
		);
	});
	return pricesTogether(ctx, parts, failures);
}

function pricedSessions(ctx: RunContext, operation: SessionOperation): Priced {
	const { plans, failures } = readSessions(ctx, operation);
	const requests = plans.map(({ item, sent }) => ({ item, worst: worstOf(operation, sent) }));
	return pricesTogether(ctx, requests, failures);
}
