import type { INodeProperties } from 'n8n-workflow';
import { filePrice } from '../../cost/prices';
import { additionalFields, auditMetadata, binaryFile, costLimits, rareOptions } from '../../fields/basic';
import { choiceField, choicesField } from '../../fields/field';
import { fileFormats } from '../../fields/formats';
import { fromCharacter, maxPageCharacters } from '../../fields/job/pages';
import { parsers } from '../../fields/scrape/parsers';
import {
	blockAds,
	checkPromptInjection,
	excludeTags,
	headers,
	includeTags,
	onlyMainContent,
	redactPersonalData,
	removeBase64Images,
	scrapeOptionList,
	skipTlsVerification,
	zeroDataRetention,
} from '../../fields/scrape/scrapeOptions';
import type { CallAnswer, CallOperation, Explained, ItemDraft, Resource, SentFile } from '../../operation/operation';
import { filesToStore, partsOfPage } from '../../operation/pages';
import { pageTextBound, withinBound } from '../../operation/pageText';
import { checkedPage, valueCheckOf } from '../../operation/valueCheck';
import { pageIn, pageOfAnswer, scrapeIdOf, scrapedUsage, webPageJson } from '../../operation/webPage';
import { isJsonObject } from '../../service/http/answer';
import { shorten } from '../../service/http/failure';
import type { ServiceFailure } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';

const OFFICE = 'application/vnd.openxmlformats-officedocument.';
const OPEN = 'application/vnd.oasis.opendocument.';

/**
 * The kinds of files that the service reads (recording parse-24), with the media type that each is sent
 * with: the type decides before the name does (recording parse-28).
 */
export const FILE_TYPES: Readonly<Record<string, string>> = {
	html: 'text/html',
	htm: 'text/html',
	xhtml: 'application/xhtml+xml',
	pdf: 'application/pdf',
	docx: `${OFFICE}wordprocessingml.document`,
	doc: 'application/msword',
	docm: 'application/vnd.ms-word.document.macroenabled.12',
	odt: `${OPEN}text`,
	ods: `${OPEN}spreadsheet`,
	odp: `${OPEN}presentation`,
	rtf: 'application/rtf',
	xlsx: `${OFFICE}spreadsheetml.sheet`,
	xls: 'application/vnd.ms-excel',
	xlsm: 'application/vnd.ms-excel.sheet.macroenabled.12',
	xlsb: 'application/vnd.ms-excel.sheet.binary.macroenabled.12',
	pptx: `${OFFICE}presentationml.presentation`,
	ppt: 'application/vnd.ms-powerpoint',
	pptm: 'application/vnd.ms-powerpoint.presentation.macroenabled.12',
	epub: 'application/epub+zip',
	csv: 'text/csv',
};

/** Time that the service has for a file when none is sent (shape `parseOptions`). */
const DEFAULT_TIMEOUT_MS = 30_000;

const timeout: INodeProperties = {
	displayName: 'Timeout (Milliseconds)',
	// Of pages it has another default, so it is another option of the panel.
	name: 'fileTimeout',
	type: 'number',
	typeOptions: { minValue: 1000, maxValue: 300_000, numberPrecision: 0 },
	default: DEFAULT_TIMEOUT_MS,
	description: 'How long Firecrawl may take for a file, 1000 to 300000. Raise it for long PDF files.',
	routing: { send: { type: 'body', property: 'timeout' } },
};

const proxy: INodeProperties = choiceField(
	'fileProxy',
	'Proxy',
	'auto',
	'Which kind of proxy to use for what the file links to',
	[
		['Automatic', 'auto'],
		['Basic', 'basic'],
	],
	{ send: 'proxy' },
);

/** Read by filesToStore in operation/pages.ts. */
const storeAsFiles: INodeProperties = choicesField(
	'storeTextAsFiles',
	'Store as Files',
	['markdown'],
	'What to return as binary files instead of JSON fields. The formats needed are requested automatically.',
	[
		['HTML', 'html', 'In the binary field html'],
		['Markdown', 'markdown', 'In the binary field markdown'],
		['Raw HTML', 'rawHtml', 'In the binary field rawHtml'],
	],
	{ send: false },
);

/** Every option of shape `parseOptions` but the formats, those that people need most first. */
const parseOptions: INodeProperties = scrapeOptionList(
	onlyMainContent,
	includeTags,
	excludeTags,
	headers,
	blockAds,
	parsers,
	timeout,
	proxy,
	checkPromptInjection,
	storeAsFiles,
	maxPageCharacters,
	fromCharacter,
	...costLimits,
	rareOptions(skipTlsVerification, removeBase64Images, redactPersonalData, zeroDataRetention, auditMetadata),
	additionalFields,
);

const documentOutput: INodeProperties = choiceField(
	'output',
	'Output',
	'simplified',
	'What to return for each file',
	[
		['Full Document', 'fullDocument', 'The same with all metadata of the file'],
		['Simplified', 'simplified', 'File name, title, description, the content you asked for, credits'],
	],
	{ send: false },
);

/**
 * The file of an answer as one item: what a page puts out, below the name that the file has in n8n, since
 * the service knows it by another one.
 */
function toFileItems({ body, sent, values, file, asText }: CallAnswer): ItemDraft[] | undefined {
	const found = pageOfAnswer(body);
	if (!found) return undefined;
	const detail = values.output === 'fullDocument' ? 'fullDocument' : 'simplified';
	const { page, checked } = checkedPage(found, valueCheckOf(values, sent), detail);
	const { fileName = '', binaryField = '' } = file ?? {};
	const form = { stored: filesToStore(values), asText };
	const { kept, ...files } = partsOfPage(page, form, fileName.replace(/\.[^.]*$/, ''));
	const json = withinBound(webPageJson(kept, detail, ''), pageTextBound(values, asText));
	return [{ json: { fileName, binaryField, ...json }, ...files, ...(checked && { checked: [checked] }) }];
}

const MAX_FORMATS = 500;

/** The media types by extension that the service's list says it takes (docs/reference/service-notes.md#kinds-of-files). */
function availableTypes({ data }: JsonObject): Record<string, string> {
	const { formats } = isJsonObject(data) ? data : {};
	const listed = Array.isArray(formats) ? formats.filter(isJsonObject).slice(0, MAX_FORMATS) : [];
	const taken = listed.filter(({ available }) => available === true);
	const types = taken.flatMap(({ extensions, mimeTypes }) => {
		const [type] = Array.isArray(mimeTypes) ? mimeTypes.filter(isMediaType) : [];
		const names = Array.isArray(extensions) ? extensions.filter(isExtension) : [];
		return type === undefined ? [] : names.map((name): [string, string] => [name.slice(1).toLowerCase(), type]);
	});
	return Object.fromEntries(types);
}

const isMediaType = (value: unknown): value is string =>
	typeof value === 'string' && /^[\w.+-]{1,80}\/[\w.+-]{1,120}$/.test(value);
const isExtension = (value: unknown): value is string => typeof value === 'string' && /^\.\w{1,16}$/.test(value);

/** Refusals that are about the account, whatever was sent. */
const OF_ACCOUNT = [401, 402, 403, 429];

/** The service says the same of a file as of a page that it cannot fetch (recordings parse-16, parse-23). */
const NOT_READABLE = 'SCRAPE_ALL_ENGINES_FAILED';

/**
 * The reason why a file has no result, by its name, since an item may have several. It is sent once: whether it may
 * have been read, and paid for, is for a person to know.
 */
function whyUnread(
	{ kind, message, httpCode, mayHaveExecuted }: ServiceFailure,
	file: SentFile | undefined,
	sent: JsonObject,
): Explained | undefined {
	const isUnsent = httpCode === undefined && !mayHaveExecuted;
	if (!file || isUnsent || OF_ACCOUNT.includes(httpCode ?? 0)) return undefined;
	const title = `No result for "${shorten(file.fileName, 120)}"`;
	const told = (reason: string) => ({
		title: shorten(title, 140),
		message: `${title}: ${reason}`,
	});
	if (message.includes(NOT_READABLE)) {
		const options = rarePdfOptions(sent);
		const isFile = 'may be broken, protected by a password, or not what its name says.';
		if (options === '') return told(`the service could not read it (${NOT_READABLE}). It ${isFile}`);
		return told(
			`the service could not read it (${NOT_READABLE}). This server may not be able to do ${options} of PDF Options: remove them and run it again. If that does not help, the file ${isFile}`,
		);
	}
	const isUnclear = mayHaveExecuted && kind !== 'http';
	const doubt = ' It may have arrived, and may be paid for, so it was not sent again.';
	return told(`${message}${isUnclear ? doubt : ''}`);
}

/** Options that only some servers have for PDF files; others answer as if they could not read the file. */
const RARE_PDF_OPTIONS = {
	pages: 'Markdown by Page',
	blocks: 'Layout Blocks',
	pageMarkers: 'Page Markers',
};

/** Names of those that were asked for; empty without any. */
function rarePdfOptions({ parsers }: JsonObject): string {
	const asked = Array.isArray(parsers) ? parsers.filter(isJsonObject) : [];
	const names = Object.entries(RARE_PDF_OPTIONS)
		.filter(([option]) => asked.some((parser) => parser[option] === true))
		.map(([, name]) => name);
	return names.join(' and ');
}

/** The service's own time-out must come first: its answer says what happened. */
const SPARE_MS = 30_000;

const parseFile: CallOperation = {
	kind: 'call',
	value: 'parseFile',
	name: 'Parse File',
	action: 'Convert file to text or data',
	description: 'Turn a PDF, Word, Excel, HTML or other file into clean Markdown or structured data',
	request: { method: 'POST', path: '/v2/parse', bucket: 'scrape' },
	upload: {
		parts: { file: 'file', body: 'options' },
		types: FILE_TYPES,
		newer: {
			request: { method: 'GET', path: '/v2/parse/formats', bucket: 'other' },
			typesOf: availableTypes,
		},
		maxBytes: 50 * 1024 * 1024,
	},
	explain: (failure, _values, file, sent) => whyUnread(failure, file, sent),
	timeoutMs: ({ timeout }) => (typeof timeout === 'number' ? timeout : DEFAULT_TIMEOUT_MS) + SPARE_MS,
	toItems: toFileItems,
	usage: scrapedUsage('file'),
	pagesOf: pageIn,
	worstCase: filePrice,
	recall: {
		idOf: scrapeIdOf,
		request: { method: 'GET', path: '/v2/scrape/{id}', bucket: 'crawlStatus' },
		collectWith: 'Page · Get',
	},
	fields: [...binaryFile, ...fileFormats(), documentOutput, parseOptions],
};

export const parse: Resource = {
	value: 'parse',
	name: 'Parse',
	description: 'Turn files that you have into Markdown: PDF, Word, Excel, HTML and more',
	operations: [parseFile],
	defaultOperation: 'parseFile',
};
