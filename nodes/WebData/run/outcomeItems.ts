import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { JobOutcome } from '../../service/outcome';
import type { ItemDraft } from '../resources/operation';
import type { JobOperation, JobPlan } from './jobPlan';

/** Binary field that files are put into; n8n's own nodes read it by default. */
const BINARY_FIELD = 'data';

/** The output items of one job that ended well, or that may be put out unfinished. */
export async function outcomeItems(
	ctx: IExecuteFunctions,
	{ result }: JobOperation,
	plan: JobPlan,
	outcome: JobOutcome,
	asText: boolean,
): Promise<INodeExecutionData[]> {
	const { item, sent, choice } = plan;
	if (outcome.kind === 'started') {
		return [{ json: result.toStartedItem(outcome.id, sent ?? {}), pairedItem: { item } }];
	}
	if (outcome.kind !== 'done' && outcome.kind !== 'unfinished') return [];
	const { id, state, body = {} } = outcome;
	const drafts = result.toItems({ id, state, body, sent }, choice, asText);
	return await Promise.all(drafts.map(async (draft) => await toItem(ctx, draft, item)));
}

async function toItem(
	ctx: IExecuteFunctions,
	{ json, file }: ItemDraft,
	item: number,
): Promise<INodeExecutionData> {
	const pairedItem = { item };
	if (!file) return { json, pairedItem };
	const content = Buffer.from(file.text, 'utf8');
	const binary = await ctx.helpers.prepareBinaryData(content, file.fileName, file.mimeType);
	return { json, binary: { [BINARY_FIELD]: binary }, pairedItem };
}
