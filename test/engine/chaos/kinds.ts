import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { seededRandom } from '../../../sandbox/runtime/runtime.ts';

/** Stands in a query between what is asked and what changes. */
const CHANGES = ' #';

/** What a started job was asked, without what changes. */
export function questionIn(query: string): string {
	return query.split(CHANGES)[0] ?? '';
}

/** A kind of job that chaos starts: what an item asks for, and what a good end of it looks like. */
export interface ChaosKind {
	name: string;
	/** False: a request with an answer, which has no id to take it up by. */
	isJob: boolean;
	/** Of the node; `$json.q` is what the item asks for. */
	parameters: INodeParameters;
	/** Names the job, so that its faults and its result can be told from those of all others. */
	questionOf(number: number, seed: number): string;
	/** What is wrong with the result of a question; undefined when nothing is. */
	faultOf(result: IDataObject, question: string): string | undefined;
	/** How somebody else starts a job for the same question, with settings that the node does not send. */
	byOthers?: { path: string; bodyOf(question: string): object };
}

const padded = (number: number) => String(number).padStart(6, '0');

const anyResearch: ChaosKind = {
	name: 'deepResearch',
	isJob: true,
	parameters: { resource: 'deepResearch', operation: 'start', query: '={{ $json.q }}' },
	// It says how long it lasts, 0.05 to 2.5 s.
	questionOf: (number, seed) => {
		const seconds = 0.05 + 2.45 * seededRandom(seed + number)();
		return `[lasts:${seconds.toFixed(2)}] chaos ${padded(number)}.`;
	},
	faultOf: ({ query, finalAnalysis }, question) =>
		query === question && String(finalAnalysis).includes(question)
			? undefined
			: 'its result is that of another question',
};

const research: ChaosKind = {
	...anyResearch,
	byOthers: { path: '/v1/deep-research', bodyOf: (query) => ({ query, maxDepth: 2 }) },
};

/** What goes out differs with each evaluation; what is asked stands before the mark. */
const changingResearch: ChaosKind = {
	...anyResearch,
	name: 'deepResearch, a query that differs each time',
	parameters: { ...research.parameters, query: `={{ $json.q }}${CHANGES}{{ Math.random() }}` },
	faultOf: ({ query, ...rest }, question) => research.faultOf({ ...rest, query: questionIn(String(query)) }, question),
};

/** The address is that of a page of the sandbox's own; its query tells the jobs apart. */
const address = (number: number) => `https://example.com/costs?chaos=${padded(number)}`;

const pagesFault = ({ pages }: IDataObject, question: string): string | undefined => {
	const asked = Array.isArray(pages) ? JSON.stringify(pages) : '';
	return asked.includes(question) ? undefined : 'its pages are not those of its address';
};

const crawl: ChaosKind = {
	name: 'crawl',
	isJob: true,
	parameters: {
		resource: 'crawl',
		operation: 'start',
		url: '={{ $json.q }}',
		pageLimit: 1,
		output: 'job',
	},
	questionOf: address,
	faultOf: pagesFault,
	byOthers: { path: '/v2/crawl', bodyOf: (url) => ({ url, limit: 2 }) },
};

const batchScrape: ChaosKind = {
	name: 'batchScrape',
	isJob: true,
	parameters: {
		resource: 'batchScrape',
		operation: 'start',
		urlsFrom: 'list',
		urls: '={{ $json.q }}',
		output: 'job',
	},
	questionOf: address,
	faultOf: pagesFault,
	byOthers: { path: '/v2/batch/scrape', bodyOf: (url) => ({ urls: [url], formats: ['html'] }) },
};

const scrape: ChaosKind = {
	name: 'scrape',
	isJob: false,
	parameters: { resource: 'page', operation: 'scrape', url: '={{ $json.q }}' },
	questionOf: address,
	faultOf: ({ url, markdown }, question) =>
		url === question && String(markdown).includes('Costs of a cargo bike fleet')
			? undefined
			: 'its page is not that of its address',
};

/** The executions of a run are of these kinds, one after the other. */
export const KINDS: readonly ChaosKind[] = [research, crawl, changingResearch, batchScrape, scrape];

/** The kind of the execution with this number. */
export function kindOf(execution: number): ChaosKind {
	return KINDS[execution % KINDS.length] ?? research;
}
