import type { Resource } from '../../operation/operation';
import { getPaper } from './getPaper';
import { getSimilarPapers } from './getSimilarPapers';
import { search as searchWeb } from './search';
import { searchDeveloper } from './searchDeveloper';
import { searchPapers } from './searchPapers';

export const search: Resource = {
	value: 'search',
	name: 'Search',
	description: 'Search the web, news or images, developer documents or scientific papers',
	operations: [searchWeb, searchDeveloper, searchPapers, getPaper, getSimilarPapers],
	defaultOperation: 'search',
};
