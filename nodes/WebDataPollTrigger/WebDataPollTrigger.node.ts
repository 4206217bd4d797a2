import { NodeConnectionTypes } from 'n8n-workflow';
import type { IBuilderHint, INodeExecutionData, INodeType, INodeTypeDescription, IPollFunctions } from 'n8n-workflow';
import { credentialTest } from '../WebData/lazyMethods';
import { readProperties } from './properties';

// A constant, because one n8n lint plugin asks for the literal ['main'] here and the other forbids it.
const OUTPUTS = [NodeConnectionTypes.Main];

// The event's value in words: newPages is New Pages.
const SUBTITLE = '={{ $parameter["event"].replace(/([A-Z])/g, " $1").replace(/^./, (first) => first.toUpperCase()) }}';

const BUILDER_HINT: IBuilderHint = {
	searchHint:
		'Watches the web without a public n8n address. Set pollTimes: each poll of a page or a site costs about 1 credit, so every hour or every day instead of every minute. The first poll records the starting point and starts nothing.',
};

export class WebDataPollTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Data Poll Trigger',
		name: 'webDataPollTrigger',
		icon: {
			light: 'file:../../icons/web-data-poll-trigger.svg',
			dark: 'file:../../icons/web-data-poll-trigger.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: SUBTITLE,
		description:
			'Start when a page changes, a site has new pages, a search has new results, a Firecrawl job ends or credits run low',
		defaults: { name: 'Web Data Poll Trigger' },
		builderHint: BUILDER_HINT,
		polling: true,
		inputs: [],
		outputs: OUTPUTS,
		credentials: [{ name: 'webDataApi', required: true, testedBy: 'webDataApiTest' }],
		properties: readProperties(),
	};

	// Their code is loaded on first use: n8n loads every node at each of its starts, and runs few.
	methods = {
		credentialTest,
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const { poll } = await import('./poll');
		return await poll(this);
	}
}
