import { isJsonObject } from '../../service/http/answer';
import type { JsonObject } from '../../service/http/transport';

/** The most that one page can cost. */
export interface PagePrice {
	credits: number;
	notCounted: string[];
}

const PAGE = 1;
/** On a hit; a miss costs 1. */
const LOCKDOWN = 5;
const X_PAGE = 30;
/** What a format adds; all others add nothing. Change tracking adds in one of its modes only. */
const FORMATS: Readonly<Record<string, number>> = {
	json: 4,
	deterministicJson: 4,
	question: 4,
	highlights: 4,
	query: 4,
	audio: 4,
	video: 4,
};
const TRACKED_FIELDS = 4;
const MASKING = 4;
const ZERO_RETENTION = 1;
const URL_SCAN = 2;

/**
 * The most that a page can cost with these scrape options (docs/service-notes.md#prices; a cached page, a page
 * with an error and each proxy cost the same). `address` is empty where it is not known before.
 */
export function pagePrice(options: JsonObject, address = ''): PagePrice {
	const { lockdown, redactPII, zeroDataRetention, threatProtection } = options;
	const pdf = pdfPages(options.parsers);
	const base = Math.max(
		PAGE,
		lockdown === true ? LOCKDOWN : 0,
		isXAddress(address) ? X_PAGE : 0,
		pdf ?? 0,
	);
	const additions = [
		...(Array.isArray(options.formats) ? options.formats.map(formatPrice) : []),
		redactPII === undefined || redactPII === false ? 0 : MASKING,
		zeroDataRetention === true ? ZERO_RETENTION : 0,
		scanPrice(threatProtection),
	];
	const credits = additions.reduce((sum, price) => sum + price, base);
	return {
		credits,
		notCounted:
			pdf === undefined
				? ['the further pages of PDF files, 1 credit each, unless the PDF parser has Max Pages']
				: [],
	};
}

/** What the scan of one URL costs with these settings; 0 when there are none. */
export function scanPrice(threatProtection: unknown): number {
	if (!isJsonObject(threatProtection)) return 0;
	// Without a mode it is the account's own.
	const { mode = 'normal' } = threatProtection;
	return mode === 'normal' ? URL_SCAN : 0;
}

/**
 * What an address of X or Twitter holds: its host, or signs that may stand for it. Nearly no address does,
 * which is much sooner seen than parsed.
 */
const MAY_BE_X = /(x|twitter)\.com|[^!-$&-~]/i;

/** Whether the service takes the address for a page of X or Twitter. */
export function isXAddress(address: string): boolean {
	if (!MAY_BE_X.test(address) || !URL.canParse(address)) return false;
	return /(^|\.)(x|twitter)\.com$/.test(new URL(address).hostname);
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
	const parser: unknown = parsers.find(
		(one) => one === 'pdf' || (isJsonObject(one) && one.type === 'pdf'),
	);
	if (parser === undefined) return PAGE;
	const { maxPages } = isJsonObject(parser) ? parser : {};
	return typeof maxPages === 'number' ? maxPages : undefined;
}
