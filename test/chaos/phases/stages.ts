import type { INodeParameters } from 'n8n-workflow';
import type { FaultRule } from '../../../sandbox/control/faultBook.ts';
import type { SandboxStats } from '../../../sandbox/control/statistics.ts';

/** The kinds of jobs that are stopped. */
export const stoppableKinds = ['deepResearch', 'crawl', 'batchScrape', 'agent'] as const;
export type StoppableKind = (typeof stoppableKinds)[number];
const PAGES: readonly StoppableKind[] = ['crawl', 'batchScrape'];

/** Items of a stopped execution. */
export const ITEMS = 12;

/** A moment in the course of an execution at which Stop is pressed. */
export interface Stage {
	name: string;
	/** What keeps the execution in it long enough to be met. */
	faults?: readonly FaultRule[];
	/** What is seen of it at the service. */
	isReached: (stats: SandboxStats) => boolean;
	/** Stop comes so long after that. Default: at once. */
	afterMs?: number;
	/** Default: all. */
	kinds?: readonly StoppableKind[];
	needsLists?: true;
	/** Each job has pages in several slices, and they are put out. */
	pages?: true;
	/** The execution may have come to its end by then. */
	mayEndBefore?: boolean;
}

const calls = ({ calls: all }: SandboxStats, end: string): number =>
	Object.entries(all).reduce((sum, [step, count]) => sum + (step.endsWith(end) ? count : 0), 0);

const accepted = ({ starts }: SandboxStats): number => starts.total;

export const STAGES: readonly Stage[] = [
	{ name: 'before the first start', isReached: () => true },
	{
		name: 'a start that the service does not have yet',
		faults: [{ step: 'start', kind: 'slow', ms: 2000 }],
		isReached: (stats) => calls(stats, 'Start') > 0,
	},
	{
		name: 'a start whose answer is on its way',
		faults: [{ step: 'start', kind: 'slow', ms: 2000, when: 'after' }],
		isReached: (stats) => accepted(stats) > 0,
	},
	{
		name: 'between two starts',
		faults: [{ step: 'start', kind: 'slow', ms: 300 }],
		isReached: (stats) => accepted(stats) > 2 && accepted(stats) < ITEMS,
	},
	{
		name: 'while jobs run',
		isReached: (stats) => accepted(stats) === ITEMS,
		afterMs: 300,
	},
	{
		name: 'during a check',
		faults: [{ step: 'status', kind: 'slow', ms: 2000 }],
		isReached: (stats) => calls(stats, 'Status') > 0,
	},
	{
		name: 'in the pause after a start was refused',
		faults: [{ step: 'start', kind: 'rateLimit', retryAfter: 5, skip: 4 }],
		isReached: ({ faults }) => (faults.rateLimit ?? 0) > 0,
		afterMs: 200,
	},
	{
		name: 'in the pause after a check was refused',
		faults: [{ step: 'status', kind: 'rateLimit', retryAfter: 5 }],
		isReached: ({ faults }) => (faults.rateLimit ?? 0) > 0,
		afterMs: 200,
	},
	{
		name: 'between two tries of a check',
		faults: [{ step: 'status', kind: 'status', httpStatus: 502 }],
		isReached: ({ faults }) => (faults.status ?? 0) > 0,
		afterMs: 50,
	},
	{
		name: 'while a lost start is looked for',
		faults: [
			{ step: 'start', kind: 'reset', when: 'after', skip: 2, times: 3 },
			{ step: 'activity', kind: 'slow', ms: 2000 },
		],
		isReached: (stats) => calls(stats, 'activity') > 0,
		needsLists: true,
	},
	{
		name: 'while slices are read',
		faults: [{ step: 'slice', kind: 'slow', ms: 500 }],
		isReached: (stats) => calls(stats, 'slice') > 0,
		kinds: PAGES,
		pages: true,
	},
	{
		name: 'while the failed pages are read',
		faults: [{ step: 'errors', kind: 'slow', ms: 2000 }],
		isReached: (stats) => calls(stats, 'errors') > 0,
		kinds: PAGES,
		pages: true,
	},
];

/** Pages of each job where there are several slices. */
const MANY_PAGES = 35;

/** Of the node, where `$json.q` of each item is a word. The last page of a batch of many fails. */
export function parametersOf(kind: StoppableKind, hasPages: boolean): INodeParameters {
	const common = { resource: kind, operation: 'start' };
	const output = hasPages ? 'pages' : 'job';
	const pages = hasPages ? MANY_PAGES : 1;
	const address = "'https://example.com/costs?stop=' + $json.q";
	switch (kind) {
		case 'deepResearch':
			return { ...common, query: '={{ $json.q }}' };
		case 'agent':
			return { ...common, prompt: '={{ $json.q }}' };
		case 'crawl':
			return { ...common, url: `={{ ${address} }}`, pageLimit: pages, output };
		case 'batchScrape': {
			const all = `Array.from({ length: ${pages} }, (_, page) => ${address} + '&page=' + page)`;
			const urls = `={{ ${all}${hasPages ? ".concat('https://gone.invalid/')" : ''} }}`;
			return { ...common, urlsFrom: 'list', urls, output };
		}
	}
}
