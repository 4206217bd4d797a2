import type { INodeProperties } from 'n8n-workflow';

import { byDisplayName } from '../basic/byDisplayName';
import { actions } from './actions';
import { auditMetadata, location } from '../basic/origin';
import { parsers } from './parsers';
import { contentOptions } from './scrapeOptionsContent';
import { fetchOptions } from './scrapeOptionsFetch';
import { privacyOptions } from './scrapeOptionsPrivacy';
import { threatProtection } from './threatProtection';
import { whereScraped } from '../formats/whereScraped';

/** Every option of the contract's shape `scrapeOptions` but the formats, as the panel lists them. */
export const scrapeOptionFields: INodeProperties[] = [
	...contentOptions,
	...fetchOptions,
	...privacyOptions,
	actions,
	auditMetadata,
	location,
	parsers,
	threatProtection,
].sort(byDisplayName);

/**
 * How pages are scraped. `parent` is where the request has these options: nothing for Scrape and Batch
 * Scrape, whose body holds them itself, `scrapeOptions` for Crawl and Search. `without` names options that
 * this operation has elsewhere, such as `zeroDataRetention` of a crawl.
 */
export function scrapeOptions(parent?: string, without: string[] = []): INodeProperties {
	return {
		displayName: 'Scrape Options',
		name: 'scrapeOptions',
		type: 'collection',
		placeholder: 'Add scrape option',
		default: {},
		description: 'How each page is fetched, and which parts of it are kept',
		displayOptions: whereScraped,
		options: scrapeOptionFields.filter(({ name }) => !without.includes(name)),
		...(parent !== undefined && { routing: { send: { type: 'body', property: parent } } }),
	};
}
