/** Fields of each operation as its panel shows them, without the credential and the two choosers. */
export const panelFields: Readonly<Record<string, readonly string[]>> = {
	'Page, Scrape': ['URL', 'Formats', 'Output', 'Page Options'],
	'Page, Get': ['Scrape ID', 'Output', 'Options'],
	'Crawl, Start': ['URL', 'Page Limit', 'Formats', 'Wait for Completion', 'Output', 'Page Options', 'Crawl Options'],
	'Crawl, Get': ['Job ID', 'Wait for Completion', 'Output', 'Return All', 'Options'],
	'Batch Scrape, Start': [
		'URLs From',
		'URL',
		'Formats',
		'Wait for Completion',
		'Output',
		'Page Options',
		'Batch Options',
	],
	'Batch Scrape, Get': ['Job ID', 'Wait for Completion', 'Output', 'Return All', 'Options'],
	'Map, Map': ['URL', 'Max Links', 'Output', 'Options'],
	'Search, Search Web': ['Query', 'Sources', 'Max Results per Source', 'With Page Content', 'Output', 'Search Options'],
	'Search, Get Paper': ['Paper ID', 'Options'],
};

/** The group Scrape Options of Page, Scrape, in the order of their use. */
export const scrapeOptions: readonly string[] = [
	'Only Main Content',
	'Include Tags',
	'Exclude Tags',
	'Extra Wait (Milliseconds)',
	'Max Age (Milliseconds)',
	'Proxy',
	'Mobile',
	'Headers',
	'Block Ads',
	'Actions',
	'File Parsers',
	'Location',
	'Timeout (Milliseconds)',
	'Store as Files',
	'Max Credits (This Run)',
	'Rare and Enterprise',
	'Additional Fields (JSON)',
];

/** Options of Crawl, Start. */
export const crawlOptionsWhenWaiting: readonly string[] = [
	'Include Paths',
	'Exclude Paths',
	'Prompt',
	'Delay (Seconds)',
	'Max Depth',
	'Crawl Entire Domain',
	'Include Subdomains',
	'Allow External Links',
	'Sitemap',
	'Ignore Query Parameters',
	'Max Concurrency',
	'Wait Options',
	'Only New and Changed Pages',
	'Ignore Lines Matching',
	'Output Failed Pages',
	'If Start Is Uncertain',
	'Webhook',
	'Max Credits (This Run)',
	'Rare and Enterprise',
	'Additional Fields (JSON)',
];

const ONLY_WHEN_WAITING = [
	'Wait Options',
	'Only New and Changed Pages',
	'Ignore Lines Matching',
	'Output Failed Pages',
];

/** The same without what needs the node to wait. */
export const crawlOptions: readonly string[] = crawlOptionsWhenWaiting.filter(
	(name) => !ONLY_WHEN_WAITING.includes(name),
);

/** The group Wait Options of a crawl. The interval belongs to fixed polling, so it comes with that. */
export const crawlWaitOptions: readonly string[] = [
	'Max Wait (Seconds)',
	'On Max Wait',
	'Polling',
	'Max Jobs at Once',
	'On Failure',
	'Cancel on Stop',
];

/** What people type who look for this node. */
export const searchWords: readonly string[] = [
	'web scraping',
	'search the web',
	'google search',
	'structured data',
	'pdf',
	'batch',
	'url',
	'http',
	'website',
	'llm',
	'agent',
	'rag',
	'extract',
	'browser',
	'monitor',
];
