import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IBuilderHint,
	IHookFunctions,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { credentialTest } from '../WebData/lazyMethods';
import { readProperties } from './panel/properties';

// A constant, because one n8n lint plugin asks for the literal ['main'] here and the other forbids it.
const OUTPUTS = [NodeConnectionTypes.Main];

const BUILDER_HINT: IBuilderHint = {
	searchHint:
		'Event websiteChanged: Firecrawl checks the URLs on a schedule, for 1 credit a page and check, and starts the workflow with what changed. Event jobEvent: a crawl, batch scrape or agent that another workflow has started calls this one. Firecrawl must be able to reach n8n; otherwise use Web Data Poll Trigger.',
};

export class WebDataTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Data Trigger',
		name: 'webDataTrigger',
		icon: { light: 'file:../../icons/web-data-trigger.svg', dark: 'file:../../icons/web-data-trigger.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["event"] === "jobEvent" ? "Job Event" : "Website Changed" }}',
		description: 'Scrape, crawl and search the web with Firecrawl, or start when a website changes',
		defaults: { name: 'Web Data Trigger' },
		builderHint: BUILDER_HINT,
		inputs: [],
		outputs: OUTPUTS,
		credentials: [{ name: 'webDataApi', required: true, testedBy: 'webDataApiTest' }],
		webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'web-data' }],
		triggerPanel: {
			header: '',
			executionsHelp: {
				inactive:
					'<b>Listen for test event</b>: Website Changed checks the pages once, now (1 credit per page). Job Event waits for a job to call the test URL.<br /><br />Once the workflow is published (n8n 1: activated), it starts by itself.',
				active:
					'The workflow starts by itself. <b>Listen for test event</b>: Website Changed checks the pages once, now (1 credit per page). Job Event waits for a job to call the test URL.',
			},
			activationHint:
				'Once the workflow is published (n8n 1: activated), it starts on each change that Firecrawl finds, or on each event of a job.',
		},
		properties: readProperties(),
	};

	// Their code is loaded on first use: n8n loads every node at each of its starts, and runs few.
	methods = {
		credentialTest,
		listSearch: {
			async searchMonitors(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
				const { searchMonitors } = await import('./monitor/monitors');
				return await searchMonitors(this, filter);
			},
		},
	};

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				const { checkExists } = await import('./monitor/ownMonitor');
				return await checkExists(this);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				const { create } = await import('./monitor/ownMonitor');
				return await create(this);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				const { remove } = await import('./monitor/ownMonitor');
				return await remove(this);
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const { receive } = await import('./receive/receive');
		return await receive(this);
	}
}
