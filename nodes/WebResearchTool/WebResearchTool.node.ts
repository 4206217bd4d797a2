import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { credentialTest } from '../WebData/lazyMethods';
import { modelInputs } from '../WebResearch/panel';
import { readProperties } from './properties';

const OUTPUTS = [NodeConnectionTypes.AiTool];

// A separate node, because a node that n8n wraps as a tool cannot have model inputs (docs/reference/n8n-internals.md#models-of-a-tool).
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
			'Research a question on the web for an AI agent. Each statement has a quote that was looked up in its page.',
		defaults: { name: 'Web Research Tool' },
		inputs: modelInputs,
		outputs: OUTPUTS,
		outputNames: ['Tool'],
		credentials: [{ name: 'webDataApi', testedBy: 'webDataApiTest' }],
		properties: readProperties(),
	};

	methods = { credentialTest };

	// Loaded on first use: n8n loads every node at each of its starts, and runs few.
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { runResearch } = await import('../WebResearch/researchRun');
		return await runResearch(this, readProperties());
	}
}
