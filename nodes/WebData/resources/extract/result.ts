import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { JobRecord, RecordResult } from '../../operation/operation';
import { holdsNothing, recordFields } from '../../operation/recordFields';
import { readCredits } from '../../operation/webPage';

export const extractOutput: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'Full Record',
			value: 'fullRecord',
			description: 'All that Firecrawl returns, with tokens, sources, expiry',
		},
		{ name: 'Simplified', value: 'simplified', description: 'ID, status, the data, its sources' },
	],
	default: 'simplified',
	description: 'What to return for each finished job',
};

function simplified({ id, state, body }: JobRecord): IDataObject {
	const { data, sources } = body;
	const creditsUsed = readCredits(body);
	return {
		id,
		status: state,
		data: (data ?? null) as IDataObject,
		...(sources !== undefined && { sources: sources as IDataObject }),
		...(creditsUsed !== undefined && { creditsUsed }),
	};
}

function fullRecord(record: JobRecord): IDataObject {
	return { ...simplified(record), ...recordFields(record.body) };
}

/** Credits, or what the tokens cost (docs/service-notes.md#prices: 15 tokens are a credit). */
function creditsOf(body: JobRecord['body']): number | undefined {
	const { tokensUsed } = body;
	return (
		readCredits(body) ?? (typeof tokensUsed === 'number' ? Math.ceil(tokensUsed / 15) : undefined)
	);
}

/** How extract jobs become items. */
export const extractResult: RecordResult = {
	toItems: (record, choice) => [
		{ json: choice === 'fullRecord' ? fullRecord(record) : simplified(record) },
	],
	toStartedItem: (id, { urls, prompt }) => ({
		id,
		...(Array.isArray(urls) && { urls: urls as string[] }),
		...(typeof prompt === 'string' && { prompt }),
	}),
	remarks: ({ data }) => (holdsNothing(data) ? ['gave no data'] : []),
	usage: (body) => ({
		amount: 1,
		credits: creditsOf(body),
		expiresAt: typeof body.expiresAt === 'string' ? body.expiresAt : undefined,
	}),
	usageUnit: ['result', 'results'],
};
