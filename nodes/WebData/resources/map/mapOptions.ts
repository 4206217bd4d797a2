import type { INodeProperties } from 'n8n-workflow';

import { auditMetadata, location } from '../../fields/basic/origin';
import { maxCredits } from '../../fields/basic/maxCredits';
import { additionalFields } from '../../fields/basic/additionalFields';
import { rareOptions } from '../../fields/basic/rareOptions';
import { optionList } from '../../fields/basic/optionList';
import { threatProtection } from '../../fields/scrape/threatProtection';

/** Most links of one map (operation map.map); servers of 2025 stop at 30,000. */
const MAX_LINKS = 100_000;

export const maxLinks: INodeProperties = {
	displayName: 'Max Links',
	name: 'maxLinks',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_LINKS, numberPrecision: 0 },
	default: 5000,
	description: `How many URLs to return at most, 1 to ${MAX_LINKS}`,
	routing: { send: { type: 'body', property: 'limit' } },
};

const options: INodeProperties[] = [
	{
		displayName: 'Search',
		name: 'search',
		type: 'string',
		default: '',
		placeholder: 'e.g. pricing',
		description: 'Words to order the URLs by, best match first',
		routing: { send: { type: 'body', property: 'search' } },
	},
	{
		displayName: 'Sitemap',
		name: 'sitemap',
		type: 'options',
		options: [
			{ name: 'Include', value: 'include', description: 'Sitemap and links of the pages' },
			{ name: 'Only', value: 'only', description: 'URLs of the sitemap only' },
			{ name: 'Skip', value: 'skip', description: 'Links of the pages only' },
		],
		default: 'include',
		description: 'How to use the sitemap of the site',
		routing: { send: { type: 'body', property: 'sitemap' } },
	},
	{
		displayName: 'Include Subdomains',
		name: 'includeSubdomains',
		type: 'boolean',
		default: true,
		description: 'Whether to list URLs on subdomains as well',
		routing: { send: { type: 'body', property: 'includeSubdomains' } },
	},
	{
		displayName: 'Ignore Query Parameters',
		name: 'ignoreQueryParameters',
		type: 'boolean',
		default: true,
		description: 'Whether to leave out URLs with a question mark',
		routing: { send: { type: 'body', property: 'ignoreQueryParameters' } },
	},
	location,
	{
		displayName: 'Ignore Cache',
		name: 'ignoreCache',
		type: 'boolean',
		default: false,
		description: 'Whether to read the sitemap again instead of a copy that is up to 7 days old',
		routing: { send: { type: 'body', property: 'ignoreCache' } },
	},
	{
		displayName: 'Timeout (Milliseconds)',
		name: 'timeout',
		type: 'number',
		typeOptions: { numberPrecision: 0 },
		default: 60_000,
		description: 'How many milliseconds Firecrawl may take. Without this option: no limit.',
		routing: { send: { type: 'body', property: 'timeout' } },
	},
];

export const mapOptions: INodeProperties = optionList(
	...options,
	maxCredits,
	rareOptions(threatProtection, auditMetadata),
	additionalFields,
);
