import type { IExecuteFunctions } from 'n8n-workflow';
import { MAX_NAMED, withMore } from '../operation/hint';
import type { ResearchParts, RowParts } from '../research/contract/parts';
import type { ResearchUsage } from '../research/contract/result';
import { logStop } from '../run/errors/unexpectedError';
import { CreditAccount } from '../run/ledger/creditAccount';
import { runError } from '../run/output/itemError';
import type { ServiceClient } from '../service/client';
import { executionStopped } from '../service/http/failure';
import { count, httpCodeText } from '../text/amounts';
import { connectedModels } from './researchCalls';
import type { WebCalls } from './researchCalls';
import type { ResearchMemory } from './researchMemory';

interface PartsOf {
	ctx: IExecuteFunctions;
	client: ServiceClient;
	item: number;
	memory: ResearchMemory;
	calls: WebCalls;
	/** Aborted where another question ends the run. */
	ending: AbortSignal;
	onModelWait: NonNullable<ResearchParts['onModelWait']>;
}

/** What research of one item needs of the world. Throws a ResearchFailure where no model is connected. */
export async function partsOf({ ctx, client, item, memory, calls, ending, onModelWait }: PartsOf): Promise<RowParts> {
	return {
		search: async (query) => await calls.search(query),
		scrape: async (url, mostCredits, isKnown) => await calls.scrape(url, mostCredits, isKnown),
		readBack: async (id, url) => await calls.readBack(id, url),
		mapSite: async (url, words) => await calls.mapSite(url, words),
		ask: await connectedModels(ctx, item),
		clock: client.time,
		notes: memory,
		signal: ctx.getExecutionCancelSignal(),
		ending,
		onModelWait,
	};
}

const LOG_EVERY_MS = 60_000;

/** A model that refuses calls for minutes is seen in n8n's log, once a minute. */
export function modelWaitLog(
	ctx: IExecuteFunctions,
	{ time }: ServiceClient,
): NonNullable<ResearchParts['onModelWait']> {
	let nextLogMs = -Infinity;
	return ({ status, waitMs }) => {
		const nowMs = time.now();
		if (nowMs < nextLogMs) return;
		nextLogMs = nowMs + LOG_EVERY_MS;
		const code = httpCodeText(status);
		ctx.logger.warn(
			`${ctx.getNode().name}: the chat model refuses calls for now${code}. It is asked again in ${Math.ceil(waitMs / 1000)} s.`,
		);
	};
}

/** Says what may be paid for besides: calls whose answers were lost, or had not come when the research ended. */
export function tellOpen(result: { usage: ResearchUsage; warnings: string[] }, memory: ResearchMemory): void {
	const { names, credits } = memory.open;
	result.usage.creditsInDoubt = credits;
	if (names.length === 0) return;
	const shown = withMore(names.slice(0, MAX_NAMED), names.length - MAX_NAMED, '; ');
	result.warnings.push(
		`${count(names.length, 'request')} got no answer, and may have cost up to ${count(credits, 'credit')} more: ${shown}.`,
	);
}

/** The account of a run whose questions keep to a part of the cap themselves. */
export function questionAccount(ctx: IExecuteFunctions): CreditAccount {
	return new CreditAccount(ctx, ({ credits: given }) => {
		const credits = typeof given === 'number' ? given : 0;
		return { credits, likely: credits, parts: [], lower: [], notCounted: [] };
	});
}

/** The error of a stopped execution; what it had cost is in n8n's log. `what`: `The research`. */
export function stopError(ctx: IExecuteFunctions, what: string, plans: ReadonlyArray<{ memory: ResearchMemory }>) {
	const paid = plans.reduce((sum, { memory }) => sum + memory.credits, 0);
	logStop(ctx, [
		`${what} had cost up to ${count(paid, 'credit')}. n8n retries no stopped execution: run the workflow again.`,
	]);
	const { kind, message } = executionStopped({ mayHaveExecuted: true });
	return runError(ctx, { item: 0, kind, message }, []);
}
