import type { INodeProperties } from 'n8n-workflow';

import { auditMetadata, location } from '../basic/origin';
import { rareOptions } from '../basic/rareOptions';
import { whereScraped } from '../formats/whereScraped';
import { actions } from './actions';
import { parsers } from './parsers';
import { excludeTags, includeTags, onlyMainContent, rareContent } from './scrapeOptionsContent';
import { commonFetch, rareFetch, timeout } from './scrapeOptionsFetch';
import { redactPersonalData, zeroDataRetention } from './scrapeOptionsPrivacy';
import { threatProtection } from './threatProtection';

/** Every option of the contract's shape `scrapeOptions` but the formats and the rare ones. */
const common: INodeProperties[] = [
	onlyMainContent,
	includeTags,
	excludeTags,
	...commonFetch,
	actions,
	parsers,
	location,
	timeout,
];

const rare: INodeProperties[] = [
	...rareFetch,
	...rareContent,
	redactPersonalData,
	zeroDataRetention,
	threatProtection,
	auditMetadata,
];

/** What an operation has otherwise than the others. */
interface Deviations {
	/** Names of options that it has elsewhere, such as `zeroDataRetention` of a crawl. */
	without?: string[];
	/** Options of pages that are not sent, such as what is stored as a file. */
	more?: INodeProperties[];
	/** What stands at the end of the list, behind the rare options. */
	last?: INodeProperties[];
}

/**
 * How pages are scraped. `parent` is where the request has these options: nothing for Scrape and Batch
 * Scrape, whose body holds them itself, `scrapeOptions` for Crawl and Search.
 */
export function scrapeOptions(
	parent?: string,
	{ without = [], more = [], last = [] }: Deviations = {},
): INodeProperties {
	const kept = (options: INodeProperties[]) =>
		options.filter(({ name }) => !without.includes(name));
	return {
		...scrapeOptionList(...kept(common), ...more, rareOptions(...kept(rare)), ...last),
		...(parent !== undefined && { routing: { send: { type: 'body', property: parent } } }),
	};
}

/** The same list for an operation that has only some of these options, in the same order. */
export function scrapeOptionList(...options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Page Options',
		name: 'scrapeOptions',
		type: 'collection',
		placeholder: 'Add page option',
		default: {},
		description: 'How each page is fetched, and which parts of it are kept',
		displayOptions: whereScraped,
		options,
	};
}
