import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { findOperation } from '../../WebData/resources';
import { url } from '../../fields/basic';
import { numberField, textField } from '../../fields/field';
import type { JsonObject } from '../../service/http/transport';
import { pageKey, sameAddress } from '../../text/addresses';
import { MAX_KNOWN, compareHashes, packHashes, shortHashes, unpackHashes } from '../marks/hashes';
import { PollFailure, isExpression } from './pollEvent';
import type { PollEvent, PollReader, PollResult } from './pollEvent';

/** So many are listed at most that as many again can be away and stay known. */
const MAX_PAGES = MAX_KNOWN / 2;

const maxLinks: INodeProperties = numberField(
	'maxLinks',
	'Max Pages',
	5000,
	`How many pages of the site to compare at most, 1 to ${MAX_PAGES}`,
	{ min: 1, max: MAX_PAGES, send: false },
);

const search: INodeProperties = textField(
	'search',
	'Search',
	'Compare only pages that match these words, best matches first. Without this option: all pages.',
	{ placeholder: 'e.g. blog', send: false },
);

export const newPages: PollEvent = {
	value: 'newPages',
	name: 'New Pages on a Site',
	description: 'A site has a page that was not there before',
	notice: 'Each poll costs about 1 credit. A page that disappears and returns is not new.',
	fields: [url('Address of the site to watch', 'e.g. https://example.com'), maxLinks, search],
	isOfAccount: () => false,
	watched: ({ values, written }) => ({
		url: siteOf(values.url, written.url),
		maxLinks: written.maxLinks,
		search: written.search,
	}),
	isMark: hasHashes,
	async poll(reader, values, mark) {
		const { url: site, maxLinks: most } = values;
		// A copy of up to a week would hide what is new.
		const options = { ignoreCache: true, ...(values.search !== '' && { search: values.search }) };
		const parameters = { url: site, maxLinks: most, output: 'links', options };
		const links = await reader.items({ resource: 'map', operation: 'map', parameters });
		// Else all of its pages would be new at the next poll.
		if (links.length === 0 && !mark) throw emptyMap(String(site));
		const look = await newAddresses(links, ({ json }) => json.url, mark, reader);
		// Said by a later poll: an error at the first would keep the workflow from being published.
		const isFull = mark !== undefined && links.length >= Number(most);
		return { ...look, ...(isFull && { failure: fullMap(String(site), Number(most)) }) };
	},
};

function emptyMap(site: string): PollFailure {
	return new PollFailure({
		trouble: 'empty map',
		message: `The map of ${site} lists no page, so there is nothing to compare with yet. The next polls look again.`,
	});
}

function fullMap(site: string, most: number): PollFailure {
	return new PollFailure({
		trouble: 'full map',
		message: `${site} has as many pages as Max Pages allows (${most}), or more: those behind them are not compared. Raise Max Pages, or narrow the list with Search.`,
	});
}

/**
 * The site that is watched. An address from an expression, with the date of today in it, names other pages of
 * the same site at each poll, and those are new; on another host it is another site.
 */
function siteOf(address: unknown, written: unknown): JsonObject {
	const text = String(address ?? '');
	if (!isExpression(written)) return { address: sameAddress(text) };
	return { written, host: URL.canParse(text) ? new URL(text).host : text };
}

function hasHashes({ known }: JsonObject): boolean {
	return typeof known === 'string';
}

/** The new ones among items that each have an address, by `addressOf`. */
async function newAddresses(
	items: INodeExecutionData[],
	addressOf: (item: INodeExecutionData) => unknown,
	mark: JsonObject | undefined,
	{ pause }: Pick<PollReader, 'pause'>,
): Promise<PollResult> {
	const named = items.flatMap((item) => {
		const address = addressOf(item);
		return typeof address === 'string' ? [{ item, address }] : [];
	});
	const earlier = unpackHashes(mark?.known);
	const hashes = await shortHashes(
		named.map(({ address }) => pageKey(address)),
		pause,
	);
	const { fresh, known } = compareHashes(earlier, hashes);
	const news = fresh.flatMap((position) => named[position] ?? []);
	return {
		news: news.map(({ item }) => item),
		mark: { known: packHashes(known) },
		sample: named[0]?.item,
	};
}

/** The fields of Search Web that say what is searched for. */
function searchFields(): INodeProperties[] {
	const fields = findOperation('search', 'search')?.operation.fields ?? [];
	return fields.filter(({ name }) => ['query', 'sources', 'maxResults'].includes(name));
}

export const newResults: PollEvent = {
	value: 'newResults',
	name: 'New Search Results',
	description: 'A web search has a result that it did not have before',
	notice: 'Each poll costs 2 credits for each 10 results.',
	fields: searchFields(),
	isOfAccount: () => false,
	// As it is written: a query with the date of today in it is the same search tomorrow.
	watched: ({ written: { query, sources, maxResults } }) => ({ query, sources, maxResults }),
	isMark: hasHashes,
	async poll(reader, { query, sources, maxResults }, mark) {
		const parameters = { query, sources, maxResults, withContent: false, output: 'results' };
		const results = await reader.items({ resource: 'search', operation: 'search', parameters });
		return await newAddresses(results, ({ json }) => json.url ?? json.imageUrl, mark, reader);
	},
};
