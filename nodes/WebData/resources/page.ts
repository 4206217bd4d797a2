import type { INodeProperties } from 'n8n-workflow';
import { scrapePrice } from '../../cost/prices';
import { additionalFields, costLimits, optionList, pathId, toolFields, url } from '../../fields/basic';
import { choiceField } from '../../fields/field';
import { formats } from '../../fields/formats';
import {
	checkKeptValues,
	fromCharacter,
	maxPageCharacters,
	storeAsFiles,
	storePagesAsFiles,
} from '../../fields/job/pages';
import { scrapeOptions } from '../../fields/scrape/scrapeOptions';
import { toolsBeside } from '../../operation/dataTools';
import type { CallAnswer, CallOperation, ItemDraft, Resource } from '../../operation/operation';
import { filesToStore, partsOfPage } from '../../operation/pages';
import { pageTextBound, withinBound } from '../../operation/pageText';
import { checkedPage, valueCheckOf } from '../../operation/valueCheck';
import {
	addressOfPage,
	pageIn,
	pageOfAnswer,
	scrapeIdOf,
	scrapedUsage,
	sourceUrlOf,
	unknownFields,
	webPageJson,
} from '../../operation/webPage';
import { scrapedPage } from '../../service/jobs/jobKinds';

const pageOutput: INodeProperties = choiceField(
	'output',
	'Output',
	'simplified',
	'What to return for each page',
	[
		['Full Document', 'fullDocument', 'The same with all metadata of the page'],
		['Simplified', 'simplified', 'URL, title, description, the content you asked for, status, credits'],
	],
	{ send: false },
);

/** The page of an answer as one item. */
function toPageItems({ body, sent, values, asText }: CallAnswer): ItemDraft[] | undefined {
	const found = pageOfAnswer(body);
	if (!found) return undefined;
	const detail = values.output === 'fullDocument' ? 'fullDocument' : 'simplified';
	const { page, checked } = checkedPage(found, valueCheckOf(values, sent), detail);
	const form = { stored: filesToStore(values), asText };
	const requested = typeof sent.url === 'string' ? sent.url : sourceUrlOf(page);
	const tools = toolsBeside(page);
	const { kept, ...files } = partsOfPage(tools ? { ...page, tools } : page, form, addressOfPage(page) || requested);
	const json = withinBound(webPageJson(kept, detail, requested), pageTextBound(values, asText));
	return [{ json, ...files, ...(checked && { checked: [checked] }) }];
}

const get: CallOperation = {
	kind: 'call',
	value: 'get',
	name: 'Get',
	action: 'Get page that was scraped before',
	description: 'Collect the result of an earlier scrape, without paying for it again',
	request: { method: 'GET', path: '/v2/scrape/{scrapeId}', bucket: 'crawlStatus' },
	about: {
		id: 'scrapeId',
		what: 'scrape',
		orElse: 'its result has expired, or this server keeps none',
		from: 'Scrape, Crawl and Batch Scrape (as scrapeId)',
	},
	toItems: toPageItems,
	pagesOf: pageIn,
	usage: { unit: 'page', read: () => ({ amount: 1, credits: undefined }) },
	fields: [
		pathId(
			'Scrape ID',
			'scrapeId',
			'ID of the scrape (a UUID): scrapeId in the output of Scrape, Crawl or Batch Scrape',
		),
		pageOutput,
		optionList(checkKeptValues, storeAsFiles, maxPageCharacters, fromCharacter),
	],
};

/** Time that the service has for a page when none is sent (shape `scrapeOptions`). */
const DEFAULT_TIMEOUT_MS = 60_000;

/** The service's own time-out must come first: its answer says what happened. */
const SPARE_MS = 30_000;

export const scrape: CallOperation = {
	kind: 'call',
	value: 'scrape',
	name: 'Scrape',
	action: 'Scrape page to text or structured data',
	description: 'Get a page as clean Markdown, structured data, a screenshot and more',
	request: { method: 'POST', path: '/v2/scrape', bucket: 'scrape' },
	timeoutMs: ({ timeout }) => (typeof timeout === 'number' ? timeout : DEFAULT_TIMEOUT_MS) + SPARE_MS,
	toItems: toPageItems,
	notShown: ({ body }) => unknownFields(body),
	usage: scrapedUsage('page'),
	pagesOf: pageIn,
	worstCase: scrapePrice,
	recall: {
		idOf: scrapeIdOf,
		kind: scrapedPage,
		request: { ...get.request, path: '/v2/scrape/{id}' },
		collectWith: 'Page · Get',
	},
	fields: [
		url('Address of the page to scrape', 'e.g. https://example.com/article'),
		...formats(),
		pageOutput,
		scrapeOptions(undefined, {
			more: [
				storePagesAsFiles,
				maxPageCharacters,
				fromCharacter,
				...toolFields('summary', 'the site of the page'),
				...costLimits,
			],
			last: [additionalFields],
		}),
	],
};

export const page: Resource = {
	value: 'page',
	name: 'Page',
	description: 'Scrape one page: URL in, clean content out',
	operations: [scrape, get],
	defaultOperation: 'scrape',
};
