import type { Operation, Resource } from '../../operation/operation';
import { account } from './account';
import { agent } from './agent';
import { batchScrape } from './batchScrape';
import { browser } from './browser';
import { crawl } from './crawl';
import { dataTool } from './dataTool';
import { deepResearch } from './deepResearch';
import { extract } from './extract';
import { feedback } from './feedback';
import { llmsTxt } from './llmsTxt';
import { map } from './map';
import { monitor } from './monitor';
import { page } from './page';
import { parse } from './parse';
import { search } from './search';
import { support } from './support';

/** In the order in which people need them; legacy routes, and then what concerns the account and the service, come last. */
export const resources: Resource[] = [
	page,
	crawl,
	search,
	map,
	batchScrape,
	agent,
	dataTool,
	parse,
	browser,
	monitor,
	deepResearch,
	extract,
	llmsTxt,
	account,
	support,
	feedback,
];

/** The resource of a new node. */
export const DEFAULT_RESOURCE = page.value;

export interface FoundOperation {
	resource: Resource;
	operation: Operation;
}

/** The operation that the two parameters name, or undefined. */
export function findOperation(resourceValue: string, operationValue: string): FoundOperation | undefined {
	const resource = resources.find(({ value }) => value === resourceValue);
	const operation = resource?.operations.find(({ value }) => value === operationValue);
	return resource && operation && { resource, operation };
}
