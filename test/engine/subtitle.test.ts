import { Workflow } from 'n8n-workflow';
import type { INodeParameters, INodeTypes } from 'n8n-workflow';

import { builtPackage } from './run';

/** What n8n writes below the node on the canvas. */
async function subtitleOf(parameters: INodeParameters): Promise<unknown> {
	const { descriptions } = await builtPackage();
	const description = descriptions.find(({ name }) => name === 'webData');
	if (!description) throw new Error('The package has no node.');
	const node = { id: '1', name: 'Web Data', type: 'webData', typeVersion: 1, parameters };
	const nodeTypes: INodeTypes = {
		getByName: () => ({ description }),
		getByNameAndVersion: () => ({ description }),
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({
		nodes: [{ ...node, position: [0, 0] }],
		connections: {},
		active: false,
		nodeTypes,
	});
	const [built] = Object.values(workflow.nodes);
	if (!built) throw new Error('The workflow has no node.');
	return workflow.expression.getSimpleParameterValue(built, description.subtitle, 'internal', {});
}

const crawl = { resource: 'crawl', operation: 'start', url: 'https://example.com' };

it.each([
	['the two choices', { resource: 'batchScrape', operation: 'getErrors' }, 'Batch Scrape: get errors'],
	['the page limit that n8n made of 2.5', { ...crawl, pageLimit: 25 }, 'Crawl: start, ≤25 pages'],
	['the page limit by default', crawl, 'Crawl: start, ≤100 pages'],
	[
		'the number of results',
		{ resource: 'search', operation: 'search', query: 'x', maxResults: 7 },
		'Search, ≤7 results',
	],
	['one word where operation and resource have the same', { resource: 'map', operation: 'map' }, 'Map'],
	[
		'the whole cap of a search tool, which is narrower than a node',
		{ resource: 'search', operation: 'search', options: { maxCredits: 10 } },
		'Search, ≤10 credits',
	],
	[
		'the cap among the options',
		{ ...crawl, pageLimit: '={{ $json.most }}', options: { maxCredits: 50 } },
		'Crawl: start, ≤50 credits',
	],
	[
		'the cap of a scrape',
		{ resource: 'page', operation: 'scrape', scrapeOptions: { maxCredits: 5 } },
		'Page: scrape, ≤5 credits',
	],
	[
		'only the cap where there are two limits: n8n cuts off what is too long',
		{ ...crawl, pageLimit: 40, options: { maxCredits: 50 } },
		'Crawl: start, ≤50 credits',
	],
	[
		'the cap without the operation, which would push it out of sight',
		{ resource: 'batchScrape', operation: 'start', options: { maxCredits: 1000 } },
		'Batch Scrape, ≤1000 credits',
	],
	['no limit that an expression gives', { ...crawl, pageLimit: '={{ $json.most }}' }, 'Crawl: start'],
])('the canvas shows %s', async (_what, parameters, expected) => {
	expect(await subtitleOf(parameters)).toBe(expected);
});
