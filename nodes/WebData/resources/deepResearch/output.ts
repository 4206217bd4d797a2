import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { ItemDraft, JobRecord, JobResult } from '../../operation/operation';
import { readResearch } from './record';
import type { ResearchRecord } from './record';
import { reportFileName, writeReport } from './report';

export const legacyNotice: INodeProperties = {
	displayName:
		'Deep research is a legacy (v1) alpha operation of the service. Each analysed URL costs one credit. Check critical facts by hand.',
	name: 'legacyNotice',
	type: 'notice',
	default: '',
};

export const researchOutput: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'Full Record',
			value: 'fullRecord',
			description: 'Everything the service tells: also activities, depths, source descriptions',
		},
		{
			name: 'One Item per Source',
			value: 'sources',
			description: 'The pages that were used, one item each',
		},
		{
			name: 'Report File',
			value: 'reportFile',
			description: 'A Markdown file in the binary field data: analysis, sources, timeline',
		},
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'The analysis and its sources as title and URL',
		},
	],
	default: 'simplified',
	description: 'What each finished job puts out. Default: Simplified.',
};

interface Finished {
	id: string;
	query: string | null;
	status: string;
	record: ResearchRecord;
}

function simplified({ id, query, status, record }: Finished): IDataObject {
	return {
		id,
		query,
		status,
		finalAnalysis: record.finalAnalysis as IDataObject,
		json: record.json as IDataObject,
		sources: record.sources.map(({ title, url }) => ({ title, url })),
		totalUrls: record.totalUrls,
		expiresAt: record.expiresAt,
	};
}

function fullRecord(finished: Finished): IDataObject {
	const { sources, activities, currentDepth, maxDepth } = finished.record;
	return {
		...simplified(finished),
		sources: sources.map((source) => ({ ...source })),
		activities: activities.map((activity) => ({ ...activity })),
		currentDepth,
		maxDepth,
	};
}

/** A job without sources, which may still run, is put out itself: it is paid for, and nothing says nothing. */
function oneItemPerSource(finished: Finished): ItemDraft[] {
	const { id, query, record } = finished;
	if (record.sources.length === 0) return [{ json: simplified(finished) }];
	return record.sources.map((source, index) => ({
		json: { id, query, position: index + 1, ...source },
	}));
}

function reportFile({ id, query, status, record }: Finished, asText: boolean): ItemDraft {
	const text = writeReport(query, record);
	const fileName = reportFileName(query, id);
	const { totalUrls, expiresAt } = record;
	const json = { id, query, status, fileName, totalUrls, expiresAt };
	if (asText) return { json: { ...json, report: text } };
	const file = { field: 'data', fileName, mimeType: 'text/markdown', text };
	return { json, files: [file] };
}

function toItems(job: JobRecord, choice: string, asText: boolean): ItemDraft[] {
	const sentQuery = job.sent?.query;
	const finished: Finished = {
		id: job.id,
		query: typeof sentQuery === 'string' ? sentQuery : null,
		status: job.state,
		record: readResearch(job.body),
	};
	switch (choice) {
		case 'fullRecord':
			return [{ json: fullRecord(finished) }];
		case 'sources':
			return oneItemPerSource(finished);
		case 'reportFile':
			return [reportFile(finished, asText)];
		default:
			return [{ json: simplified(finished) }];
	}
}

/** How research jobs become items: shared by Start and Get. */
export const researchResult: JobResult = {
	toItems,
	toStartedItem: (id, sent) => ({ id, query: sent.query as string }),
	usage: (body) => {
		const { totalUrls, expiresAt } = readResearch(body);
		return { amount: totalUrls, expiresAt: expiresAt ?? undefined };
	},
	usageUnit: 'URLs analysed',
};
