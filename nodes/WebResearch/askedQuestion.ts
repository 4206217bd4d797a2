import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { PROVIDER_HOSTS, pagePrice, searchPrice } from '../cost/prices';
import { TWO_TIME_FILTERS } from '../fields/timeFilter';
import type { JsonWish, PreferredSources, ResearchQuestion } from '../research/contract/question';
import { readItem } from '../run/input/readFields';
import { memoryTableOf } from '../run/memory/memory';
import { isJsonObject } from '../service/http/answer';
import { refusedInput } from '../service/http/failure';
import type { JsonObject } from '../service/http/transport';
import { keyOf } from '../text/addresses';
import { dayIn } from '../text/values';
import { readAskedRow } from './rows/askedRow';
import type { AskedRow } from './rows/askedRow';

/** Results of one search: more cost more, and the best pages are among the first. */
const RESULTS = 10;

const DEFAULTS = {
	maxUrls: 20,
	maxDepth: 3,
	timeLimit: 300,
	pagesPerSite: 2,
	modelCallsAtOnce: 5,
};

/** A table has many rows: each is cheaper and shorter than a question. */
const ROW_DEFAULTS = { ...DEFAULTS, maxUrls: 6, maxDepth: 2, timeLimit: 90 };

/** One item's question, and how its searches and pages are asked for. Plain JSON, since it is kept with the execution. */
export interface AskedQuestion {
	question: ResearchQuestion;
	output: string;
	/** Parameters of Search Web, as its panel would hold them, but for the query. */
	search: JsonObject;
	/** Parameters of Page · Scrape, but for the address. */
	page: JsonObject;
	/** What it is made of: the options of a page, its parsers, and what a page costs besides those of a PDF file. */
	pageOptions: { scrapeOptions: JsonObject; parsers: JsonObject[]; otherCredits: number };
	maxCredits: number | undefined;
	/** The name of the history that the run is compared with; undefined where all is told. */
	history: string | undefined;
	/** The Data Table that histories are in. */
	memoryTable: string;
	/** Whether a run without news puts out its item. */
	tellsSilence: boolean;
	/** Whether all questions of the run are one report: not with outputs of an item for each claim, which hide the field. */
	oneReport: boolean;
	/** Costs that nobody can know before. */
	notCounted: string[];
	/** Where the columns of a row are filled instead. */
	row?: AskedRow;
	/** Where a text is checked instead, and whether sentences without a source are searched for. */
	check?: { text: string; searches: boolean };
}

/**
 * Reads and checks one item's parameters; `now`: milliseconds since 1970; `text`: the text that is checked instead of a
 * question. Throws a ServiceFailure of kind badInput.
 */
export function readQuestion(
	ctx: IExecuteFunctions,
	fields: INodeProperties[],
	item: number,
	now: number,
	text?: string,
): AskedQuestion {
	const timeZone = ctx.getTimezone();
	const { values, body } = readItem(ctx, fields, item);
	const row = values.operation === 'fillColumns' ? readAskedRow(values, givenOf(ctx, item)) : undefined;
	const byDefault = row ? ROW_DEFAULTS : DEFAULTS;
	const query = row?.row.subject ?? (text === undefined ? textOf(values.query) : `text ${keyOf(text)}`);
	const options = isJsonObject(values.options) ? values.options : {};
	const formats = listOf(values.analysisFormats);
	const jsonOptions = isJsonObject(values.jsonOptions) ? values.jsonOptions : {};
	const wantsJson = formats.includes('json');
	const search = searchParameters(options);
	const given: unknown = ctx.getNodeParameter('scrapeOptions', item, {});
	const scrapeOptions = isJsonObject(given) ? given : {};
	const parsers = parsersOf(body);
	const { credits: pageCredits, notCounted } = pagePrice({ ...body, parsers });
	const pdfCredits = Number(parsers.find(isPdf)?.maxPages ?? 0);
	const maxCredits = numberOf(options.maxCredits);
	const excludedForPrice = tooDearDomains(options, maxCredits);
	return {
		output: textOf(values.output),
		search,
		page: pageParameters(scrapeOptions, parsers),
		pageOptions: { scrapeOptions, parsers, otherCredits: pageCredits - pdfCredits },
		maxCredits,
		// The rows of a table are known by the node: each has a name of its own in the history.
		history: values.report === 'news' ? textOf(values.historyName) || (row ? '' : query) : undefined,
		memoryTable: memoryTableOf(values.memoryTable),
		tellsSilence: values.whenNothingNew === 'item',
		oneReport: values.oneReport === true,
		notCounted,
		...(row && { row }),
		...(text !== undefined && { check: { text, searches: values.withoutSource === 'search' } }),
		question: {
			query,
			today: dayIn(now, timeZone),
			timeZone,
			maxRounds: numberOf(options.maxDepth) ?? byDefault.maxDepth,
			timeLimitMs: (numberOf(options.timeLimit) ?? byDefault.timeLimit) * 1000,
			maxPages: numberOf(options.maxUrls) ?? byDefault.maxUrls,
			pagesPerSite: numberOf(options.pagesPerSite) ?? DEFAULTS.pagesPerSite,
			firstPages: listOf(options.firstPages),
			includeDomains: listOf(options.includeDomains),
			excludeDomains: [...listOf(options.excludeDomains), ...excludedForPrice],
			excludedForPrice,
			prefer: preferredOf(options.prefer),
			maxTokens: numberOf(options.maxTokens),
			maxCredits,
			searchCredits: searchPrice({ limit: RESULTS, sources: search.sources }).credits,
			pageCredits,
			leastPageCredits: pagePrice({ ...body, parsers: [] }).credits,
			concurrentModelCalls: numberOf(options.modelCallsAtOnce) ?? DEFAULTS.modelCallsAtOnce,
			analysisPrompt: together(options.analysisPrompt, wantsJson && jsonOptions.prompt),
			systemPrompt: together(options.systemPrompt, wantsJson && jsonOptions.systemPrompt),
			...(wantsJson && { json: jsonWish(jsonOptions) }),
			wantsReport: !wantsJson || formats.includes('markdown'),
			verification: options.verification === 'quotes' ? 'quotes' : 'support',
			unsupportedClaims: options.unsupportedClaims === 'mark' ? 'mark' : 'leaveOut',
			unprovenValues: jsonOptions.unprovenValues === 'keep' ? 'keep' : 'leaveOut',
		},
	};
}

function preferredOf(choice: unknown): PreferredSources {
	return choice === 'news' || choice === 'official' || choice === 'research' ? choice : 'none';
}

function givenOf(ctx: IExecuteFunctions, item: number): JsonObject {
	return ctx.getInputData()[item]?.json ?? {};
}

/** Parameters of Page · Scrape for a page that may cost so many credits: of a PDF file, fewer pages are read. */
export function pageFor({ pageOptions }: AskedQuestion, credits: number): JsonObject {
	const { scrapeOptions, parsers, otherCredits } = pageOptions;
	return pageParameters(scrapeOptions, parsers, Math.max(1, credits - otherCredits));
}

/** The most that the page at this address can cost; Infinity where nobody knows that before. */
export function pageCreditsAt({ question: { pageCredits }, pageOptions }: AskedQuestion, address: string): number {
	const { otherCredits } = pageOptions;
	const pages = pagePrice({ parsers: [{ type: 'pdf', maxPages: pageCredits - otherCredits }] }, address);
	return Math.max(pageCredits, pages.credits + otherCredits);
}

/** Pages of a PDF file that are read unless the user says otherwise: each costs a credit. */
const PDF_PAGES = 10;

/** The parsers as they are sent, each of PDF files with a limit of pages. */
function parsersOf({ parsers: sent }: JsonObject): JsonObject[] {
	const own: unknown[] = Array.isArray(sent) ? sent : ['pdf'];
	return own
		.map((one) => (isJsonObject(one) ? one : { type: one }))
		.map((parser) => (isPdf(parser) ? { maxPages: PDF_PAGES, ...parser } : parser));
}

function isPdf({ type }: JsonObject): boolean {
	return type === 'pdf';
}

/** Parameters of Page · Scrape, as its panel would hold them, with so many pages of a PDF file at most. */
function pageParameters(scrapeOptions: JsonObject, parsers: readonly JsonObject[], pdfPages = Infinity): JsonObject {
	const parser = parsers.map(({ type, ...options }) =>
		isPdf({ type })
			? { type, pdfOptions: { ...options, maxPages: Math.min(Number(options.maxPages), pdfPages) } }
			: { type },
	);
	// In full detail, for the date of the page.
	return { output: 'fullDocument', scrapeOptions: { ...scrapeOptions, parsers: { parser } } };
}

/** A page of X costs 30 credits, one of a paid provider what nobody knows: none is read under a cap, unless asked for. */
function tooDearDomains({ includeDomains }: JsonObject, maxCredits?: number): string[] {
	const isCapped = maxCredits !== undefined && listOf(includeDomains).length === 0;
	return isCapped ? ['x.com', 'twitter.com', ...PROVIDER_HOSTS] : [];
}

/** The service takes domains to include or to leave out, not both; research itself keeps to both. */
function searchParameters(options: JsonObject): JsonObject {
	const { tbs, publishedBetween, country, location, includeDomains, excludeDomains } = options;
	const hasDays = isJsonObject(publishedBetween) && Object.keys(publishedBetween).length > 0;
	if (hasDays && textOf(tbs) !== '') throw refusedInput(TWO_TIME_FILTERS);
	const included = listOf(includeDomains);
	const excluded = listOf(excludeDomains);
	const sources = listOf(options.sources);
	return {
		sources: sources.length > 0 ? sources : ['web'],
		maxResults: RESULTS,
		output: 'list',
		options: {
			...(textOf(tbs) !== '' && { tbs }),
			...(isJsonObject(publishedBetween) && { publishedBetween }),
			...(textOf(country) !== '' && { country }),
			...(textOf(location) !== '' && { location }),
			...(included.length > 0 && { includeDomains: included }),
			...(included.length === 0 && excluded.length > 0 && { excludeDomains: excluded }),
		},
	};
}

function jsonWish({ schema, example }: JsonObject): JsonWish {
	const wanted = isJsonObject(schema) ? schema : example;
	return isJsonObject(wanted) ? { schema: wanted } : {};
}

function together(...texts: unknown[]): string {
	return texts
		.map(textOf)
		.filter((text) => text !== '')
		.join('\n');
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}

function numberOf(value: unknown): number | undefined {
	return typeof value === 'number' ? value : undefined;
}

function listOf(value: unknown): string[] {
	return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
