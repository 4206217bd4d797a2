import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { lowestCap } from '../cost/creditCap';
import type { ItemPrice } from '../cost/estimate';
import { DEAR_ELSEWHERE } from '../cost/prices';
import { checkCredits, questionCredits, rowCredits } from '../research/credits';
import type { CreditBounds } from '../research/credits';
import type { ItemFailure } from '../run/output/itemError';
import { priceOutput } from '../run/price/priceOutput';
import type { ServiceClient } from '../service/client';
import { failureOrThrow } from '../service/http/failure';
import { pageCreditsAt, readQuestion } from './askedQuestion';
import type { AskedQuestion } from './askedQuestion';
import { readAskedText } from './check/askedText';

/** Tells what the questions, rows or texts of all items would cost; nothing is searched, read or remembered. */
export async function tellResearchPrice(
	ctx: IExecuteFunctions,
	client: ServiceClient,
	fields: INodeProperties[],
	isCheck: boolean,
): Promise<INodeExecutionData[]> {
	const prices: ItemPrice[] = [];
	const failures: ItemFailure[] = [];
	const caps: Array<number | undefined> = [];
	for (const item of ctx.getInputData().keys()) {
		try {
			const text = isCheck ? await readAskedText(ctx, item) : undefined;
			const asked = readQuestion(ctx, fields, item, client.time.wallClock(), text);
			caps.push(asked.maxCredits);
			prices.push(priceOf(item, asked));
		} catch (error) {
			const { kind, message } = failureOrThrow(error);
			failures.push({ item, kind, message });
		}
	}
	return await priceOutput(ctx, client, prices, { failures, most: lowestCap(caps) });
}

function priceOf(item: number, asked: AskedQuestion): ItemPrice {
	const { question, row, notCounted } = asked;
	// An empty row, and one whose cells are all kept, is not looked for.
	const isFree = row !== undefined && (row.row.subject === '' || row.row.columns.length === 0);
	const bounds = isFree ? NOTHING : boundsOf(asked);
	const isLimited = question.excludedForPrice.length > 0;
	return {
		item,
		credits: bounds.most,
		likely: bounds.likely,
		parts: bounds.parts,
		notCounted: isFree ? [] : [...notCounted, ...(isLimited ? [] : [DEAR_ELSEWHERE])],
		tokens: question.maxTokens ?? null,
	};
}

const NOTHING: CreditBounds = { most: 0, likely: 0, parts: [] };

function boundsOf(asked: AskedQuestion): CreditBounds {
	const { question, row, check } = asked;
	const priceAt = (address: string) => pageCreditsAt(asked, address);
	if (check) return checkCredits(check.text, question, { priceOf: priceAt, searches: check.searches });
	return row ? rowCredits(question, row.row, priceAt) : questionCredits(question, priceAt);
}
