import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { crawlPrice } from '../../cost/prices';
import {
	additionalFields,
	fromList,
	costLimits,
	optionList,
	optionListNamed,
	rareOptions,
	returnAllOrLimit,
	url,
} from '../../fields/basic';
import { choiceField, numberField, switchField, textField } from '../../fields/field';
import { formats } from '../../fields/formats';
import { getPagesFields, optionsOfPages, optionsOfPagesStart, pagesOutput } from '../../fields/job/pages';
import { USUAL_MAX_WAIT_SECONDS, WAITS, jobId, maxConcurrency, waitChoice, webhook } from '../../fields/job/wait';
import { scrapeOptions } from '../../fields/scrape/scrapeOptions';
import { withMore } from '../../operation/hint';
import { cancelJob, getErrorsOfJob, getJob } from '../../operation/jobOperations';
import { choiceOf, minuteOf } from '../../operation/operation';
import type {
	CallAnswer,
	CallOperation,
	ItemDraft,
	ListOperation,
	PagesResult,
	Resource,
	StartJobOperation,
} from '../../operation/operation';
import { pagesResult } from '../../operation/pages';
import { isJsonObject } from '../../service/http/answer';
import { shorten } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import { crawlJob } from '../../service/jobs/jobKinds';
import { withoutSecretSettings } from '../../service/secrets';
import { trimEnd } from '../../text/ends';
import { readLinePattern } from '../../text/linePatterns';

const cancel = cancelJob(
	crawlJob,
	{
		action: 'Cancel crawl',
		description: 'Stop a running crawl; Get still returns the pages that are done',
	},
	fromList(jobId, 'crawlGetActive'),
);

/** Converts crawls to items. A crawl from a prompt says in its first answer what it made of it. */
export const crawlResult: PagesResult = {
	...pagesResult('Crawl · Get', ['promptGeneratedOptions', 'finalCrawlerOptions']),
	adviceOnFewPages: includePathsAdvice,
	titleOfNoPage: includePathsTitle,
};

const get = getJob(
	crawlJob,
	{
		action: 'Get pages of crawl',
		description: 'Get the pages of a crawl by its job ID, such as one started with Do Not Wait',
	},
	{ result: crawlResult, fields: getPagesFields(fromList(jobId, 'crawlGetActive')) },
);

/**
 * The running crawls as the service gives them (docs/reference/service-notes.md#active-crawls). Older servers say
 * team_id instead of teamId. Everything else passes through unchanged.
 */
function readList(body: JsonObject): IDataObject[] | undefined {
	if (!Array.isArray(body.crawls)) return undefined;
	return body.crawls.filter(isJsonObject).map((crawl) => {
		const { team_id: olderTeamId, ...rest } = crawl;
		const settings = withoutSecretSettings(rest) as IDataObject;
		return { ...settings, teamId: rest.teamId ?? olderTeamId ?? null } as IDataObject;
	});
}

export const getActive: ListOperation = {
	kind: 'list',
	value: 'getActive',
	name: 'Get Many Active',
	action: 'Get many running crawls',
	description: 'List the crawls of your team that are running now, one item each',
	request: { method: 'GET', path: '/v2/crawl/active', bucket: 'crawlStatus' },
	unit: 'active crawl',
	readList,
	choices: {
		of: (one, timeZone) => choiceOf(one, one.url, minuteOf(one.created_at, timeZone)),
	},
	fields: returnAllOrLimit,
};

const getErrors = getErrorsOfJob(
	crawlJob,
	{
		action: 'Get failed pages of crawl',
		description: 'List the pages that a crawl failed on, with the reason, one item each',
	},
	fromList(jobId, 'crawlGetActive'),
);

const fields: INodeProperties[] = [
	url('Address of the site to crawl', 'e.g. https://example.com'),
	textField('prompt', 'Prompt', 'Which pages to crawl, in plain words, at most 10000 characters', {
		typeOptions: { rows: 3, maxLength: 10_000 },
		required: true,
		placeholder: 'e.g. Only the blog, without archives',
	}),
	optionList(additionalFields),
];

/** The options as the service gives them; `delay` may be in ms there (docs/reference/service-notes.md#where-servers-differ). */
function toItems({ body }: CallAnswer): ItemDraft[] | undefined {
	const { data, warning } = body;
	if (!isJsonObject(data)) return undefined;
	return [{ json: { ...data, ...(typeof warning === 'string' && { warning }) } as IDataObject }];
}

const previewOptions: CallOperation = {
	kind: 'call',
	value: 'previewOptions',
	name: 'Preview Options',
	action: 'Preview crawl options from prompt',
	description: 'Show the crawl options that Firecrawl would choose for a prompt, without crawling',
	request: { method: 'POST', path: '/v2/crawl/params-preview', bucket: 'crawl' },
	toItems,
	fields,
};

const FIELDS = [
	{ property: 'includePaths', label: 'Include Paths' },
	{ property: 'excludePaths', label: 'Exclude Paths' },
];

/**
 * The fault in the path patterns of a crawl: one is plainly a shell's pattern, or begins with a host, which no path
 * does. Shows the pattern that was meant. Whether a regular expression is a good one only the service knows: its
 * language is not the one of this process.
 */
function pathPatternFault(body: JsonObject): string | undefined {
	for (const { property, label } of FIELDS) {
		const patterns = body[property];
		if (!Array.isArray(patterns)) continue;
		for (const pattern of patterns.map(String)) {
			const fault = faultOf(pattern, body.regexOnFullURL === true);
			if (fault !== undefined) return `"${label}" ${fault}, but one is "${pattern.slice(0, 80)}".`;
		}
	}
	const { all, place } = includedPaths(body);
	// Of regular expressions only the service knows what they match; of these it is plain.
	const isPlain = all.length > 0 && all.every((pattern) => SHELL_PATTERN.test(pattern));
	if (!isPlain || place === undefined) return undefined;
	return `"Include Paths" is made of regular expressions, and none of them matches the start page ${place}, so the crawl would end without a page: ${wayTo(all, place)}.`;
}

/** A pattern as for a shell: `/blog/*`. */
const SHELL_PATTERN = /^\^?\/?[\w/-]+\/\*$/;

/** The patterns of Include Paths, and the path of the start page where none of them matches it. */
function includedPaths({ url: start, includePaths, regexOnFullURL }: JsonObject): { all: string[]; place?: string } {
	const all = Array.isArray(includePaths) ? includePaths.map(String) : [];
	if (typeof start !== 'string' || !URL.canParse(start) || regexOnFullURL === true) return { all };
	const place = new URL(start).pathname;
	const patterns = all.map(readLinePattern);
	const isOpen = patterns.some((pattern) => !(pattern instanceof RegExp) || pattern.test(place));
	return isOpen ? { all } : { all, place };
}

/** What to write, or where to start, so that a crawl gets to the pages that are wanted. */
function wayTo(all: readonly string[], place: string): string {
	const shell = all.find((pattern) => SHELL_PATTERN.test(pattern)) ?? '';
	const section = shell.replace(/^\^?\/?|\/\*$/g, '');
	const own = `^${literal(trimEnd(place, /\//))}/?$`;
	const everything = section === '' ? '' : `for everything below /${section} write ${section}/.* and `;
	return `${everything}add a second line ${own}, or start at the address of the section itself`;
}

function faultOf(pattern: string, isForAddress: boolean): string | undefined {
	const [host] = /^\^?https?:\/\/[^/]*/i.exec(pattern) ?? [];
	if (host !== undefined && !isForAddress) {
		return `is made of regular expressions for paths, without the host: write ${patternOf(pattern.slice(host.length))}, or add Match Paths on Full URL`;
	}
	// Nothing stands before the star that it could repeat.
	return /^\^?\*|\*\*/.test(pattern)
		? `is made of regular expressions, in which .* stands for any text: write ${patternOf(pattern)}`
		: undefined;
}

/** The first patterns that nothing fits: `No page matches Include Paths (blog/.*)`. */
function includePathsTitle({ includePaths }: JsonObject): string | undefined {
	const patterns = Array.isArray(includePaths) ? includePaths.map(String) : [];
	if (patterns.length === 0) return undefined;
	const shown = patterns.slice(0, 3).map((pattern) => shorten(pattern, 60));
	return `No page matches Include Paths (${withMore(shown, patterns.length - 3)})`;
}

/** Advice for a crawl that found no or one page and has Include Paths: the reason, where it shows, and what to do. */
function includePathsAdvice(sent: JsonObject): string | undefined {
	const { all, place } = includedPaths(sent);
	if (all.length === 0) return undefined;
	const list = all.find((pattern) => /,\s/.test(pattern));
	const comma = list === undefined ? '' : ` "${shorten(list, 80)}" is one pattern: write each on a line of its own.`;
	const reason =
		place === undefined
			? 'Include Paths are regular expressions, and the start page must match one of them, too'
			: `The start page ${place} does not match Include Paths: ${wayTo(all, place)}`;
	return `${reason}.${comma}`;
}

/** A text whose signs stand for themselves in a regular expression, but for stars. */
function literal(text: string): string {
	return text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
}

/** The regular expression for a shell's pattern: each row of stars becomes `.*`, everything else stands for itself. */
function patternOf(glob: string): string {
	const pattern = literal(glob.replace(/\.\*/g, '*')).replace(/\*+/g, '.*');
	return pattern === '' ? '/.*' : pattern;
}

/** The scope and pace of a crawl (shape `crawlOptions`). */
const crawlOptions: INodeProperties[] = [
	textField(
		'includePaths',
		'Include Paths',
		'Regular expressions, one per line, such as docs/.*: only pages whose path matches one are scraped. The start URL must match too.',
		{ typeOptions: { rows: 3, sentAs: 'lines' }, placeholder: 'e.g. docs/.*' },
	),
	textField(
		'excludePaths',
		'Exclude Paths',
		'Regular expressions, one per line, such as blog/.*: pages whose path matches one are skipped',
		{ typeOptions: { rows: 3, sentAs: 'lines' }, placeholder: 'e.g. blog/.*' },
	),
	textField(
		'prompt',
		'Prompt',
		'Which pages to crawl, in plain words, at most 10000 characters. Firecrawl turns this into crawl options; options set here take precedence. Preview Options shows the result first.',
		{
			typeOptions: { rows: 2, maxLength: 10_000 },
			placeholder: 'e.g. Only the blog, without archives',
		},
	),
	{
		displayName: 'Delay (Seconds)',
		name: 'delay',
		type: 'number',
		typeOptions: { minValue: 0.001, maxValue: 60, numberPrecision: 3 },
		default: 1,
		description:
			'Pause between two pages in seconds, more than 0 and at most 60. One page at a time is scraped then. Without this option: no pause.',
		routing: { send: { type: 'body', property: 'delay' } },
	},
	numberField(
		'maxDiscoveryDepth',
		'Max Depth',
		2,
		'How many links away from the start URL to go. The start URL and the pages of the sitemap are 0. Without this option: no limit.',
		{ min: 0 },
	),
	switchField(
		'crawlEntireDomain',
		'Crawl Entire Domain',
		false,
		'Whether to go to sibling and parent paths as well, not only below the start URL',
	),
	switchField('allowSubdomains', 'Include Subdomains', false, 'Whether to follow links to subdomains of the site'),
	switchField(
		'allowExternalLinks',
		'Allow External Links',
		false,
		'Whether to follow links to other sites, one hop and no further. Their home pages are skipped.',
	),
	choiceField('sitemap', 'Sitemap', 'include', 'How to use the site’s sitemap', [
		['Include', 'include', 'Pages of the sitemap, and links found on pages'],
		['Only', 'only', 'Pages of the sitemap and the start URL, no links. Not on older servers.'],
		['Skip', 'skip', 'Only links found on pages'],
	]),
	switchField(
		'ignoreQueryParameters',
		'Ignore Query Parameters',
		false,
		'Whether URLs that differ only after the question mark count as one page',
	),
	maxConcurrency,
];

/** The same, as few need it. */
const rareCrawlOptions: INodeProperties[] = [
	switchField(
		'deduplicateSimilarURLs',
		'Deduplicate Similar URLs',
		true,
		'Whether to scrape only one of URLs that differ in www, index.html or a trailing slash',
	),
	switchField(
		'regexOnFullURL',
		'Match Paths on Full URL',
		false,
		'Whether Include Paths and Exclude Paths match the whole URL instead of its path',
	),
	switchField(
		'ignoreRobotsTxt',
		'Ignore robots.txt',
		false,
		'Whether to scrape what the site’s robots.txt forbids. Enterprise plans only.',
	),
	textField(
		'robotsUserAgent',
		'Robots User Agent',
		'User agent whose rules in the site’s robots.txt count. Enterprise plans only.',
		{ placeholder: 'e.g. FirecrawlAgent' },
	),
	switchField(
		'zeroDataRetention',
		'Zero Data Retention',
		false,
		'Whether Firecrawl deletes the pages once they are returned. Must be enabled for your team. Costs 1 more credit for each page.',
	),
];

// Required, so that it is always sent: without it the service takes 10,000 and refuses the start with
// 402 when the credits do not cover that many (docs/reference/service-notes.md#prices).
const pageLimit: INodeProperties = numberField(
	'pageLimit',
	'Page Limit',
	100,
	'How many pages to crawl at most. Each costs at least one credit. With fewer credits left than this, Firecrawl crawls fewer pages or refuses to start.',
	{ min: 1, required: true, send: 'limit' },
);

export const startCrawl: StartJobOperation = {
	kind: 'startJob',
	value: 'start',
	name: 'Start',
	action: 'Crawl website and get all pages',
	description: 'Scrape a site page by page, following its links',
	request: { method: 'POST', path: '/v2/crawl', bucket: 'crawl' },
	job: crawlJob,
	defaultMaxWaitSeconds: () => USUAL_MAX_WAIT_SECONDS,
	result: crawlResult,
	worstCase: crawlPrice,
	faultIn: pathPatternFault,
	fields: [
		url(
			'Address to start at. Only pages below it are crawled, unless an option says otherwise.',
			'e.g. https://example.com/docs',
		),
		pageLimit,
		...formats('scrapeOptions'),
		waitChoice,
		{ ...pagesOutput, displayOptions: { show: { waitForCompletion: WAITS } } },
		scrapeOptions('scrapeOptions', {
			// A crawl has zero data retention for all of its pages at once.
			without: ['zeroDataRetention'],
			more: optionsOfPages,
		}),
		optionListNamed(
			'Crawl Options',
			...crawlOptions,
			...optionsOfPagesStart,
			webhook,
			...costLimits,
			rareOptions(...rareCrawlOptions),
			additionalFields,
		),
	],
};

export const crawl: Resource = {
	value: 'crawl',
	name: 'Crawl',
	description: 'Crawl a site: one address in, all pages below it out',
	operations: [startCrawl, get, getErrors, getActive, previewOptions, cancel],
};
