import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeType, INodeTypeDescription, ISupplyDataFunctions, SupplyData } from 'n8n-workflow';
import { credentialTest, listSearch } from '../WebData/lazyMethods';
import { readProperties } from './properties';

// Literals only: n8n evaluates this text by itself.
const INPUTS =
	'={{ $parameter["cut"] === "splitter" ? [{ type: "ai_textSplitter", displayName: "Text Splitter", maxConnections: 1, required: true }] : [] }}' as const;
const OUTPUTS = [NodeConnectionTypes.AiDocument];

export class WebDataLoader implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Data Loader',
		name: 'webDataLoader',
		icon: { light: 'file:../../icons/web-data-loader.svg', dark: 'file:../../icons/web-data-loader.dark.svg' },
		group: ['transform'],
		version: 1,
		// It supplies another node, which may be a tool.
		usableAsTool: undefined,
		subtitle: '={{ $parameter["source"].replace(/^./, (first) => first.toUpperCase()) }}',
		description: 'Load web pages or files into a vector store with Firecrawl',
		defaults: { name: 'Web Data Loader' },
		inputs: INPUTS,
		outputs: OUTPUTS,
		outputNames: ['Document'],
		credentials: [{ name: 'webDataApi', testedBy: 'webDataApiTest' }],
		properties: readProperties(),
	};

	methods = { credentialTest, listSearch };

	// Loaded on first use: n8n loads every node at each of its starts, and runs few.
	async supplyData(this: ISupplyDataFunctions): Promise<SupplyData> {
		const { loadDocuments } = await import('./loadDocuments');
		return await loadDocuments(this);
	}
}
