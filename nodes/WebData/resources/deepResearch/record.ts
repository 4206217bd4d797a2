import { isJsonObject } from '../../../service/http/answer';
import type { JsonObject } from '../../../service/http/transport';

/**
 * One page the research used. Servers give lists for title and description at times
 * (docs/service-notes.md#deep-research).
 */
export interface ResearchSource {
	title: string;
	url: string;
	description: string;
	icon: string;
}

/** One step the research logged. Unknown types and states are kept as they are. */
export interface ResearchActivity {
	type: string;
	status: string;
	message: string;
	timestamp: string;
	depth: number | null;
}

/** A research job, with the fields of docs/service-notes.md#deep-research. Null: the server did not say. */
export interface ResearchRecord {
	status: string | null;
	/** Text, or an object on servers that put the JSON output there (recording dr-06b). */
	finalAnalysis: unknown;
	json: unknown;
	sources: ResearchSource[];
	activities: ResearchActivity[];
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

function readSource(source: JsonObject): ResearchSource {
	return {
		title: readText(source.title),
		url: readText(source.url),
		description: readText(source.description),
		icon: readText(source.icon) || readText(source.favicon),
	};
}

function readActivity(activity: JsonObject): ResearchActivity {
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
	return right.find((value) => !isEmpty(value)) ?? right[0];
}

/** The objects of the first list that holds any. */
function findObjects(values: unknown[]): JsonObject[] {
	const lists = values.map((value) => (Array.isArray(value) ? value.filter(isJsonObject) : []));
	return lists.find((list) => list.length > 0) ?? [];
}

function isEmpty(value: unknown): boolean {
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
