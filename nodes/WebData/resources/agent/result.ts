import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { JobRecord, RecordResult } from '../../operation/operation';
import { holdsNothing, recordFields } from '../../operation/recordFields';
import { readCredits } from '../../operation/webPage';

export const agentOutput: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'Full Record',
			value: 'fullRecord',
			description: 'All that Firecrawl returns, with model, expiry, suggestions',
		},
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'The data, then ID, status, credits used and thread',
		},
	],
	default: 'simplified',
	description: 'What to return for each finished job',
};

function simplified({ id, state, body }: JobRecord): IDataObject {
	const { data, message, threadId } = body;
	const creditsUsed = readCredits(body);
	return {
		// A chat answers with a message and may have no data.
		...(typeof message === 'string' && { message }),
		data: (data ?? null) as IDataObject,
		id,
		status: state,
		...(creditsUsed !== undefined && { creditsUsed }),
		...(typeof threadId === 'string' && { threadId }),
	};
}

function fullRecord(record: JobRecord): IDataObject {
	return { ...simplified(record), ...recordFields(record.body) };
}

/** How agent jobs become items. */
export const agentResult: RecordResult = {
	toItems: (record, choice) => [
		{ json: choice === 'fullRecord' ? fullRecord(record) : simplified(record) },
	],
	toStartedItem: (id, { prompt }, { threadId }) => ({
		id,
		prompt: String(prompt),
		...(typeof threadId === 'string' && { threadId }),
	}),
	// A chat answers with a message instead (shape agentJob).
	remarks: ({ data, message }) =>
		holdsNothing(data) && holdsNothing(message) ? ['gave no data'] : [],
	usage: (body) => ({
		amount: 1,
		credits: readCredits(body),
		expiresAt: typeof body.expiresAt === 'string' ? body.expiresAt : undefined,
	}),
	usageUnit: ['result', 'results'],
};
