import { isJsonObject } from '../http/answer';
import type { JsonObject } from '../http/transport';

/** A job as the service lists it. */
export interface ListedJob {
	id: string;
	target: string;
	/** The time when it began by the service's clock, in milliseconds since 1970; undefined when that is not told. */
	beganMs: number | undefined;
	/** The options that it was asked for with; undefined where the list does not show that. */
	options?: JsonObject;
}

/** True for what a service shows in place of a target that it does not keep. */
export function isHiddenTarget(target: string): boolean {
	return target.trim() === '' || /^<.*>$/s.test(target.trim());
}

/** Whether a listed crawl may be that of a start, by its options. `other`: it is not; `untold`: the list does not say. */
type Fit = 'same' | 'other' | 'untold';

/** Pages that the service crawls at most where the start names no limit. */
const DEFAULT_LIMIT = 10_000;

/**
 * Options of a crawl that the list shows as they were sent. The others it rewrites (recordings active-02 and
 * active-10), or it does not show them at all, such as the webhook.
 */
const SHOWN = [
	'includePaths',
	'excludePaths',
	'maxDiscoveryDepth',
	'sitemap',
	'ignoreQueryParameters',
	'deduplicateSimilarURLs',
	'regexOnFullURL',
	'crawlEntireDomain',
	'allowExternalLinks',
	'allowSubdomains',
	'ignoreRobotsTxt',
	'delay',
];

/** The same of the options for its pages. */
const SHOWN_OF_PAGES = ['onlyMainContent', 'mobile', 'maxAge', 'timeout'];

/** Compares what the start of a crawl asked for with the options that the service lists. */
export function fitOf(asked: JsonObject, options: JsonObject | undefined): Fit {
	if (!options) return 'untold';
	const askedOfPages = objectOf(asked.scrapeOptions);
	const optionsOfPages = objectOf(options.scrapeOptions);
	// The service makes options of a prompt: then only those say something that were sent as well.
	const hasPrompt = typeof asked.prompt === 'string';
	const isCompared = (name: string) => !hasPrompt || asked[name] !== undefined;
	const fits = [
		...SHOWN.filter(isCompared).map((name) => fitOfOne(name, asked[name], options[name])),
		...SHOWN_OF_PAGES.map((name) => fitOfOne(name, askedOfPages[name], optionsOfPages[name])),
		fitOfFormats(askedOfPages.formats, optionsOfPages.formats),
		isCompared('limit') ? fitOfLimit(asked.limit, options.limit) : 'untold',
	] satisfies Fit[];
	return (['other', 'untold'] as const).find((fit) => fits.includes(fit)) ?? 'same';
}

function fitOfOne(name: string, asked: unknown, listed: unknown): Fit {
	if (isDefault(name, asked)) return isDefault(name, listed) ? 'same' : 'other';
	if (listed === undefined) return 'untold';
	return JSON.stringify(asked) === JSON.stringify(listed) ? 'same' : 'other';
}

function isDefault(name: string, value: unknown): boolean {
	const isEmpty = value === undefined || value === null;
	return isEmpty || (Array.isArray(value) && value.length === 0) || isServiceDefault(name, value);
}

function fitOfLimit(asked: unknown = DEFAULT_LIMIT, listed?: unknown): Fit {
	if (typeof listed !== 'number' || typeof asked !== 'number') return 'untold';
	if (listed === asked) return 'same';
	// Some servers lower it to the credits that are left.
	return listed < asked ? 'untold' : 'other';
}

/** By their types: what goes with a format may be rewritten. */
function fitOfFormats(asked: unknown, listed: unknown): Fit {
	if (!Array.isArray(listed)) return 'untold';
	return typesOf(asked) === typesOf(listed) ? 'same' : 'other';
}

function typesOf(formats: unknown): string {
	const all: unknown[] = Array.isArray(formats) && formats.length > 0 ? formats : ['markdown'];
	const types = all.map((one) => String(isJsonObject(one) ? one.type : one).split('@')[0]);
	return [...new Set(types)].sort().join(' ');
}

function objectOf(value: unknown): JsonObject {
	return isJsonObject(value) ? value : {};
}

/**
 * The service's values for properties that a request does not name: what says so asks for the same as what says
 * nothing. Only names that mean one thing in all requests and all servers.
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

/** Whether this is what the service takes for a property that is left out. */
function isServiceDefault(name: string, value: unknown): boolean {
	return Object.hasOwn(DEFAULTS, name) && DEFAULTS[name] === value;
}
