import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { findOperation } from '../../WebData/resources';
import { optionFields, url } from '../../fields/basic';
import { numberField, textField } from '../../fields/field';
import { isJsonObject } from '../../service/http/answer';
import type { JsonObject } from '../../service/http/transport';
import { pageKey, sameAddress, siteName } from '../../text/addresses';
import { MAX_KNOWN, compareHashes, packHashes, shortHashes, unpackHashes } from '../marks/hashes';
import { newsMessage, newsOutput } from './newsMessage';
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
	notice: 'About 1 credit a poll. A page that returns is not new.',
	fields: [url('Address of the site to watch', 'e.g. https://example.com'), maxLinks, search, newsOutput('Page')],
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
		const found = await newAddresses(links, ({ json }) => json.url, mark, reader);
		const look = asAsked(found, values.output, { thing: 'page', where: siteName(String(site)) });
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

/** What is new, and the first of all that there is. */
interface FoundAddresses extends Pick<PollResult, 'news' | 'mark'> {
	sample: INodeExecutionData[];
}

/** The new ones among items that each have an address, by `addressOf`. */
async function newAddresses(
	items: INodeExecutionData[],
	addressOf: (item: INodeExecutionData) => unknown,
	mark: JsonObject | undefined,
	{ pause }: Pick<PollReader, 'pause'>,
): Promise<FoundAddresses> {
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
		sample: named.slice(0, MAX_SHOWN).map(({ item }) => item),
	};
}

/** What a run by hand shows in a message, as if it were new. */
const MAX_SHOWN = 3;

/** What was found as the items that the panel asks for. */
function asAsked(
	{ news, sample, mark }: FoundAddresses,
	output: unknown,
	words: Parameters<typeof newsMessage>[1],
): PollResult {
	if (output !== 'message') return { news, mark, sample: sample[0] };
	const asMessage = (items: INodeExecutionData[]) => (items.length === 0 ? [] : [newsMessage(items, words)]);
	return { news: asMessage(news), mark, sample: asMessage(sample)[0] };
}

/** Options of a search that say what it finds. */
const SEARCH_OPTIONS = ['tbs', 'includeDomains', 'excludeDomains', 'country', 'location', 'lang'];

/** The fields of Search Web that say what is searched for. */
function searchFields(): INodeProperties[] {
	const fields = findOperation('search', 'search')?.operation.fields ?? [];
	const isOfSearch = ({ name }: INodeProperties): boolean => ['query', 'sources', 'maxResults'].includes(name);
	const options = fields
		.filter(({ name }) => name === 'options')
		.map((field) => ({ ...field, options: optionFields(field).filter(({ name }) => SEARCH_OPTIONS.includes(name)) }));
	return [...fields.filter(isOfSearch), newsOutput('Result'), ...options];
}

/** As a history knows the options; undefined for none, as before there were any. */
function chosenOptions(options: unknown): unknown {
	return isJsonObject(options) && Object.keys(options).length > 0 ? options : undefined;
}

export const newResults: PollEvent = {
	value: 'newResults',
	name: 'New Search Results',
	description: 'A web search has a result that it did not have before',
	notice: 'Each poll costs 2 credits for each 10 results.',
	fields: searchFields(),
	isOfAccount: () => false,
	// As it is written: a query with the date of today in it is the same search tomorrow.
	watched: ({ written: { query, sources, maxResults, options } }) => ({
		query,
		sources,
		maxResults,
		options: chosenOptions(options),
	}),
	isMark: hasHashes,
	async poll(reader, { query, sources, maxResults, output, options }, mark) {
		const parameters = { query, sources, maxResults, withContent: false, output: 'results', options };
		const results = await reader.items({ resource: 'search', operation: 'search', parameters });
		const found = await newAddresses(results, ({ json }) => json.url ?? json.imageUrl, mark, reader);
		return asAsked(found, output, { thing: 'result', where: String(query) });
	},
};
