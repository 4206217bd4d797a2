import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IBuilderHint,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { credentialTest, listSearch, resourceMapping } from './lazyMethods';
import { readProperties } from './properties';

// Constants, because one n8n lint plugin asks for the literal ['main'] here and the other forbids it.
const INPUTS = [NodeConnectionTypes.Main];
const OUTPUTS = [NodeConnectionTypes.Main];

// Where the service calls an execution that is suspended. n8n registers it with no workflow, so there is nothing to
// set up or take down, which is what the lint plugin asks of a webhook that stands in the description. The path is
// CALL_PATH of run/suspension/suspension.ts, written out because each file more costs n8n's start.
const WEBHOOKS: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		path: 'job-ended',
		restartWebhook: true,
	},
];

// The two parameters in words, the same word once: "Batch Scrape: get errors", "Map". Then the one limit that counts most
// for the costs, because n8n's number field turns 2.5 into 25 and -5 into 5 while one types. n8n cuts off what is longer
// than a node, and a tool is the narrowest: beyond 26 characters the operation is left out, so that the limit is seen. A
// limit that an expression gives is not known yet.
const SUBTITLE =
	'={{ ((thing, action, limit) => [thing + (action === thing.toLowerCase() ? "" : ": " + action)].map((words) => (!limit ? words : (words + limit).length > 24 ? thing + ", " + limit : words + ", " + limit))[0])($parameter.resource.replace(/([A-Z])/g, " $1").replace(/^./, (one) => one.toUpperCase()), $parameter.operation.replace(/[A-Z]/g, (one) => " " + one.toLowerCase()), [[$rawParameter.maxCredits ?? ($rawParameter.options ?? $rawParameter.scrapeOptions ?? {}).maxCredits, "credits"], [$rawParameter.pageLimit, "pages"], [$rawParameter.maxResults, "results"]].filter(([most]) => typeof most === "number").map(([most, unit]) => "≤" + most + " " + unit)[0]) }}';

// What n8n's workflow builder and its MCP server read besides names and descriptions, from 2.41 on. Older ones pass it over.
const BUILDER_HINT: IBuilderHint = {
	searchHint:
		'Reads the live web through Firecrawl. One known URL: page, scrape. Many known URLs: batchScrape, start. The URLs of a site: map. A whole site: crawl, start, with pageLimit. A topic: search, with withContent to get the pages too. Facts whose page is unknown: agent, start, with maxCredits. Ready-made data from providers (companies, prices, people): dataTool, find, then run with inputsAs json. Files in binary fields: parse. Each run costs credits: a page 1 (with the format json 5), search 2 for each 10 results, map 1, parse 1 or 1 for each PDF page, agent up to its maxCredits, dataTool what find says; try with one URL and a small pageLimit, and set maxCredits in options. Each start waits for its job and returns the result: add no Wait node and no polling loop. deepResearch, extract and llmsTxt are legacy: use agent, search or page with the format json instead.',
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-web-data.webDataTrigger',
			relationHint: 'Starts the workflow when a page or a website changes, by webhook',
		},
		{
			nodeType: 'n8n-nodes-web-data.webDataPollTrigger',
			relationHint: 'Starts the workflow on new pages, changes or search results, by polling',
		},
	],
};

export class WebData implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Data',
		name: 'webData',
		icon: { light: 'file:../../icons/web-data.svg', dark: 'file:../../icons/web-data.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: SUBTITLE,
		description: 'Scrape, crawl and search the web with Firecrawl',
		defaults: { name: 'Web Data' },
		usableAsTool: true,
		builderHint: BUILDER_HINT,
		inputs: INPUTS,
		outputs: OUTPUTS,
		credentials: [{ name: 'webDataApi', testedBy: 'webDataApiTest' }],
		webhooks: WEBHOOKS,
		waitingNodeTooltip: 'Waiting for Firecrawl to report that the jobs have ended',
		properties: readProperties(),
	};

	methods = { listSearch, resourceMapping, credentialTest };

	// Loaded on first use: n8n loads every node at each of its starts, and runs few.
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { execute } = await import('./execute');
		return await execute(this);
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const { resume } = await import('../run/suspension/resume');
		return await resume(this);
	}
}
