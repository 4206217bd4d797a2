import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';
import { runWorkflow } from '../../../../engine/index.ts';
import type { FaultRule } from '../../../../sandbox/control/faultRule.ts';
import { KEY, NODE, workflowWith } from '../../workflow.ts';
import type { Begin, World } from './life.ts';

interface Kind {
	parameters: INodeParameters;
	items: IDataObject[];
}

const research = (...questions: string[]): Kind => ({
	parameters: { resource: 'deepResearch', operation: 'start', query: '={{ $json.q }}' },
	items: questions.map((question) => ({ q: `[lasts:0.5] ${question}` })),
});

const KINDS: readonly Kind[] = [
	research('one'),
	{
		parameters: { resource: 'search', operation: 'search', query: 'cargo bikes' },
		items: [{}],
	},
	{
		parameters: { resource: 'page', operation: 'scrape', url: 'https://example.com/costs' },
		items: [{}],
	},
	{
		parameters: {
			resource: 'crawl',
			operation: 'start',
			url: 'https://example.com/',
			pageLimit: 2,
		},
		items: [{}],
	},
	{
		parameters: {
			resource: 'batchScrape',
			operation: 'start',
			urlsFrom: 'list',
			urls: 'https://example.com/costs',
		},
		items: [{}],
	},
];

/** More than run at once: the others are refused first. */
const MANY = research('a', 'b', 'c', 'd');

const FAULTS: readonly FaultRule[] = [
	{ step: 'start', kind: 'status', httpStatus: 500 },
	{ step: 'start', kind: 'reset', when: 'after' },
	{ step: 'start', kind: 'rateLimit', retryAfter: 2 },
	{ step: 'status', kind: 'htmlError' },
	{ step: 'status', kind: 'truncated' },
	{ step: 'scrape', kind: 'reset' },
	{ step: 'search', kind: 'rateLimit' },
	{ step: 'start', kind: 'failJob' },
];

/**
 * Executions of the node: jobs, pages, searches. Every seventh meets a fault, every eleventh is stopped, every
 * thirteenth starts more jobs than the plan takes, and of ten thousand the second half are refused first.
 */
export const nodeLife: Begin = async (world) => ({
	async use(index) {
		const { faults } = world.sandbox;
		faults.clear();
		const fault = FAULTS[(index / 7) % FAULTS.length];
		if (fault) faults.add({ ...fault, times: 1 });
		if (index % 10_000 >= 5000) faults.add({ kind: 'rateLimit', retryAfter: 1, times: 1 });
		const kind = index % 13 === 0 ? MANY : KINDS[index % KINDS.length];
		if (!kind) return false;
		const stop = new AbortController();
		// Some before anything was started, some while a job runs.
		const { time } = world;
		if (index % 11 === 0) time.at(time.now() + 100 * (index % 20), () => stop.abort());
		return await run(world, 'n8n-nodes-web-data.webData', kind, stop.signal);
	},
	storedBytes: () => 0,
	end: async () => undefined,
});

const ASKING = 'n8n-nodes-base.asking';

/** The floor: a node that does nothing but one request by n8n's own helper. */
export const emptyLife: Begin = async (world) => {
	const asking: INodeType = {
		description: {
			displayName: 'Asking',
			name: 'asking',
			group: [],
			version: 1,
			description: '',
			defaults: {},
			inputs: ['main'],
			outputs: ['main'],
			properties: [],
		},
		async execute() {
			await this.helpers
				.httpRequest({ url: `${world.sandbox.baseUrl}/v2/crawl/active` })
				.catch(() => undefined);
			return [this.getInputData()];
		},
	};
	return {
		async use() {
			const { signal } = new AbortController();
			return await run(world, ASKING, { parameters: {}, items: [{}] }, signal, asking);
		},
		storedBytes: () => 0,
		end: async () => undefined,
	};
};

async function run(
	{ builtPackage, sandbox }: World,
	type: string,
	{ parameters, items }: Kind,
	signal: AbortSignal,
	other?: INodeType,
): Promise<boolean> {
	const execution = await runWorkflow({
		package: builtPackage,
		workflow: workflowWith(type, parameters),
		credential: { baseUrl: sandbox.baseUrl, apiKey: KEY },
		pinData: { Items: items.map((json) => ({ json })) },
		signal,
		...(other && { otherNodeTypes: { [type]: other } }),
	});
	return !execution.error && execution.items(NODE).length > 0;
}
