import type { INodeProperties } from 'n8n-workflow';

import type { JsonObject } from '../../service/http/transport';
import { addressKey } from '../../text/addressKey';
import { url } from '../../WebData/fields/basic';
import { MAX_KNOWN } from '../marks/knownHashes';
import { newAddresses } from './newAddresses';
import { isExpression } from './pollEvent';
import type { PollEvent } from './pollEvent';

/** So many are listed at most that as many again can be away and stay known. */
const MAX_PAGES = MAX_KNOWN / 2;

const maxLinks: INodeProperties = {
	displayName: 'Max Pages',
	name: 'maxLinks',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_PAGES, numberPrecision: 0 },
	default: 5000,
	description: `How many pages of the site to compare at most, 1 to ${MAX_PAGES}`,
};

const search: INodeProperties = {
	displayName: 'Search',
	name: 'search',
	type: 'string',
	default: '',
	placeholder: 'e.g. blog',
	description:
		'Compare only pages that match these words, best matches first. Without this option: all pages.',
};

export const newPages: PollEvent = {
	value: 'newPages',
	name: 'New Pages on a Site',
	description: 'A site has a page that was not there before',
	notice:
		'Each poll costs about 1 credit. A page that disappears and returns is not new: 50,000 addresses are remembered.',
	fields: [url('Address of the site to watch', 'e.g. https://example.com'), maxLinks, search],
	isOfAccount: false,
	watched: ({ values, written }) => ({
		url: siteOf(values.url, written.url),
		maxLinks: written.maxLinks,
		search: written.search,
	}),
	async look(reader, values, mark) {
		const { url: site, maxLinks: most } = values;
		// A copy of up to a week would hide what is new.
		const options = { ignoreCache: true, ...(values.search !== '' && { search: values.search }) };
		const parameters = { url: site, maxLinks: most, output: 'links', options };
		const links = await reader.items({ resource: 'map', operation: 'map', parameters });
		return await newAddresses(links, ({ json }) => json.url, mark, reader);
	},
};

/**
 * The site that is watched. An address from an expression, with the date of today in it, names other pages of
 * the same site at each poll, and those are new; on another host it is another site.
 */
function siteOf(address: unknown, written: unknown): JsonObject {
	const text = String(address ?? '');
	if (!isExpression(written)) return { address: addressKey(text) };
	return { written, host: URL.canParse(text) ? new URL(text).host : text };
}
