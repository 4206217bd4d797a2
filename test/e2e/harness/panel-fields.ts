/** Fields of each operation as its panel shows them, without the credential and the two choosers. */
export const panelFields: Readonly<Record<string, readonly string[]>> = {
	'Page, Scrape': ['URL', 'Formats', 'Output', 'Scrape Options', 'Options'],
	'Page, Get': ['Scrape ID', 'Output', 'Options'],
	'Crawl, Start': [
		'URL',
		'Page Limit',
		'Formats',
		'Wait for Completion',
		'Output',
		'Scrape Options',
		'Options',
	],
	'Crawl, Get': ['Job ID', 'Wait for Completion', 'Output', 'Return All', 'Options'],
	'Batch Scrape, Start': [
		'URLs From',
		'URL',
		'Skip Invalid URLs',
		'Formats',
		'Wait for Completion',
		'Output',
		'Scrape Options',
		'Options',
	],
	'Batch Scrape, Get': ['Job ID', 'Wait for Completion', 'Output', 'Return All', 'Options'],
	'Map, Map': ['URL', 'Output', 'Options'],
	'Search, Search Web': [
		'Query',
		'Sources',
		'Max Results per Source',
		'With Page Content',
		'Output',
		'Options',
	],
	'Search, Get Paper': ['Paper ID', 'Options'],
};

/** What n8n offers when the node is chosen, by resource and in n8n's order. */
export const nodeActions: readonly string[] = [
	'Cancel a batch scrape',
	'Get a batch scrape',
	'Get errors of a batch scrape',
	'Scrape a batch of pages',
	'Cancel a crawl',
	'Get a crawl',
	'Get errors of a crawl',
	'Get many active crawls',
	'Preview options of a crawl',
	'Crawl a site',
	'Get deep research',
	'Start deep research',
	'Map a site',
	'Get an earlier scrape',
	'Scrape a page',
	'Get a scientific paper',
	'Get similar scientific papers',
	'Search developer documents',
	'Search scientific papers',
	'Search the web',
];

const pageOptions = [
	'Actions',
	'Audit User Name',
	'Block Ads',
	'Exclude Tags',
	'Fast Mode',
	'File Parsers',
	'Headers',
	'Include Tags',
	'Location',
	'Lockdown',
	'Max Age (Milliseconds)',
	'Min Age (Milliseconds)',
	'Mobile',
	'Only Clean Content',
	'Only Main Content',
	'Profile',
	'Proxy',
	'Redact Personal Data',
	'Remove Base64 Images',
	'Skip TLS Verification',
	'Store in Cache',
	'Threat Protection',
	'Timeout (Milliseconds)',
	'Wait Before Capture (Milliseconds)',
];

/** The group Scrape Options of Page, Scrape. */
export const scrapeOptions: readonly string[] = [...pageOptions, 'Zero Data Retention'];

/** Options of Crawl, Start that do not need the node to wait. */
export const crawlOptions: readonly string[] = [
	'Allow External Links',
	'Allow Subdomains',
	'Crawl Entire Domain',
	'Deduplicate Similar URLs',
	'Delay (Seconds)',
	'Exclude Paths',
	'Ignore Query Parameters',
	'Ignore robots.txt',
	'Include Paths',
	'Match Paths on Full URL',
	'Max Concurrency',
	'Max Depth',
	'Prompt',
	'Robots User Agent',
	'Sitemap',
	'Webhook',
	'Zero Data Retention',
];

/** The same, and those for a node that waits. */
export const crawlOptionsWhenWaiting: readonly string[] = [
	...crawlOptions,
	'Store as Files',
	'Wait Options',
].sort();

/** The group Scrape Options of a crawl, which has zero data retention for all of its pages at once. */
export const crawlScrapeOptions: readonly string[] = pageOptions;

/** The group Wait Options of a crawl. The interval belongs to fixed polling, so it comes with that. */
export const crawlWaitOptions: readonly string[] = [
	'Cancel the Job When the Execution Is Stopped',
	'Max Jobs at Once',
	'Max Wait (Seconds)',
	'Polling',
	'When Max Wait Is Reached',
	'When the Job Fails or Is Cancelled',
];
