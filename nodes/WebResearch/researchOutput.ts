import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ResearchResult } from '../research/contract/result';
import type { ServiceClient } from '../service/limits/client';
import { errorItem, isToolCall, itemsInOrder, LinkedFiles } from '../WebData/run/forResearch';
import type { ItemFailure } from '../WebData/run/forResearch';
import type { AskedQuestion } from './askedQuestion';
import { resultItems } from './resultItems';

/** One question with its result, where it has one. */
interface Answered {
	item: number;
	asked: Pick<AskedQuestion, 'output'>;
	result?: ResearchResult;
}

/** The items of all questions in the order of the input, failures among them as such. */
export async function researchOutput(
	ctx: IExecuteFunctions,
	client: ServiceClient,
	questions: readonly Answered[],
	failures: readonly ItemFailure[],
): Promise<INodeExecutionData[]> {
	const asText = isToolCall(ctx);
	const drafts = questions.flatMap(({ item, asked, result }) =>
		result ? resultItems(result, asked.output, asText).map((draft) => ({ draft, item })) : [],
	);
	const made = await itemsInOrder({ ctx, client, files: new LinkedFiles(ctx, client) }, drafts);
	const items = [
		...made.map((data, index) => ({ item: drafts[index]?.item ?? 0, data })),
		...failures.map((failure) => ({ item: failure.item, data: errorItem(ctx, failure) })),
	];
	return items.sort((left, right) => left.item - right.item).map(({ data }) => data);
}
