import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { ListOperation } from '../../operation/operation';
import type { ServiceClient } from '../../service/client';
import { failureOrThrow } from '../../service/http/failure';
import type { ServiceFailure } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import { readListParts } from '../../service/results/listParts';
import type { RunContext } from '../connection/runContext';
import { isToolCall, keepsFailedItems, readItem, requestOf } from '../input/readFields';
import { failedText } from '../output/hints';
import { errorItem, runError, unknownThing } from '../output/itemError';
import type { ItemFailure } from '../output/itemError';
import { Notes } from '../output/notes';
import { resultJson } from '../output/outputItem';
import { nothingText } from '../output/pageNotes';

/** The elements of one answer. */
export interface Listed {
	elements: IDataObject[];
	/** The noun for the elements, if there are none of them: `failed pages of the crawl 0c5f…`. */
	what: string;
	/** The whole answer, for what the service remarks in it. */
	answer: JsonObject;
}

/** The meaning of a failure to the operation, in its own words. */
type Explanation = Pick<ItemFailure, 'title' | 'message'>;

/**
 * Reads the input of all items with `plan`, which sends nothing, then asks for each of them, one after the
 * other, and returns one item for each element of its answer.
 * An answer without any is said in a hint; an AI agent, which sees no hints, gets an item that says so.
 */
export async function runEachItem<Plan>(
	ctx: RunContext,
	plan: (item: number) => Plan,
	ask: (plan: Plan) => Promise<Listed>,
	explain: (failure: ServiceFailure, plan: Plan) => Explanation | undefined,
): Promise<INodeExecutionData[]> {
	const output: INodeExecutionData[] = [];
	const notes = new Notes();
	const items = ctx.getInputData().length;
	const [asText, continues] = [isToolCall(ctx), keepsFailedItems(ctx)];
	let failed = 0;
	const failureOf = (item: number, error: unknown, asked?: Plan): ItemFailure => {
		const cause = failureOrThrow(error);
		const { kind, message, httpCode } = cause;
		const explained = asked === undefined ? undefined : explain(cause, asked);
		const failure = { item, kind, message, httpCode, ...explained };
		if (!continues || kind === 'aborted') throw runError(ctx, failure, []);
		return failure;
	};
	const plans = Array.from({ length: items }, (_unused, item) => {
		try {
			return { plan: plan(item) };
		} catch (error) {
			return { failure: failureOf(item, error) };
		}
	});
	for (const [item, planned] of plans.entries()) {
		if (planned.failure) {
			output.push(errorItem(ctx, planned.failure));
			failed += 1;
			continue;
		}
		try {
			const { elements, what, answer } = await ask(planned.plan);
			notes.addRemarks(answer);
			const isEmpty = elements.length === 0;
			if (isEmpty) notes.add('nothingFound', { name: what });
			const shown = isEmpty && asText ? [{ message: nothingText(what, answer) }] : elements;
			for (const json of shown) output.push({ json: resultJson(json), pairedItem: { item } });
		} catch (error) {
			output.push(errorItem(ctx, failureOf(item, error, planned.plan)));
			failed += 1;
		}
	}
	notes.say('summary', failedText(failed, items));
	ctx.addExecutionHints(...notes.hints());
	return output;
}

/** Carries out a list operation: the list of each input item, part by part, an item for each element. */
export async function runList(
	ctx: RunContext,
	operation: ListOperation,
	client: ServiceClient,
): Promise<INodeExecutionData[]> {
	const plan = (item: number) => {
		const fields = readItem(ctx, operation.fields, item);
		const most = fields.values.returnAll === true ? Infinity : Number(fields.values.limit);
		return { most, request: requestOf(operation.request, fields), values: fields.values };
	};
	return await runEachItem(
		ctx,
		plan,
		async ({ most, request }) => {
			const { elements, answer } = await readListParts(operation, request, client, most);
			return { elements, what: `${operation.unit}s`, answer };
		},
		(failure, { request, values }) =>
			operation.explain?.(failure, values) ?? unknownThing(operation.about, values, failure, request),
	);
}
