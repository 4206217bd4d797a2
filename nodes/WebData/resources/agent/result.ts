import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { JobRecord, RecordResult } from '../../operation/operation';
import { recordFields } from '../../operation/recordFields';

export const agentOutput: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'Full Record',
			value: 'fullRecord',
			description: 'Everything the service tells: also model, expiry, suggestions',
		},
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'ID, status, the data, credits used, thread',
		},
	],
	default: 'simplified',
	description: 'What each finished job puts out',
};

function simplified({ id, state, body }: JobRecord): IDataObject {
	const { data, message, creditsUsed, threadId } = body;
	return {
		id,
		status: state,
		// A chat answers with a message and may have no data (shape agentJob).
		...(typeof message === 'string' && { message }),
		data: (data ?? null) as IDataObject,
		...(typeof creditsUsed === 'number' && { creditsUsed }),
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
	usage: ({ creditsUsed, expiresAt }) => ({
		amount: 1,
		// Minus one is a server's word for unknown (recordings NOTES).
		credits: typeof creditsUsed === 'number' && creditsUsed >= 0 ? creditsUsed : undefined,
		expiresAt: typeof expiresAt === 'string' ? expiresAt : undefined,
	}),
	usageUnit: ['result', 'results'],
};
