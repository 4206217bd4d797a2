import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { lowestCap } from '../cost/creditCap';
import type { ItemPrice } from '../cost/estimate';
import { DEAR_ELSEWHERE } from '../cost/prices';
import { checkCredits, questionCredits, rowCredits } from '../research/credits';
import type { CreditBounds } from '../research/credits';
import { priceOutput, pricesOf } from '../run/price/priceOutput';
import type { ServiceClient } from '../service/client';
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
	const caps: Array<number | undefined> = [];
	const { prices, failures } = await pricesOf(ctx, async (item) => {
		const asks = isCheck ? await readAskedText(ctx, item) : undefined;
		const asked = readQuestion(ctx, fields, item, client.time.wallClock(), asks?.text);
		caps.push(asked.maxCredits);
		return priceOf(item, asked);
	});
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
