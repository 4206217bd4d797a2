import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeInputConfiguration,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

import { credentialTest } from '../WebData/run/onFirstUse';
import { readProperties } from './properties';

const INPUTS: INodeInputConfiguration[] = [
	{
		type: NodeConnectionTypes.AiLanguageModel,
		displayName: 'Chat Model',
		required: true,
		maxConnections: 1,
	},
	{ type: NodeConnectionTypes.AiLanguageModel, displayName: 'Reading Model', maxConnections: 1 },
];
const OUTPUTS = [NodeConnectionTypes.AiTool];

// A node of its own, because a node that n8n wraps as a tool has no models (docs/n8n-internals.md#models-of-a-tool).
export class WebResearchTool implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Research Tool',
		name: 'webResearchTool',
		icon: { light: 'file:../../icons/web-data.svg', dark: 'file:../../icons/web-data.dark.svg' },
		group: ['transform'],
		version: 1,
		// It is a tool already.
		usableAsTool: undefined,
		subtitle: '={{ $parameter["query"] }}',
		description:
			'Deep research for an AI agent: answers a question from web pages, every statement checked against its page',
		defaults: { name: 'Web Research Tool' },
		inputs: INPUTS,
		outputs: OUTPUTS,
		outputNames: ['Tool'],
		credentials: [{ name: 'webDataApi', required: true, testedBy: 'webDataApiTest' }],
		properties: readProperties(),
	};

	methods = { credentialTest };

	// Loaded on first use: n8n loads every node at each of its starts, and runs few.
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { runResearch } = await import('../WebResearch/runResearch');
		return await runResearch(this, readProperties());
	}
}
