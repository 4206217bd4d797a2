import { isJsonObject } from '../../service/http/answer';
import type { JsonObject } from '../../service/http/transport';
import { isXAddress, pagePrice, scanPrice } from './pagePrice';
import { counted } from './worstCase';
import type { WorstCase } from './worstCase';

/** What the service takes when a request names no limit (docs/service-notes.md#prices). */
const CRAWL_PAGES = 10_000;
const HITS = 10;
const RESEARCH_URLS = 20;
const LLMS_TXT_PAGES = 10;

const SEARCH_PRICE = 2;
const ZERO_RETENTION_SEARCH_PRICE = 10;
const HITS_FOR_THE_PRICE = 10;

/** What makes a page dearer, as the panel calls it. */
const PAGE_OPTIONS = ['formats and scrape options that cost more'];

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
	const options = { zeroDataRetention, ...(isJsonObject(scrapeOptions) && scrapeOptions) };
	const address = textOf(url);
	const { credits, notCounted } = pagePrice(options, address);
	const most = numberOf(limit, CRAWL_PAGES);
	return {
		credits: most * credits,
		sum: times(most, 'page', credits),
		lower: ['Page Limit', ...(credits > 1 ? PAGE_OPTIONS : [])],
		notCounted:
			allowExternalLinks === true && !isXAddress(address)
				? [...notCounted, X_ELSEWHERE]
				: notCounted,
	};
}

/** A map: one price whatever its size. */
export function mapPrice({ threatProtection }: JsonObject): WorstCase {
	return { credits: 1 + scanPrice(threatProtection), sum: '1 map', lower: [], notCounted: [] };
}

/** A search: its hits in tens, and the pages of all of them where they are scraped. */
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
		isJsonObject(scrapeOptions) &&
		Array.isArray(scrapeOptions.formats) &&
		scrapeOptions.formats.length > 0;
	const page = isScraped ? pagePrice(scrapeOptions) : undefined;
	return {
		credits: search + scan + hits * (page?.credits ?? 0),
		sum: [
			`${counted(search, 'credit')} for ${counted(hits, 'hit')}`,
			...(page ? [times(hits, 'page', page.credits)] : []),
			...(scan > 0 ? [`${counted(scan, 'credit')} for scans`] : []),
		].join(' + '),
		lower: ['Max Results per Source', ...(page ? ['With Page Content'] : [])],
		notCounted: page ? [...page.notCounted, X_ELSEWHERE] : [],
	};
}

/** A search of the developer index: its hits in tens. */
export function developerSearchPrice(sent: JsonObject): WorstCase {
	const hits = numberOf(sent.k, HITS);
	return {
		credits: tens(hits) * SEARCH_PRICE,
		sum: counted(hits, 'hit'),
		lower: ['Max Results'],
		notCounted: [],
	};
}

/** A research: each URL that it analyses. */
export function researchPrice(sent: JsonObject): WorstCase {
	const urls = numberOf(sent.maxUrls, RESEARCH_URLS);
	return { credits: urls, sum: counted(urls, 'URL'), lower: ['Max URLs'], notCounted: [] };
}

/** A llms.txt: each page of the site that it reads. */
export function llmsTxtPrice({ maxUrls }: JsonObject): WorstCase {
	const most = numberOf(maxUrls, LLMS_TXT_PAGES);
	return { credits: most, sum: counted(most, 'page'), lower: ['Max Pages'], notCounted: [] };
}

/** A run of the agent: as much as its own cap allows, since nobody knows what it will do. */
export function agentPrice({ maxCredits }: JsonObject): WorstCase {
	return {
		credits: numberOf(maxCredits, Infinity),
		sum: 'its own Max Credits',
		lower: ['Max Credits of the agent'],
		notCounted: [],
	};
}

const X_ELSEWHERE = 'what pages of X or Twitter cost more, 30 credits each';

function pages(addresses: string[], options: JsonObject): WorstCase {
	const prices = addresses.map((address) => pagePrice(options, address));
	const dearest = Math.max(0, ...prices.map(({ credits }) => credits));
	return {
		credits: prices.reduce((sum, { credits }) => sum + credits, 0),
		sum:
			addresses.length === 1
				? '1 page'
				: `${counted(addresses.length, 'page')}, up to ${counted(dearest, 'credit')} each`,
		lower: dearest > 1 ? PAGE_OPTIONS : [],
		notCounted: prices[0]?.notCounted ?? [],
	};
}

/** Started tens count whole. */
function tens(hits: number): number {
	return Math.ceil(hits / HITS_FOR_THE_PRICE);
}

function times(amount: number, thing: string, price: number): string {
	return `${counted(amount, thing)} × ${price}`;
}

/** A limit below 1, which the service takes for some (docs/service-notes.md#prices), must not pay for other items. */
function numberOf(value: unknown, otherwise: number): number {
	return typeof value === 'number' ? Math.max(1, value) : otherwise;
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : '';
}
