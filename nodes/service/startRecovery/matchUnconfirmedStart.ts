import { isJsonObject } from '../http/answer';
import type { JsonObject } from '../http/transport';
import { canonicalTarget } from '../jobs/jobListings';

/** A job as the service lists it. */
export interface ListedJob {
	id: string;
	target: string;
	/** When it began by the service's clock, in milliseconds since 1970; undefined when that is not told. */
	beganMs: number | undefined;
	/** What it was asked for; undefined where the list does not show that. */
	options?: JsonObject;
}

/** What is known of a start whose end is not. */
interface SearchedStart {
	/** What the lists should show as its target, as canonicalTarget has it. */
	target: string;
	/** Everything it asks for, as one text: two starts with the same text are as good as each other. */
	asked: string;
	/** It was not sent before this, by the service's clock, in milliseconds since 1970. */
	notBeforeMs: number;
}

export type Match = { kind: 'found'; job: ListedJob } | { kind: 'several'; jobs: ListedJob[] } | { kind: 'none' };

/**
 * Decides which of the listed jobs is the one of this start. `others` are the other starts that are
 * looked for at the same time; `jobs` are the listed ones that belong to nobody else.
 *
 * A job may be it when it asks for the same and did not begin before the start was sent. It is it when
 * no other job may be, and no other start may have it. Starts that ask for exactly the same may take
 * each other's jobs: then each gets one, as long as there are no more jobs than starts.
 */
export function matchUnconfirmedStart<T extends SearchedStart>(
	start: T,
	others: readonly T[],
	jobs: readonly ListedJob[],
): Match {
	const alike = jobs.filter((job) => canonicalTarget(job.target) === start.target);
	const candidates = alike.filter((job) => began(job) >= start.notBeforeMs);
	const latestMs = Math.max(...candidates.map(began));
	const rivals = others.filter(({ target, notBeforeMs }) => target === start.target && notBeforeMs <= latestMs);
	const several: Match = { kind: 'several', jobs: candidates };
	if (rivals.some(({ asked }) => asked !== start.asked)) return several;
	const shared = shareOut([start, ...rivals], alike);
	if (!shared) return several;
	const job = shared.get(start);
	return job ? { kind: 'found', job } : { kind: 'none' };
}

/**
 * Gives each job to one of the starts that may have it, the youngest job to the youngest start. Undefined
 * when a job is left over that one of them may have: then nobody knows whose it is.
 */
function shareOut(starts: SearchedStart[], jobs: readonly ListedJob[]): Map<SearchedStart, ListedJob> | undefined {
	const waiting = [...starts].sort((left, right) => right.notBeforeMs - left.notBeforeMs);
	const sinceMs = waiting.at(-1)?.notBeforeMs ?? Infinity;
	const given = new Map<SearchedStart, ListedJob>();
	let place = 0;
	const youngestFirst = jobs.filter((job) => began(job) >= sinceMs).sort((left, right) => began(right) - began(left));
	for (const job of youngestFirst) {
		// The jobs that follow are older still, so that a start that is too young for this one has none.
		while ((waiting[place]?.notBeforeMs ?? -Infinity) > began(job)) place += 1;
		const taker = waiting[place];
		if (!taker) return undefined;
		given.set(taker, job);
		place += 1;
	}
	return given;
}

const began = ({ beganMs }: ListedJob): number => beganMs ?? -Infinity;

/** True for what a service shows in place of a target that it does not keep. */
export function isHiddenTarget(target: string): boolean {
	return target.trim() === '' || /^<.*>$/s.test(target.trim());
}

/**
 * Whether a listed crawl may be that of a start, by its options. `other`: it is not. `fewerPages`: only its limit
 * is lower, and some servers lower that to the credits that are left. `untold`: the list does not say.
 */
export type Fit = 'same' | 'other' | 'fewerPages' | 'untold';

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
	return (['other', 'fewerPages', 'untold'] as const).find((fit) => fits.includes(fit)) ?? 'same';
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
	return listed < asked ? 'fewerPages' : 'other';
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

/** Whether this is what the service takes for a property that is left out. */
function isServiceDefault(name: string, value: unknown): boolean {
	return Object.hasOwn(DEFAULTS, name) && DEFAULTS[name] === value;
}
