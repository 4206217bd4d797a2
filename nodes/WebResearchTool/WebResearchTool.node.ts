import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { credentialTest } from '../WebData/lazyMethods';
import { modelInputs } from '../WebResearch/panel';
import { readProperties } from './properties';

/** Replaced by the address of the documentation where the package is laid out (tools/release/packageFolder.ts). */
const PACKAGE_PAGE = 'https://www.npmjs.com/package/n8n-nodes-web-data';

const OUTPUTS = [NodeConnectionTypes.AiTool];

// A separate node, because a node that n8n wraps as a tool cannot have model inputs (docs/reference/n8n-internals.md#models-of-a-tool).
export class WebResearchTool implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Research Tool',
		name: 'webResearchTool',
		icon: { light: 'file:../../icons/web-research-tool.svg', dark: 'file:../../icons/web-research-tool.dark.svg' },
		group: ['transform'],
		version: 1,
		// It is a tool already.
		usableAsTool: undefined,
		subtitle: '={{ $parameter["query"] }}',
		description:
			'Research a question on the web for an AI agent. Each statement has a quote that was looked up in its page.',
		// Here and not in a file: the category AI alone puts it into the list behind an agent's Tool connector, and n8n's
		// linter refuses that category in files (docs/reference/n8n-internals.md#where-nodes-are-listed).
		codex: {
			categories: ['AI', 'Data & Storage'],
			subcategories: { AI: ['Tools'], Tools: ['Other Tools'] },
			alias: [
				'research',
				'deep research',
				'web research',
				'tool',
				'ai agent',
				'question',
				'report',
				'citations',
				'web search',
				'firecrawl',
			],
			resources: {
				primaryDocumentation: [{ url: PACKAGE_PAGE }],
				credentialDocumentation: [{ url: `${PACKAGE_PAGE}#credentials` }],
			},
		},
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
