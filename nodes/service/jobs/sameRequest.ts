import { isJsonObject } from '../http/answer';
import type { JsonObject } from '../http/transport';

/**
 * What the service takes where a request does not say it, by the name of the property: what says so asks
 * for the same as what says nothing. Only names that mean one thing in all requests and all servers.
 */
const DEFAULTS: Readonly<JsonObject> = {
	allowExternalLinks: false,
	allowSubdomains: false,
	blockAds: true,
	cache: true,
	crawlEntireDomain: false,
	deduplicateSimilarURLs: true,
	enableWebSearch: false,
	fastMode: false,
	ignoreQueryParameters: false,
	ignoreRobotsTxt: false,
	ignoreSitemap: false,
	includeSubdomains: true,
	lockdown: false,
	maxAge: 172_800_000,
	maxDepth: 7,
	mobile: false,
	onlyCleanContent: false,
	onlyMainContent: true,
	proxy: 'auto',
	redactPII: false,
	regexOnFullURL: false,
	removeBase64Images: true,
	showFullText: false,
	showSources: false,
	sitemap: 'include',
	skipTlsVerification: true,
	storeInCache: true,
	timeLimit: 300,
	waitFor: 0,
};

/**
 * The body of a request in the form that all requests for the same have: addresses as they are meant, and
 * without what the service takes by default. For comparing only, never to be sent.
 */
export function canonicalBody(body: JsonObject): JsonObject {
	const { url, urls, scrapeOptions, ...others } = body;
	const options = isJsonObject(scrapeOptions) ? withoutDefaults(scrapeOptions) : scrapeOptions;
	const isEmpty = isJsonObject(options) && Object.keys(options).length === 0;
	return {
		...withoutDefaults(others),
		...(url !== undefined && { url: canonicalAddress(url) }),
		...(urls !== undefined && { urls: Array.isArray(urls) ? urls.map(canonicalAddress) : urls }),
		...(options !== undefined && !isEmpty && { scrapeOptions: options }),
	};
}

/**
 * True for a request that wants a page as it is now, not one that is known: Max Age 0. An answer that was
 * given before is none to it.
 */
export function wantsFresh({ maxAge, scrapeOptions }: JsonObject): boolean {
	return maxAge === 0 || (isJsonObject(scrapeOptions) && scrapeOptions.maxAge === 0);
}

/** Whether this is what the service takes for a property that is left out. */
export function isServiceDefault(name: string, value: unknown): boolean {
	return Object.hasOwn(DEFAULTS, name) && DEFAULTS[name] === value;
}

function withoutDefaults(body: JsonObject): JsonObject {
	return Object.fromEntries(
		Object.entries(body).filter(([name, value]) => !isServiceDefault(name, value)),
	);
}

/**
 * Host in lower case, no default port, no slash at the end, no empty fragment. A fragment stays: a page that
 * draws itself may read it.
 */
function canonicalAddress(address: unknown): unknown {
	if (typeof address !== 'string' || !/^\s*https?:\/\//i.test(address)) return address;
	if (!URL.canParse(address)) return address;
	const url = new URL(address);
	url.pathname = url.pathname.replace(/\/+$/, '');
	if (url.hash === '') url.hash = '';
	return url.href;
}
