import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IBuilderHint,
	IExecuteFunctions,
	INodeExecutionData,
	INodeInputConfiguration,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { credentialTest } from '../WebData/lazyMethods';
import { modelInputs } from './panel';
import { readProperties } from './properties';

// Constants, because one n8n lint plugin asks for the literal ['main'] here and the other forbids it.
const INPUTS: Array<typeof NodeConnectionTypes.Main | INodeInputConfiguration> = [
	NodeConnectionTypes.Main,
	...modelInputs,
];
const OUTPUTS = [NodeConnectionTypes.Main];

const BUILDER_HINT: IBuilderHint = {
	searchHint:
		'Answers a question from web pages, with numbered sources; code has checked each statement against its page. With operation fillColumns it fills the columns of each item (subject, website, columns: name, description, type) instead, for about 12 credits a row, as flat fields for a table. With operation checkText it tells of each sentence of a text whether the pages that it cites say so. Needs a chat model on its Chat Model input; Reading Model is an optional cheaper one for the pages. Each question costs about 50 credits and the tokens of the model. Returns when it is done: add no Wait node and no loop. Set maxUrls, timeLimit and maxCredits in options to bound the cost.',
};

export class WebResearch implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Research',
		name: 'webResearch',
		icon: { light: 'file:../../icons/web-research.svg', dark: 'file:../../icons/web-research.dark.svg' },
		group: ['transform'],
		version: 1,
		// Web Research Tool is the tool (docs/reference/n8n-internals.md#models-of-a-tool).
		usableAsTool: undefined,
		subtitle:
			'={{ { fillColumns: $parameter["subject"], checkText: "check a text" }[$parameter["operation"]] || $parameter["query"] }}',
		description:
			'Research a question, fill the columns of a table, or check a text against its sources, with your chat model and Firecrawl. Each statement and each cell has a quote that was looked up in its page.',
		defaults: { name: 'Web Research' },
		builderHint: BUILDER_HINT,
		inputs: INPUTS,
		outputs: OUTPUTS,
		credentials: [{ name: 'webDataApi', testedBy: 'webDataApiTest' }],
		properties: readProperties(),
	};

	methods = { credentialTest };

	// Loaded on first use: n8n loads every node at each of its starts, and runs few.
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { runResearch } = await import('./researchRun');
		return await runResearch(this, readProperties());
	}
}
