import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { choiceField, noticeField } from '../../../fields/field';
import type { ItemDraft, JobRecord, JobResult } from '../../../operation/operation';
import { isJsonObject } from '../../../service/http/answer';
import type { JsonObject } from '../../../service/http/transport';
import { remarksOf } from '../../../service/results/pageErrors';
import { fencedJson, plainLine, reportFileName, sourceLine, writeReportFile } from '../../../text/report/reportFile';

/**
 * One page the research used. Servers give lists for title and description at times
 * (docs/reference/service-notes.md#deep-research).
 */
interface DeepResearchSource {
	title: string;
	url: string;
	description: string;
	icon: string;
}

/** One step the research logged. Unknown types and states are kept as they are. */
interface DeepResearchActivity {
	type: string;
	status: string;
	message: string;
	timestamp: string;
	depth: number | null;
}

/** A research job, with the fields of docs/reference/service-notes.md#deep-research. Null: the server did not say. */
export interface ResearchRecord {
	status: string | null;
	/** Text, or an object on servers that put the JSON output there (recording dr-06b). */
	finalAnalysis: unknown;
	json: unknown;
	sources: DeepResearchSource[];
	activities: DeepResearchActivity[];
	currentDepth: number | null;
	maxDepth: number | null;
	totalUrls: number;
	expiresAt: string | null;
}

/**
 * Reads a status body of any server: each field from the place where servers put it, the top level or
 * `data` (shape deepResearchRecord.readOrder). Never throws; wrong types count as missing.
 */
export function readResearch(body: unknown): ResearchRecord {
	const top = isJsonObject(body) ? body : {};
	const data = isJsonObject(top.data) ? top.data : {};
	const sources = findObjects([data.sources, top.sources]);
	return {
		status: find([top.status, data.status], isText) ?? null,
		finalAnalysis: find([data.finalAnalysis, top.finalAnalysis], isPresent) ?? '',
		json: find([data.json, top.json], isPresent) ?? null,
		sources: sources.map(readSource),
		activities: findObjects([data.activities, top.activities]).map(readActivity),
		currentDepth: find([top.currentDepth, data.currentDepth], isNumber) ?? null,
		maxDepth: find([top.maxDepth, data.maxDepth], isNumber) ?? null,
		totalUrls: find([top.totalUrls, data.totalUrls], isNumber) ?? sources.length,
		expiresAt: find([top.expiresAt, data.expiresAt], isText) ?? null,
	};
}

function readSource(source: JsonObject): DeepResearchSource {
	return {
		title: readText(source.title),
		url: readText(source.url),
		description: readText(source.description),
		icon: readText(source.icon) || readText(source.favicon),
	};
}

function readActivity(activity: JsonObject): DeepResearchActivity {
	return {
		type: readText(activity.type),
		status: readText(activity.status),
		message: readText(activity.message),
		timestamp: readText(activity.timestamp),
		depth: isNumber(activity.depth) ? activity.depth : null,
	};
}

/** Text, or the texts of a list joined; empty for everything else. */
function readText(value: unknown): string {
	if (Array.isArray(value)) return value.filter(isText).join(', ');
	return isText(value) ? value : '';
}

/** The first value of the right type that is not empty, else the first of the right type. */
function find<T>(values: unknown[], isRight: (value: unknown) => value is T): T | undefined {
	const right = values.filter(isRight);
	return right.find((value) => !isBlank(value)) ?? right[0];
}

/** The objects of the first list that holds any. */
function findObjects(values: unknown[]): JsonObject[] {
	const lists = values.map((value) => (Array.isArray(value) ? value.filter(isJsonObject) : []));
	return lists.find((list) => list.length > 0) ?? [];
}

function isBlank(value: unknown): boolean {
	return value === '' || (Array.isArray(value) && value.length === 0);
}

function isText(value: unknown): value is string {
	return typeof value === 'string';
}

function isNumber(value: unknown): value is number {
	return typeof value === 'number' && Number.isFinite(value);
}

function isPresent(value: unknown): value is NonNullable<unknown> {
	return value !== undefined && value !== null;
}

export const legacyNotice: INodeProperties = noticeField(
	'legacyNotice',
	'Legacy, 1 credit a URL. New: the node <b>Web Research</b>.',
);

export const deepResearchOutput: INodeProperties = choiceField(
	'output',
	'Output',
	'simplified',
	'What to return for each finished job',
	[
		['Full Record', 'fullRecord', 'All that Firecrawl returns, with activities, depths, source descriptions'],
		['One Item per Source', 'sources', 'The pages that were used, one item each'],
		['Report File', 'reportFile', 'A Markdown file in the binary field data: analysis, sources, timeline'],
		['Simplified', 'simplified', 'The analysis and its sources as title and URL'],
	],
	{ send: false },
);

interface Finished {
	id: string;
	query: string | null;
	status: string;
	creditsUsed: number;
	record: ResearchRecord;
	/** Remarks of the service. */
	remarks: JsonObject;
}

/** As the service tells it, else one for each URL that was analysed (docs/reference/service-notes.md#deep-research). */
function creditsOf({ creditsUsed }: JsonObject, { totalUrls }: ResearchRecord): number {
	return typeof creditsUsed === 'number' && creditsUsed >= 0 ? creditsUsed : totalUrls;
}

function simplified({ id, query, status, creditsUsed, record }: Finished): IDataObject {
	const { finalAnalysis, json, totalUrls, expiresAt } = record;
	return {
		query,
		finalAnalysis: finalAnalysis as IDataObject,
		...(json !== null && { json: json as IDataObject }),
		sources: record.sources.map(({ title, url }) => ({ title, url })),
		id,
		status,
		totalUrls,
		creditsUsed,
		expiresAt,
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
		...(finished.remarks as IDataObject),
	};
}

/** A job without sources, which may still run, is put out itself: it is paid for, and nothing says nothing. */
function oneItemPerSource(finished: Finished): ItemDraft[] {
	const { id, query, record } = finished;
	if (record.sources.length === 0) return [{ json: simplified(finished) }];
	return record.sources.map((source, index) => ({
		json: { query, ...source, position: index + 1, id },
	}));
}

/** The caution above a report (docs/reference/service-notes.md#deep-research). */
const CAUTION =
	'Written by a deep research service (legacy v1, alpha). Check critical facts by hand against the sources.';

/** The analysis, numbered sources, a timeline of the activities. `query` is null for a job that was started elsewhere. */
export function writeDeepResearchReport(query: string | null, record: ResearchRecord): string {
	const { json, finalAnalysis, sources, activities } = record;
	const isSame = JSON.stringify(json) === JSON.stringify(finalAnalysis);
	return writeReportFile({
		query: query ?? 'Deep research',
		caution: CAUTION,
		analysis: analysisText(record),
		json: isEmpty(json) || isSame ? undefined : json,
		sections: [
			[
				'Sources',
				sources.length === 0
					? ['The service named no sources.']
					: sources.map((source, index) => sourceLine({ ...source, number: index + 1 })),
			],
			['Timeline', activities.length === 0 ? ['The service logged no activities.'] : activities.map(activityLine)],
		],
	});
}

function analysisText({ finalAnalysis, status }: ResearchRecord): string {
	if (typeof finalAnalysis === 'string' && finalAnalysis.trim() !== '') return finalAnalysis;
	if (!isEmpty(finalAnalysis)) return fencedJson(finalAnalysis);
	return status === 'completed'
		? 'The service wrote no analysis text.'
		: `There is no analysis yet: the job is "${status ?? 'unknown'}".`;
}

function isEmpty(value: unknown): boolean {
	return value === '' || value === null || value === undefined;
}

function activityLine({ timestamp, depth, type, status, message }: DeepResearchActivity): string {
	const when = plainLine(timestamp) || 'no time given';
	const where = depth === null ? '' : `, depth ${depth}`;
	return `- ${when}${where}: **${plainLine(type)}** (${plainLine(status)}) ${plainLine(message)}`;
}

function reportFile(finished: Finished, asText: boolean): ItemDraft {
	const { id, query, status, creditsUsed, record } = finished;
	const text = writeDeepResearchReport(query, record);
	const fileName = reportFileName(query ?? '', id);
	const { totalUrls, expiresAt } = record;
	const json = { fileName, id, status, totalUrls, creditsUsed, expiresAt };
	if (asText) return { json: { query, report: text, ...json } };
	const file = { field: 'data', fileName, mimeType: 'text/markdown', text };
	return { json: { query, ...json }, files: [file] };
}

function toItems(job: JobRecord, choice: string, asText: boolean): ItemDraft[] {
	const sentQuery = job.sent?.query;
	const record = readResearch(job.body);
	const finished: Finished = {
		id: job.id,
		query: typeof sentQuery === 'string' ? sentQuery : null,
		status: job.state,
		creditsUsed: creditsOf(job.body, record),
		record,
		remarks: remarksOf(job.body),
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

/** Such a job ends as completed, like any other (recordings dr26-13 and dr26-17). */
function remarks(body: JsonObject): string[] {
	const { sources, finalAnalysis, json } = readResearch(body);
	const isBlank = finalAnalysis === '' && json === null;
	if (sources.length > 0) return isBlank ? ['wrote no analysis'] : [];
	return [isBlank ? 'found no sources and wrote no analysis' : 'found no sources: its analysis rests on none'];
}

/** Converts research jobs to items: shared by Start and Get. */
export const researchResult: JobResult = {
	toItems,
	remarks,
	toStartedItem: (id, sent) => ({ id, query: sent.query as string }),
	usage: (body) => {
		const record = readResearch(body);
		const { totalUrls: amount, expiresAt } = record;
		return { amount, credits: creditsOf(body, record), expiresAt: expiresAt ?? undefined };
	},
	collectWith: 'Deep Research · Get',
	usageUnit: ['URL analysed', 'URLs analysed'],
};
