import type { StoredCredential, WorkflowDefinition } from '../../../n8n/client.ts';
import { nodeType } from './product.ts';
import { manualTrigger } from './workflows.ts';

/** The node that is used most for this service. */
export const OTHER_PACKAGE = '@mendable/n8n-nodes-firecrawl';
export const OTHER_VERSION = '2.1.2';

const URL = 'https://example.com';

/** A node and where it stands on the canvas. */
export interface PlacedNode {
	name: string;
	type: string;
	typeVersion: number;
	parameters: object;
	at: [number, number];
	credential?: StoredCredential;
	/** Names of the nodes behind its outputs, output by output. */
	to: string[][];
}

const other = (name: string, operation: string, parameters: object) => ({
	name,
	type: `${OTHER_PACKAGE}.firecrawl`,
	typeVersion: 1,
	parameters: { operation, ...parameters },
});
const ours = (name: string, parameters: object) => ({
	name,
	type: nodeType,
	typeVersion: 1,
	parameters,
});
const end = (name: string, at: [number, number]): PlacedNode => ({
	name,
	type: 'n8n-nodes-base.noOp',
	typeVersion: 1,
	parameters: {},
	at,
	to: [],
});
const trigger = (...to: string[]): PlacedNode => ({
	...manualTrigger,
	parameters: {},
	at: [-220, 130],
	to: [to],
});

/** Scrapes a URL, above with the other node, below with ours. Both end in the page's text. */
export function scrapeNodes(theirs: StoredCredential, own: StoredCredential): PlacedNode[] {
	const fields = ['url', 'title', 'markdown'].map((name) => ({
		id: name,
		name,
		type: 'string',
		value: `={{ $json.data.${name === 'markdown' ? name : `metadata.${name}`} }}`,
	}));
	return [
		trigger('Firecrawl', 'Web Data'),
		{
			...other('Firecrawl', 'scrape', { resource: 'Scraping', url: URL }),
			at: [0, 0],
			credential: theirs,
			to: [['Take It out of data']],
		},
		{
			name: 'Take It out of data',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { assignments: { assignments: fields }, options: {} },
			at: [220, 0],
			to: [['The Page']],
		},
		end('The Page', [440, 0]),
		{
			...ours('Web Data', { resource: 'page', operation: 'scrape', url: URL }),
			at: [0, 260],
			credential: own,
			to: [['The Page too']],
		},
		end('The Page too', [220, 260]),
	];
}

/** Crawls a site and waits, above with the other node, below with ours. */
export function crawlNodes(theirs: StoredCredential, own: StoredCredential): PlacedNode[] {
	const isDone = {
		id: 'done',
		leftValue: '={{ $json.data.status }}',
		rightValue: 'completed',
		operator: { type: 'string', operation: 'equals' },
	};
	return [
		trigger('Start Crawl', 'Web Data'),
		{
			...other('Start Crawl', 'crawl', { resource: 'Crawling', url: URL, limit: 100 }),
			at: [0, 0],
			credential: theirs,
			to: [['Wait']],
		},
		{
			name: 'Wait',
			type: 'n8n-nodes-base.wait',
			typeVersion: 1.1,
			parameters: { amount: 5, unit: 'seconds' },
			at: [220, 0],
			to: [['Get Status']],
		},
		{
			...other('Get Status', 'getCrawlStatus', {
				resource: 'Crawling',
				crawlId: "={{ $('Start Crawl').item.json.id }}",
			}),
			at: [440, 0],
			credential: theirs,
			to: [['Completed?']],
		},
		{
			name: 'Completed?',
			type: 'n8n-nodes-base.if',
			typeVersion: 2.2,
			parameters: {
				conditions: {
					options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
					combinator: 'and',
					conditions: [isDone],
				},
				options: {},
			},
			at: [660, 0],
			to: [['One Item per Page'], ['Wait']],
		},
		{
			name: 'One Item per Page',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'data.data', options: {} },
			at: [880, 0],
			to: [['The Pages']],
		},
		end('The Pages', [1100, 0]),
		{
			...ours('Web Data', { resource: 'crawl', operation: 'start', url: URL }),
			at: [0, 260],
			credential: own,
			to: [['The Pages too']],
		},
		end('The Pages too', [220, 260]),
	];
}

/** The workflow of these nodes. */
export function toWorkflow(name: string, nodes: readonly PlacedNode[]): WorkflowDefinition {
	return {
		name,
		nodes: nodes.map(
			({ name, type, typeVersion, parameters, at: position, credential }, index) => ({
				id: `node-${index}`,
				name,
				type,
				typeVersion,
				parameters,
				position,
				...(type.endsWith('.wait') && { webhookId: 'wait' }),
				...(credential && {
					credentials: { [credential.type]: { id: credential.id, name: credential.name } },
				}),
			}),
		),
		connections: Object.fromEntries(
			nodes.map((node) => [
				node.name,
				{
					main: node.to.map((targets) =>
						targets.map((target) => ({ node: target, type: 'main', index: 0 })),
					),
				},
			]),
		),
		settings: { executionOrder: 'v1' },
	};
}
