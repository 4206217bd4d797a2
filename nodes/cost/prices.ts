import { isJsonObject } from '../service/http/answer';
import type { JsonObject } from '../service/http/transport';
import { counted } from '../text/amounts';
import { textOf } from '../text/values';

/** The most that one page can cost, and what it most likely does. */
interface PagePrice {
	credits: number;
	likely: number;
	notCounted: string[];
}

const PAGE = 1;
/** On a hit, beside the pages; a miss costs 1. */
const LOCKDOWN = 4;
const X_PAGE = 30;
/** The credits that a format adds; all others add nothing. Change tracking adds in one of its modes only. */
const FORMATS: Readonly<Record<string, number>> = {
	json: 4,
	// Where it writes a script; less where it has one.
	deterministicJson: 9,
	question: 4,
	highlights: 4,
	query: 4,
	audio: 4,
	video: 4,
};
const TRACKED_FIELDS = 4;
/** For each page, of a PDF file, too. */
const MASKING = 4;
const INJECTION_CHECK = 4;
const ZERO_RETENTION = 1;
const URL_SCAN = 2;

/**
 * The most that a page can cost with these scrape options (docs/reference/service-notes.md#prices; a cached page, a page
 * with an error and each proxy cost the same). `address` is empty where it is not known before.
 */
export function pagePrice(options: JsonObject, address = ''): PagePrice {
	const { lockdown, redactPII, zeroDataRetention, threatProtection } = options;
	const pdf = pdfPages(options.parsers);
	const masking = redactPII === undefined || redactPII === false ? 0 : MASKING;
	const additions = [
		...(Array.isArray(options.formats) ? options.formats.map(formatPrice) : []),
		lockdown === true ? LOCKDOWN : 0,
		isCheckedForInjection(options) ? INJECTION_CHECK : 0,
		zeroDataRetention === true ? ZERO_RETENTION : 0,
		scanPrice(threatProtection),
	];
	const added = additions.reduce((sum, price) => sum + price, 0);
	const creditsOf = (pages: number) =>
		isProviderRouted(address)
			? Infinity
			: Math.max(PAGE, isXAddress(address) ? X_PAGE : 0, pages) + masking * pages + added;
	const furtherPage = counted(PAGE + masking, 'credit');
	return {
		credits: creditsOf(pdf ?? PAGE),
		// Most pages are no PDF files.
		likely: creditsOf(IS_PDF.test(address) ? (pdf ?? PAGE) : PAGE),
		notCounted:
			pdf === undefined
				? [`the further pages of PDF files, ${furtherPage} each, unless the PDF parser has Max Pages`]
				: [],
	};
}

/** The address of a PDF file, as far as an address tells that. */
const IS_PDF = /\.pdf(?:$|[?#])/i;

/** Of the whole page, or of its JSON as older servers have it: once. */
function isCheckedForInjection({ checkPromptInjection, formats }: JsonObject): boolean {
	const all: unknown[] = Array.isArray(formats) ? formats : [];
	return checkPromptInjection === true || all.some((one) => isJsonObject(one) && one.checkPromptInjection === true);
}

/** The price of the scan of one URL with these settings; 0 when there are none. */
function scanPrice(threatProtection: unknown): number {
	if (!isJsonObject(threatProtection)) return 0;
	// Without a mode it is the account's own.
	const { mode = 'normal' } = threatProtection;
	return mode === 'normal' ? URL_SCAN : 0;
}

/**
 * An address of X or Twitter matches it: its host, or signs that may stand for it. Nearly no address does, which is
 * much sooner seen than parsed.
 */
const MAY_BE_X = /(x|twitter)\.com|[^!-$&-~]/i;

/** Whether the service takes the address for a page of X or Twitter. */
export function isXAddress(address: string): boolean {
	if (!MAY_BE_X.test(address) || !URL.canParse(address)) return false;
	return /(^|\.)(x|twitter)\.com$/.test(new URL(address).hostname);
}

/**
 * Sites that the service gives to paid data providers, whose price it names nowhere before
 * (docs/reference/service-notes.md#prices): people and companies of LinkedIn. The list is the service's own, and grows.
 */
const PROVIDER_ROUTED = [{ host: /(^|\.)linkedin\.com$/, path: /^\/(in|company)(\/|$)/i }];

/** Host names whose pages may have a price that nobody knows before. */
export const PROVIDER_HOSTS = ['linkedin.com'];

/** Whether the service gets the page from a paid data provider, so that its price has no bound. */
export function isProviderRouted(address: string): boolean {
	if (!/linkedin|[^!-$&-~]|%/i.test(address) || !URL.canParse(address)) return false;
	const { hostname, pathname } = new URL(address);
	return PROVIDER_ROUTED.some(({ host, path }) => host.test(hostname) && path.test(pathname));
}

/** The first address of a request whose price nobody knows before; undefined where there is none. */
export function unpricedAddress({ url, urls }: JsonObject): string | undefined {
	return [url, urls].flat().map(textOf).find(isProviderRouted);
}

function formatPrice(format: unknown): number {
	const type = isJsonObject(format) ? format.type : format;
	if (type === 'changeTracking' && isJsonObject(format)) {
		return Array.isArray(format.modes) && format.modes.includes('json') ? TRACKED_FIELDS : 0;
	}
	return typeof type === 'string' && Object.hasOwn(FORMATS, type) ? (FORMATS[type] ?? 0) : 0;
}

/** How many pages of a PDF file are read at most; undefined when there is no end to it. */
function pdfPages(parsers: unknown): number | undefined {
	if (!Array.isArray(parsers)) return undefined;
	const parser: unknown = parsers.find((one) => one === 'pdf' || (isJsonObject(one) && one.type === 'pdf'));
	if (parser === undefined) return PAGE;
	const { maxPages } = isJsonObject(parser) ? parser : {};
	return typeof maxPages === 'number' ? maxPages : undefined;
}

/** A part of a price: `100 pages × 5`, 500. */
export interface PricePart {
	what: string;
	credits: number;
}

/** The most that one request can cost (docs/reference/service-notes.md#prices). */
export interface WorstCase {
	/** In credits. Infinity where the service sets no bound unless it is given one. */
	credits: number;
	/** What it most likely costs where all goes well; Infinity where nobody can say. */
	likely: number;
	/** What the credits are for; together they are `credits`. */
	parts: PricePart[];
	/** The parameters that lower it, as the panel calls them: `Page Limit`. */
	lower: string[];
	/** The parameter with the list that each entry of is paid for; it can be made shorter where it is typed: `URLs`. */
	list?: string;
	/** Costs that nobody can know before, and that are not in `credits`. Completes "It does not count …". */
	notCounted: string[];
}

/** Limits that the service sets when a request names none (docs/reference/service-notes.md#prices). */
const CRAWL_PAGES = 10_000;
const MAP_URLS = 5_000;
const HITS = 10;
const RESEARCH_URLS = 20;
const LLMS_TXT_PAGES = 10;

const SEARCH_PRICE = 2;
const ZERO_RETENTION_SEARCH_PRICE = 10;
const HITS_FOR_THE_PRICE = 10;

/** Options that make a page dearer, as the panel calls them. */
const PAGE_OPTIONS = ['formats and scrape options that cost more'];

/** A file that is parsed. */
export function filePrice(sent: JsonObject): WorstCase {
	const { credits, likely, notCounted } = pagePrice(sent);
	return { ...fixed(credits, '1 file', ...(credits > 1 ? PAGE_OPTIONS : [])), likely, notCounted };
}

/** A scrape: one page. */
export function scrapePrice(sent: JsonObject): WorstCase {
	return pages([textOf(sent.url)], sent);
}

/** A batch: each of its pages. */
export function batchPrice(sent: JsonObject): WorstCase {
	const urls = Array.isArray(sent.urls) ? sent.urls : [sent.urls];
	return { ...pages(urls.map(textOf), sent), list: 'URLs' };
}

/** A crawl: as many pages as it may have. */
export function crawlPrice(sent: JsonObject): WorstCase {
	const { scrapeOptions, limit, url, zeroDataRetention, allowExternalLinks } = sent;
	const options: JsonObject = { zeroDataRetention, ...(isJsonObject(scrapeOptions) && scrapeOptions) };
	const address = textOf(url);
	const { credits, likely, notCounted } = pagePrice(options, address);
	const most = numberOf(limit, CRAWL_PAGES);
	return {
		credits: most * credits,
		likely: most * likely,
		parts: [times(most, 'page', credits)],
		lower: ['Page Limit', ...(credits > 1 ? PAGE_OPTIONS : [])],
		notCounted: [
			...notCounted,
			...(allowExternalLinks === true && !isXAddress(address) ? [DEAR_ELSEWHERE] : []),
			...(scanPrice(options.threatProtection) > 0 ? [BLOCKED_LINKS] : []),
		],
	};
}

/** A map: one price whatever its size, and the scan of each URL that it finds. */
export function mapPrice({ threatProtection, limit }: JsonObject): WorstCase {
	const scan = scanPrice(threatProtection);
	const scans = scan * (scan > 0 ? 1 + numberOf(limit, MAP_URLS) : 0);
	return {
		credits: 1 + scans,
		likely: 1 + scans,
		parts: [{ what: '1 map', credits: 1 }, ...(scans > 0 ? [{ what: scansText(scans), credits: scans }] : [])],
		lower: scans > 0 ? ['Limit'] : [],
		notCounted: [],
	};
}

/** The most that a search can cost: its hits in tens, and the pages of all of them where they are scraped. */
export function searchPrice(sent: JsonObject): WorstCase {
	const { limit, sources, scrapeOptions, enterprise, threatProtection } = sent;
	const sourceCount = Array.isArray(sources) ? Math.max(1, sources.length) : 1;
	const most = numberOf(limit, HITS);
	const isZeroRetention = Array.isArray(enterprise) && enterprise.includes('zdr');
	const price = isZeroRetention ? ZERO_RETENTION_SEARCH_PRICE : SEARCH_PRICE;
	const search = sourceCount * tens(most) * price;
	const hits = sourceCount * most;
	const scan = hits * scanPrice(threatProtection);
	// Without formats nothing is scraped.
	const isScraped =
		isJsonObject(scrapeOptions) && Array.isArray(scrapeOptions.formats) && scrapeOptions.formats.length > 0;
	const page = isScraped ? pagePrice(scrapeOptions) : undefined;
	return {
		credits: search + scan + hits * (page?.credits ?? 0),
		likely: search + scan + hits * (page?.likely ?? 0),
		parts: [
			{ what: `${counted(search, 'credit')} for ${counted(hits, 'hit')}`, credits: search },
			...(page ? [times(hits, 'page', page.credits)] : []),
			...(scan > 0 ? [{ what: scansText(scan), credits: scan }] : []),
		],
		lower: ['Max Results per Source', ...(page ? ['With Page Content'] : [])],
		notCounted: page ? [...page.notCounted, DEAR_ELSEWHERE] : [],
	};
}

/** A search of the developer index or of the government index: its hits in tens. */
export function indexSearchPrice(sent: JsonObject): WorstCase {
	const hits = numberOf(sent.k, HITS);
	return fixed(tens(hits) * SEARCH_PRICE, counted(hits, 'hit'), 'Max Results');
}

/** A research: each URL that it analyses. */
export function researchPrice(sent: JsonObject): WorstCase {
	const urls = numberOf(sent.maxUrls, RESEARCH_URLS);
	return fixed(urls, counted(urls, 'URL'), 'Max URLs');
}

/** A llms.txt: each page of the site that it reads. */
export function llmsTxtPrice({ maxUrls }: JsonObject): WorstCase {
	const most = numberOf(maxUrls, LLMS_TXT_PAGES);
	return fixed(most, counted(most, 'page'), 'Max Pages');
}

/** A run of the agent: as much as its own cap allows, since nobody knows what it will do. */
export function agentPrice({ maxCredits, exchange }: JsonObject): WorstCase {
	return {
		...fixed(numberOf(maxCredits, Infinity), 'its own Max Credits', 'Max Credits of the agent'),
		notCounted: exchange === undefined ? [] : ['what paid data providers cost the agent, before it has reported that'],
	};
}

/** An extract is paid by its tokens, of which nobody knows how many there will be. */
export function extractPrice(): WorstCase {
	return fixed(Infinity, '1 credit for 15 tokens');
}

/**
 * A call of a data tool, by the price that the catalogue names: for the call, or for each record, of which only the user
 * knows how many there may be. Without a price, which is asked for under Max Credits only, it has no bound.
 */
export function dataToolPrice({ creditsCost, perRecord, maxRecords }: JsonObject): WorstCase {
	const lower = 'Max Records';
	if (typeof creditsCost !== 'number') return fixed(Infinity, 'a price that is not known', lower);
	// In any other form, it is no word that the price is for a call.
	if (perRecord === false || perRecord === undefined) return fixed(creditsCost, '1 call');
	if (typeof maxRecords !== 'number') return fixed(Infinity, `${creditsCost} a record`, lower);
	const { what, credits } = times(maxRecords, 'record', creditsCost);
	return fixed(credits, what, lower);
}

/** Of pages that a search or a crawl finds. */
export const DEAR_ELSEWHERE =
	'what pages of X or Twitter cost more, 30 credits each, or pages of a paid data provider such as LinkedIn';
/** Any address may lead there, such as a short one. */
const DEAR_BEHIND =
	'what addresses cost more that lead to X or Twitter, 30 credits each, or to a paid data provider such as LinkedIn';
const BLOCKED_LINKS = 'the links that a scan blocks, 2 credits each';

function pages(addresses: string[], options: JsonObject): WorstCase {
	const prices = addresses.map((address) => pagePrice(options, address));
	const dearest = prices.reduce((most, one) => Math.max(most, one.credits), 0);
	const credits = prices.reduce((sum, one) => sum + one.credits, 0);
	const what =
		addresses.length === 1
			? '1 page'
			: `${counted(addresses.length, 'page')}, up to ${counted(dearest, 'credit')} each`;
	return {
		credits,
		likely: prices.reduce((sum, one) => sum + one.likely, 0),
		parts: [{ what, credits }],
		lower: dearest > 1 ? PAGE_OPTIONS : [],
		notCounted: [...(prices[0]?.notCounted ?? []), ...(addresses.every(isXAddress) ? [] : [DEAR_BEHIND])],
	};
}

/** Started tens count whole. */
function tens(hits: number): number {
	return Math.ceil(hits / HITS_FOR_THE_PRICE);
}

function times(amount: number, thing: string, price: number): PricePart {
	return { what: `${counted(amount, thing)} × ${price}`, credits: amount * price };
}

function scansText(credits: number): string {
	return `${counted(credits, 'credit')} for scans`;
}

/** A price of one part that is as likely as it is the most. */
function fixed(credits: number, what: string, ...lower: string[]): WorstCase {
	return { credits, likely: credits, parts: [{ what, credits }], lower, notCounted: [] };
}

/** A limit below 1, which the service takes for some (docs/reference/service-notes.md#prices), must not pay for other items. */
function numberOf(value: unknown, otherwise: number): number {
	return typeof value === 'number' ? Math.max(1, value) : otherwise;
}

/** Credits for each minute of a browser, one minute at least (docs/reference/service-notes.md#prices). */
const CODE_RATE = 2;
const PROMPT_RATE = 7;

/** How long a session lives at most where nobody says so (docs/reference/service-notes.md#browser-sessions). */
const SESSION_SECONDS = 600;

/** How long the page of an interaction stays open at most: nobody can set it (docs/reference/service-notes.md#browser-sessions). */
const INTERACTION_SECONDS = 600;

/** A session: as long as it may live. */
export function sessionPrice({ ttl }: JsonObject): WorstCase {
	return minutesPrice(typeof ttl === 'number' ? ttl : SESSION_SECONDS, CODE_RATE);
}

/** An interaction: the page stays open for more, so the time until it ends by itself counts. */
export function interactPrice({ prompt }: JsonObject): WorstCase {
	const rate = prompt === undefined ? CODE_RATE : PROMPT_RATE;
	return { ...minutesPrice(INTERACTION_SECONDS, rate), lower: [] };
}

function minutesPrice(seconds: number, rate: number): WorstCase {
	const minutes = Math.max(1, seconds / 60);
	const what = `${counted(Math.round(minutes * 10) / 10, 'minute')} × ${rate}`;
	// Most is done within the first minute, which is paid whole.
	return { ...fixed(Math.ceil(minutes * rate), what, 'Lifetime'), likely: rate };
}
