import type { IDataObject, INodeExecutionData, INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';

import { retryFromStored, runWorkflow } from '../../engine/index.ts';
import type { Execution, NodeOverride } from '../../engine/index.ts';
import type { PageService } from './pageService';
import { builtPackage, KEY, NODE, workflowWith } from './run';

export interface PagesRun {
	node?: NodeOverride;
	items?: Array<Record<string, string | number | boolean>>;
	signal?: AbortSignal;
	/** Default: manual, of which n8n stores no static data. */
	mode?: WorkflowExecuteMode;
	staticData?: IDataObject;
}

async function options(
	service: PageService,
	parameters: INodeParameters,
	{ node = {}, signal, mode, staticData }: PagesRun,
) {
	return {
		package: await builtPackage(),
		workflow: workflowWith(parameters),
		credential: { baseUrl: service.baseUrl, apiKey: KEY },
		nodeOverrides: { [NODE]: node },
		...(signal && { signal }),
		...(mode && { mode }),
		...(staticData && { staticData }),
	};
}

/** Runs the node in n8n's own engine against a page service. */
export async function runPages(
	service: PageService,
	parameters: INodeParameters,
	run: PagesRun = {},
): Promise<Execution> {
	return await runWorkflow({
		...(await options(service, parameters, run)),
		pinData: { Items: (run.items ?? [{}]).map((json) => ({ json })) },
	});
}

/** n8n's Retry of a failed execution. */
export async function retryPages(
	service: PageService,
	failed: Execution,
	parameters: INodeParameters,
	run: PagesRun = {},
): Promise<Execution> {
	return await retryFromStored(failed, await options(service, parameters, run));
}

export const crawlStart = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'crawl',
	operation: 'start',
	url: 'https://site.example/',
	...more,
});

export const batchStart = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'batchScrape',
	operation: 'start',
	url: '={{ $json.url }}',
	...more,
});

export const urlsOf = (items: INodeExecutionData[]) => items.map(({ json }) => json.url);

export const hintsOf = (execution: Execution) => execution.hints(NODE).map(({ message }) => message);

export const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
