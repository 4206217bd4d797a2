import { binaryText } from '../n8n-engine/index.ts';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

/** One example of the tour. */
export interface DemoStep {
	/** The example in the folder of that name. */
	file: string;
	/** The node that calls the service. */
	node: string;
	/** The node whose items are the result. */
	result: string;
	/** Parameters of that node that differ here: the demo waits, and shows data. */
	parameters?: INodeParameters;
	/** The node that holds the chat model. */
	model?: string;
	/** The parameter that the user's own address or question replaces. */
	own?: { option: 'url' | 'query'; parameter: string };
	/** It is run a second time, a week later on the sandbox's site, with what the first run has left. */
	isWeekly?: true;
	/** An item of the result in a few lines. */
	shown: (item: INodeExecutionData) => string;
}

const SHOWN_LINES = 12;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function firstLines(markdown: string): string {
	const lines = markdown.trim().split('\n');
	const rest = lines.length - SHOWN_LINES;
	return [...lines.slice(0, SHOWN_LINES), ...(rest > 0 ? [`… and ${rest} more lines`] : [])].join('\n');
}

/** Citations without their links: the sources stand below. */
const plain = (markdown: unknown): string =>
	text(markdown)
		.replace(/\[(\d+)\]\([^)]*\)/g, '[$1]')
		.trim();

/** The beginning of an analysis, and how many pages it is from. */
function firstOfReport({ finalAnalysis, sources }: IDataObject): string {
	return `${firstLines(plain(finalAnalysis))}\n${Array.isArray(sources) ? sources.length : 0} sources`;
}

/** The steps of the tour: the main job first. */
export const STEPS = {
	research: {
		file: 'research-a-question.json',
		node: 'Web Research',
		result: 'Web Research',
		parameters: { output: 'simplified' },
		model: 'Chat Model',
		own: { option: 'query', parameter: 'query' },
		shown: ({ json }) =>
			`${text(json.text)}\n\n(Written by the sandbox’s stand-in for a chat model, which picks sentences from pages.)`,
	},
	news: {
		file: 'weekly-brief.json',
		node: 'Web Research',
		result: 'Send the Mail',
		model: 'Chat Model',
		isWeekly: true,
		shown: ({ json }) => `${text(json.subject)}\n\n${text(json.text)}`,
	},
	deepResearch: {
		file: 'research-durable.json',
		node: 'Start Research',
		result: 'Start Research',
		parameters: { waitForCompletion: true, options: { maxDepth: 2 } },
		own: { option: 'query', parameter: 'query' },
		shown: ({ json }) => firstOfReport(json),
	},
	scrape: {
		file: 'scrape-to-markdown.json',
		node: 'Scrape',
		result: 'Scrape',
		own: { option: 'url', parameter: 'url' },
		shown: ({ json }) => firstLines(text(json.markdown)),
	},
	crawl: {
		file: 'crawl-to-markdown-files.json',
		node: 'Crawl',
		result: 'Store the Files',
		own: { option: 'url', parameter: 'url' },
		shown: (item) => {
			const name = item.binary?.markdown?.fileName ?? '';
			return `${name}  ${binaryText(item, 'markdown').length} characters`;
		},
	},
	search: {
		file: 'search-and-read.json',
		node: 'Search',
		result: 'Use the Pages',
		own: { option: 'query', parameter: 'query' },
		shown: ({ json }) => `${text(json.title)}  ${text(json.url)}  ${text(json.markdown).length} characters`,
	},
	data: {
		file: 'structured-data.json',
		node: 'Read the Data',
		result: 'Row',
		own: { option: 'url', parameter: 'url' },
		shown: ({ json }) => JSON.stringify(json, null, 2),
	},
	agent: {
		file: 'agent-companies-to-rows.json',
		node: 'Find Out',
		result: 'Rows',
		shown: ({ json }) => `${text(json.company)}  founded ${String(json.founded)}  ${text(json.products)}`,
	},
} as const satisfies Record<string, DemoStep>;

export type StepName = keyof typeof STEPS;

/** Whether there is a step of this name. */
export function isStepName(name: string): name is StepName {
	return Object.hasOwn(STEPS, name);
}

/** What the demo and the user's own address or question change in the step's node. */
export function ownParameters(
	{ own, parameters }: DemoStep,
	options: { url?: string; query?: string },
): INodeParameters {
	const value = own === undefined ? undefined : options[own.option];
	if (own === undefined || value === undefined) return { ...parameters };
	return { ...parameters, [own.parameter]: value };
}
