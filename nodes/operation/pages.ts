import type { IDataObject } from 'n8n-workflow';
import { isJsonObject, readErrorText } from '../service/http/answer';
import type { JsonObject } from '../service/http/transport';
import { readPageErrors, readWarnings } from '../service/results/pageErrors';
import type { PageError } from '../service/results/pageErrors';
import { keyOf } from '../text/addresses';
import { withoutDataUris } from '../text/dataUris';
import { trimEnd, trimEnds } from '../text/ends';
import type { FileDraft, JobRecord, PageForm, PagesResult } from './operation';
import { withinBound } from './pageText';
import { addressOfPage, longFieldsLast, readCredits, webPageJson } from './webPage';

const TEXT_KINDS = [
	{ kind: 'markdown', extension: 'md', mimeType: 'text/markdown' },
	{ kind: 'html', extension: 'html', mimeType: 'text/html' },
	{ kind: 'rawHtml', extension: 'raw.html', mimeType: 'text/html' },
];

/** First characters of base64 data, and what they tell. */
const SIGNATURES = [
	{ start: 'iVBORw0KGgo', extension: 'png', mimeType: 'image/png' },
	{ start: '/9j/', extension: 'jpg', mimeType: 'image/jpeg' },
	{ start: 'UklGR', extension: 'webp', mimeType: 'image/webp' },
	{ start: 'JVBERi0', extension: 'pdf', mimeType: 'application/pdf' },
];

/** The files of a page, and the page without what they hold. */
interface PageParts {
	files: FileDraft[];
	kept: JsonObject;
	/** Kinds of files that were wanted and that the page has not; that it is no PDF file is no lack. */
	lacking?: string[];
}

/**
 * Names of the files to store, as the user chose them (fields/job/pages.ts): in the options of pages, or
 * of a Get, which has no others. Of a file that is parsed they are texts only (resources/parse).
 */
export function filesToStore({ options, scrapeOptions }: JsonObject): string[] {
	const files: string[] = [];
	for (const chosen of [scrapeOptions, options]) {
		if (!isJsonObject(chosen)) continue;
		for (const names of [chosen.storeAsFiles, chosen.storeTextAsFiles]) {
			if (Array.isArray(names)) files.push(...names.map(String));
		}
	}
	return files;
}

/**
 * Takes the files that are wanted out of a page. Links stay in it: they are short, and tell where a file
 * came from. `address` gives the files their names. An AI agent gets neither files nor their data.
 */
export function partsOfPage(
	page: JsonObject,
	{ stored, asText }: Pick<PageForm, 'stored' | 'asText'>,
	address: string,
): PageParts {
	if (asText) return { files: [], kept: withoutData(page) };
	return stored.length === 0 ? { files: [], kept: page } : filesOfPage(page, stored, address);
}

function filesOfPage(page: JsonObject, wanted: string[], address: string): PageParts {
	const files: FileDraft[] = [];
	const kept: JsonObject = { ...page };
	const name = fileNameOf(address);
	const actions = isJsonObject(page.actions) ? { ...page.actions } : undefined;
	const add = (field: string, content: unknown, usualExtension: string) => {
		const file = dataFile(content, usualExtension);
		if (!file) return content;
		const { extension, ...rest } = file;
		const label = field === 'screenshot' || field === 'pdf' ? name : `${name}-${field}`;
		files.push({ field, fileName: named(label, extension), ...rest });
		return 'url' in rest ? content : undefined;
	};
	if (wanted.includes('screenshot')) {
		kept.screenshot = add('screenshot', page.screenshot, 'png');
		if (actions) actions.screenshots = addAll(add, 'screenshot', actions.screenshots, 'png');
	}
	if (wanted.includes('pdf')) {
		const unparsed = TEXT_KINDS.map(({ kind }) => kind).filter((kind) => isPdfData(page[kind]));
		if (unparsed[0] !== undefined) add('pdf', page[unparsed[0]], 'pdf');
		for (const kind of unparsed) kept[kind] = undefined;
		if (actions) actions.pdfs = addAll(add, 'pdf', actions.pdfs, 'pdf');
	}
	for (const { kind, extension, mimeType } of TEXT_KINDS) {
		const text = kept[kind];
		if (!wanted.includes(kind) || typeof text !== 'string' || text === '') continue;
		const as = kind === 'rawHtml' ? kindOfRaw(text) : { extension, mimeType };
		files.push({
			field: kind,
			fileName: named(name, as.extension),
			mimeType: as.mimeType,
			text,
		});
		kept[kind] = undefined;
	}
	if (actions) kept.actions = actions;
	const lacking = wanted.filter((kind) => kind !== 'pdf' && !files.some(isOf(kind)));
	return { files, kept, ...(lacking.length > 0 && { lacking }) };
}

/** Files of actions are numbered: `screenshot_1`. */
const isOf =
	(kind: string) =>
	({ field }: FileDraft): boolean =>
		field === kind || field.startsWith(`${kind}_`);

/** The page without base64 data, which an AI agent cannot read and pays for by the letter. */
export function withoutData(page: JsonObject): JsonObject {
	const kept = Object.entries(page).map(([name, value]) => [
		name,
		name === 'rawBase64' ? '(Base64 data, left out)' : textOnly(value),
	]);
	return Object.fromEntries(kept) as JsonObject;
}

function textOnly(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(textOnly);
	if (isJsonObject(value)) return withoutData(value);
	const file = dataFile(value, '');
	if (file && 'base64' in file) return `(${file.mimeType}, left out)`;
	// A picture in a text goes before the text is cut: it may be longer than what is kept.
	return typeof value === 'string' ? withoutDataUris(value) : value;
}

function addAll(
	add: (field: string, content: unknown, extension: string) => unknown,
	field: string,
	contents: unknown,
	extension: string,
): unknown {
	if (!Array.isArray(contents)) return contents;
	return contents.map((content, index) => add(`${field}_${index + 1}`, content, extension) ?? null);
}

type DataFile = { extension: string; mimeType: string } & ({ base64: string } | { url: string });

/** A link, a data URI or bare base64 data as a file; undefined for any other text. */
function dataFile(content: unknown, usualExtension: string): DataFile | undefined {
	if (typeof content !== 'string') return undefined;
	if (usualExtension !== '' && /^https?:\/\//i.test(content) && URL.canParse(content)) {
		const { extension, mimeType } = typeByExtension(new URL(content).pathname, usualExtension);
		return { extension, mimeType, url: content };
	}
	const base64 = /^data:[^,]*;base64,/i.test(content.slice(0, 200)) ? content.slice(content.indexOf(',') + 1) : content;
	const found = SIGNATURES.find(({ start }) => base64.startsWith(start));
	return found && { extension: found.extension, mimeType: found.mimeType, base64 };
}

function typeByExtension(path: string, usualExtension: string) {
	const extension = /\.(png|jpe?g|webp|pdf)$/i.exec(path)?.[1]?.toLowerCase() ?? usualExtension;
	const known = SIGNATURES.find((one) => one.extension === extension.replace('jpeg', 'jpg'));
	return { extension, mimeType: known?.mimeType ?? 'application/octet-stream' };
}

/** An unparsed PDF file comes as base64 where the text would be (shape `parser`, empty list). */
function isPdfData(content: unknown): boolean {
	const file = dataFile(content, '');
	return file?.extension === 'pdf';
}

/** The name with its extension, which an address may have already: `report.pdf` stays that. */
function named(name: string, extension: string): string {
	const ending = `.${extension.split('.').pop()}`;
	const stem = name.toLowerCase().endsWith(ending) ? name.slice(0, -ending.length) : name;
	return `${stem}.${extension}`;
}

/** Most characters of a name, without its extension. */
const LONGEST_NAME = 80;

/**
 * `https://example.com/docs/a-b` as `example.com_docs_a-b`: the same in every run, and a different one for
 * each address. Where characters were replaced or the end was cut, a short hash keeps it distinct.
 */
function fileNameOf(address: string): string {
	const whole = trimEnd(address.replace(/^[a-z]+:\/\//i, ''), /[/#?]/);
	const words = whole
		.split('/')
		.map((part) => decoded(part).replace(/[^\p{L}\p{N}.-]+/gu, '-'))
		.join('_');
	const short = trimEnds(words.slice(0, LONGEST_NAME).replace(/\p{Surrogate}/gu, ''), /[-_.]/);
	const isWhole = short === whole.split('/').map(decoded).join('_') && !whole.includes('_');
	return isWhole ? short : `${short === '' ? 'page' : short}-${keyOf(whole).split('-')[1]}`;
}

function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

/** The kind of a content that comes as raw HTML and is none: a feed, data or plain text, by how it begins. */
function kindOfRaw(text: string): Pick<(typeof TEXT_KINDS)[number], 'extension' | 'mimeType'> {
	const start = text.slice(0, 2_000).trimStart();
	if (/^<(\?xml|rss|feed|urlset)\b(?![^]*<html)/i.test(start)) {
		return { extension: 'xml', mimeType: 'application/xml' };
	}
	if (/^[[{]/.test(start) && !/<\w/.test(start)) {
		return { extension: 'json', mimeType: 'application/json' };
	}
	return /<[a-z!]/i.test(start)
		? { extension: 'raw.html', mimeType: 'text/html' }
		: { extension: 'txt', mimeType: 'text/plain' };
}

/** Fields of a job's status (shape `crawlJob`) that are worth an item; some only newer servers have. */
const STATUS_FIELDS = ['total', 'completed', 'creditsUsed', 'createdAt', 'completedAt', 'duration', 'expiresAt'];

/**
 * The job as JSON. A price below zero is the service's word for unknown (docs/reference/service-notes.md#prices);
 * `pagesCost` is what its pages say that they cost, where all of them were read: that of a part is not its price.
 */
function statusJson({ id, state, body }: JobRecord, pagesCost?: number): IDataObject {
	const status: JsonObject = { ...body, creditsUsed: readCredits(body) ?? pagesCost };
	const known = STATUS_FIELDS.filter((name) => status[name] !== undefined && status[name] !== null);
	const reason = readErrorText(body);
	const warnings = readWarnings(body);
	return {
		id,
		status: state,
		...(reason !== '' && { reason }),
		...pick(status, known),
		...(warnings.length > 0 && { warnings }),
	};
}

function pick(from: JsonObject, names: string[]): IDataObject {
	return Object.fromEntries(names.map((name) => [name, from[name]])) as IDataObject;
}

/** Converts crawls and batch scrapes to items. `notes` are fields of the start's answer to hand on. */
export function pagesResult(collectWith: string, notes: string[]): PagesResult {
	return {
		toPageItem: (page, { id, state }, form) => {
			const { kept, ...files } = partsOfPage(page, form, addressOfPage(page));
			const json = withinBound(webPageJson(kept, form.detail), form.bound);
			return { json: { ...json, jobId: id, jobStatus: state }, ...files };
		},
		toFailedPageItem: ({ url, message, code, cause, id: scrapeId }, { id, state }) => {
			const page = { error: message, code, cause, metadata: { url, scrapeId } };
			return { json: { ...webPageJson(page, 'simplified'), jobId: id, jobStatus: state } };
		},
		toJobItem: (record, { pages, pagesCost, bound }, asText) => ({
			json: {
				...statusJson(record, pagesCost),
				...(pages && {
					pages: pages.map((page) =>
						longFieldsLast(withinBound(webPageJson(asText ? withoutData(page) : page, 'simplified'), bound)),
					),
				}),
			},
		}),
		toStartedItem: (id, sent, answer) => ({
			id,
			...pick(
				sent,
				['url', 'urls'].filter((name) => sent[name] !== undefined),
			),
			...pick(
				answer,
				notes.filter((name) => answer[name] !== undefined),
			),
		}),
		usage: (body) => ({
			amount: typeof body.completed === 'number' ? body.completed : 0,
			credits: readCredits(body),
			expiresAt: typeof body.expiresAt === 'string' ? body.expiresAt : undefined,
		}),
		collectWith,
		usageUnit: ['page', 'pages'],
	};
}

/** One item for each page that a job failed on. */
export function pageErrorItems(jobId: string, answer: JsonObject): IDataObject[] | undefined {
	return readPageErrors(answer)?.map((error: PageError) => ({ jobId, ...error }));
}
