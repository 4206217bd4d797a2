import type { INodeProperties } from 'n8n-workflow';

import { maxConcurrency } from '../../fields/job/maxConcurrency';

/** Which pages a crawl goes to and how fast (shape `crawlOptions`). */
export const crawlOptions: INodeProperties[] = [
	{
		displayName: 'Include Paths',
		name: 'includePaths',
		type: 'string',
		typeOptions: { rows: 3, sentAs: 'lines' },
		default: '',
		placeholder: 'e.g. docs/.*',
		description:
			'Regular expressions, one per line, such as docs/.*: only pages whose path matches one are scraped. The start URL must match too.',
		routing: { send: { type: 'body', property: 'includePaths' } },
	},
	{
		displayName: 'Exclude Paths',
		name: 'excludePaths',
		type: 'string',
		typeOptions: { rows: 3, sentAs: 'lines' },
		default: '',
		placeholder: 'e.g. blog/.*',
		description:
			'Regular expressions, one per line, such as blog/.*: pages whose path matches one are skipped',
		routing: { send: { type: 'body', property: 'excludePaths' } },
	},
	{
		displayName: 'Prompt',
		name: 'prompt',
		type: 'string',
		typeOptions: { rows: 2, maxLength: 10_000 },
		default: '',
		placeholder: 'e.g. Only the blog, without archives',
		description:
			'Which pages to crawl, in plain words, at most 10000 characters. Firecrawl turns this into crawl options; options set here take precedence. Preview Options shows the result first.',
		routing: { send: { type: 'body', property: 'prompt' } },
	},
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
	{
		displayName: 'Max Depth',
		name: 'maxDiscoveryDepth',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 2,
		description:
			'How many links away from the start URL to go. The start URL and the pages of the sitemap are 0. Without this option: no limit.',
		routing: { send: { type: 'body', property: 'maxDiscoveryDepth' } },
	},
	{
		displayName: 'Crawl Entire Domain',
		name: 'crawlEntireDomain',
		type: 'boolean',
		default: false,
		description: 'Whether to go to sibling and parent paths as well, not only below the start URL',
		routing: { send: { type: 'body', property: 'crawlEntireDomain' } },
	},
	{
		displayName: 'Include Subdomains',
		name: 'allowSubdomains',
		type: 'boolean',
		default: false,
		description: 'Whether to follow links to subdomains of the site',
		routing: { send: { type: 'body', property: 'allowSubdomains' } },
	},
	{
		displayName: 'Allow External Links',
		name: 'allowExternalLinks',
		type: 'boolean',
		default: false,
		description:
			'Whether to follow links to other sites, one hop and no further. Their home pages are skipped.',
		routing: { send: { type: 'body', property: 'allowExternalLinks' } },
	},
	{
		displayName: 'Sitemap',
		name: 'sitemap',
		type: 'options',
		options: [
			{
				name: 'Include',
				value: 'include',
				description: 'Pages of the sitemap, and links found on pages',
			},
			{
				name: 'Only',
				value: 'only',
				description: 'Pages of the sitemap and the start URL, no links. Not on older servers.',
			},
			{ name: 'Skip', value: 'skip', description: 'Only links found on pages' },
		],
		default: 'include',
		description: 'How to use the site’s sitemap',
		routing: { send: { type: 'body', property: 'sitemap' } },
	},
	{
		displayName: 'Ignore Query Parameters',
		name: 'ignoreQueryParameters',
		type: 'boolean',
		default: false,
		description: 'Whether URLs that differ only after the question mark count as one page',
		routing: { send: { type: 'body', property: 'ignoreQueryParameters' } },
	},
	maxConcurrency,
];

/** The same, as few need it. */
export const rareCrawlOptions: INodeProperties[] = [
	{
		displayName: 'Deduplicate Similar URLs',
		name: 'deduplicateSimilarURLs',
		type: 'boolean',
		default: true,
		description:
			'Whether to scrape only one of URLs that differ in www, index.html or a trailing slash',
		routing: { send: { type: 'body', property: 'deduplicateSimilarURLs' } },
	},
	{
		displayName: 'Match Paths on Full URL',
		name: 'regexOnFullURL',
		type: 'boolean',
		default: false,
		description: 'Whether Include Paths and Exclude Paths match the whole URL instead of its path',
		routing: { send: { type: 'body', property: 'regexOnFullURL' } },
	},
	{
		displayName: 'Ignore robots.txt',
		name: 'ignoreRobotsTxt',
		type: 'boolean',
		default: false,
		description: 'Whether to scrape what the site’s robots.txt forbids. Enterprise plans only.',
		routing: { send: { type: 'body', property: 'ignoreRobotsTxt' } },
	},
	{
		displayName: 'Robots User Agent',
		name: 'robotsUserAgent',
		type: 'string',
		default: '',
		placeholder: 'e.g. FirecrawlAgent',
		description: 'User agent whose rules in the site’s robots.txt count. Enterprise plans only.',
		routing: { send: { type: 'body', property: 'robotsUserAgent' } },
	},
	{
		displayName: 'Zero Data Retention',
		name: 'zeroDataRetention',
		type: 'boolean',
		default: false,
		description:
			'Whether Firecrawl deletes the pages once they are returned. Must be enabled for your team. Costs 1 more credit for each page.',
		routing: { send: { type: 'body', property: 'zeroDataRetention' } },
	},
];
