import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IHookFunctions,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { credentialTest } from '../WebData/run/onFirstUse';
import { readProperties } from './panel/properties';

// A constant, because one n8n lint plugin asks for the literal ['main'] here and the other forbids it.
const OUTPUTS = [NodeConnectionTypes.Main];

export class WebDataTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Data Trigger',
		name: 'webDataTrigger',
		icon: { light: 'file:../../icons/web-data.svg', dark: 'file:../../icons/web-data.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["event"] === "jobEvent" ? "Job Event" : "Website Changed" }}',
		description: 'Starts the workflow when a website has changed or a job has news',
		defaults: { name: 'Web Data Trigger' },
		inputs: [],
		outputs: OUTPUTS,
		credentials: [{ name: 'webDataApi', required: true, testedBy: 'webDataApiTest' }],
		webhooks: [
			{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'web-data' },
		],
		properties: readProperties(),
	};

	// What they need is loaded on first use: n8n loads every node at each of its starts, and runs few.
	methods = {
		credentialTest,
		listSearch: {
			async searchMonitors(
				this: ILoadOptionsFunctions,
				filter?: string,
			): Promise<INodeListSearchResult> {
				const { searchMonitors } = await import('./monitor/searchMonitors');
				return await searchMonitors(this, filter);
			},
		},
	};

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				const { checkExists } = await import('./monitor/lifecycle');
				return await checkExists(this);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				const { create } = await import('./monitor/lifecycle');
				return await create(this);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				const { remove } = await import('./monitor/lifecycle');
				return await remove(this);
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const { receive } = await import('./receive/receive');
		return await receive(this);
	}
}
