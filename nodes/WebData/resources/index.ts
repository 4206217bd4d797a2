import { batchScrape } from './batchScrape';
import { crawl } from './crawl';
import { deepResearch } from './deepResearch';
import { map } from './map';
import type { Operation, Resource } from '../operation/operation';
import { page } from './page';
import { search } from './search';

export const resources: Resource[] = [batchScrape, crawl, deepResearch, map, page, search];

/** The resource of a new node. */
export const DEFAULT_RESOURCE = deepResearch.value;

export interface FoundOperation {
	resource: Resource;
	operation: Operation;
}

/** The operation that the two parameters name, or undefined. */
export function findOperation(
	resourceValue: string,
	operationValue: string,
): FoundOperation | undefined {
	const resource = resources.find(({ value }) => value === resourceValue);
	const operation = resource?.operations.find(({ value }) => value === operationValue);
	return resource && operation && { resource, operation };
}
