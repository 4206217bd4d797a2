import type { IDataObject } from 'n8n-workflow';
import { isJsonObject } from '../service/http/answer';

/** A source of documents: an operation of Web Data, with what the loader sets by itself. */
export interface Source {
	value: string;
	name: string;
	description: string;
	resource: string;
	operation: string;
	/** The noun for one document of it, to be counted: `page`. */
	unit: string;
	/** Its documents differ with the input item even where no parameter holds an expression. */
	readsItems?: boolean;
}

export const SOURCES: Source[] = [
	{
		value: 'batch',
		name: 'Batch of Pages',
		description: 'Many pages by their URLs, in one job',
		resource: 'batchScrape',
		operation: 'start',
		unit: 'page',
	},
	{
		value: 'crawl',
		name: 'Crawl',
		description: 'The pages of a website, following its links',
		resource: 'crawl',
		operation: 'start',
		unit: 'page',
	},
	{
		value: 'file',
		name: 'File',
		description: 'A PDF, Word, Excel or other file in a binary field of the input',
		resource: 'parse',
		operation: 'parseFile',
		unit: 'file',
		readsItems: true,
	},
	{
		value: 'page',
		name: 'Page',
		description: 'One page by its URL',
		resource: 'page',
		operation: 'scrape',
		unit: 'page',
	},
	{
		value: 'search',
		name: 'Search Results',
		description: 'The pages that a web search finds',
		resource: 'search',
		operation: 'search',
		unit: 'page',
	},
];

/** Fields of Web Data that the loader has no choice of: each is what makes its pages documents. */
const FIXED: Readonly<Record<string, unknown>> = {
	formats: ['markdown'],
	waitForCompletion: true,
	withContent: true,
	sources: ['web'],
};

/**
 * Options that do not belong to documents, wherever they stand. What is new since the last run is not told here: it
 * would count as put out when the documents are loaded, and be lost when the vector store then fails.
 */
const WITHOUT_OPTIONS = [
	'failedPages',
	'fromCharacter',
	'ignoredLines',
	'ignoredParts',
	'maxPageCharacters',
	'memoryTable',
	'onlyChanged',
	'storeAsFiles',
	'storeTextAsFiles',
	'webhook',
];

/** True for a field that the loader sets by itself, or for an option that it does not have. */
export function isSetByLoader(name: string): boolean {
	return Object.hasOwn(FIXED, name) || name === 'output' || WITHOUT_OPTIONS.includes(name);
}

/**
 * The value that an operation reads for a parameter: that of the loader, else `stored`. What the panel does not
 * show may be stored all the same, in a workflow that was written by hand.
 */
export function valueFor(
	{ resource, operation }: Source,
	name: string,
	stored: () => unknown,
	byDefault: unknown,
): unknown {
	if (name === 'resource') return resource;
	if (name === 'operation') return operation;
	if (name === 'output') return byDefault;
	if (Object.hasOwn(FIXED, name)) return FIXED[name];
	const value = stored();
	if ((name !== 'options' && name !== 'scrapeOptions') || !isJsonObject(value)) return value;
	const kept = Object.entries(value).filter(([option]) => !WITHOUT_OPTIONS.includes(option));
	// The failed pages come as items, so that they can be named.
	return Object.fromEntries(name === 'options' ? [...kept, ['failedPages', true]] : kept) as IDataObject;
}
