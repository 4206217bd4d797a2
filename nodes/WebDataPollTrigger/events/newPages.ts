import type { INodeProperties } from 'n8n-workflow';

import { url } from '../../WebData/fields/basic/url';
import { MOST_KNOWN } from '../marks/knownAddresses';
import { newAddresses } from './newAddresses';
import type { PollEvent } from './pollEvent';

const maxLinks: INodeProperties = {
	displayName: 'Max Pages',
	name: 'maxLinks',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MOST_KNOWN, numberPrecision: 0 },
	default: 5000,
	description: `How many pages of the site to compare at most, 1 to ${MOST_KNOWN}`,
};

const search: INodeProperties = {
	displayName: 'Search',
	name: 'search',
	type: 'string',
	default: '',
	placeholder: 'e.g. blog',
	description:
		'Words that the pages should fit: the best of them are compared. Default: all pages.',
};

export const newPages: PollEvent = {
	value: 'newPages',
	name: 'New Pages on a Site',
	description: 'A page is in the map of a site that was not there before',
	notice:
		'Each poll maps the site, for about 1 credit: once an hour is 720 credits a month. A page that comes back is not new.',
	fields: [url('Address of the site to watch', 'e.g. https://example.com'), maxLinks, search],
	async look({ items }, values, mark) {
		const { url: site, maxLinks: most } = values;
		// A copy of up to a week would hide what is new.
		const options = { ignoreCache: true, ...(values.search !== '' && { search: values.search }) };
		const parameters = { url: site, maxLinks: most, output: 'links', options };
		const links = await items({ resource: 'map', operation: 'map', parameters });
		return newAddresses(links, ({ json }) => json.url, mark);
	},
};
