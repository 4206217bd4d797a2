import { join } from 'node:path';
import { inspect } from 'node:util';

import type { INode, INodeExecutionData, INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';

import {
	callAsTool,
	loadBuiltPackage,
	recoveredFromCrash,
	retryFromStored,
	runWorkflow,
} from '../../tools/n8n-engine/index.ts';
import type {
	BuiltPackage,
	Execution,
	ExecutionOptions,
	NodeOverride,
	ToolCall,
	ToolCallOptions,
	WorkflowFile,
} from '../../tools/n8n-engine/index.ts';
import { type Sandbox, startSandbox as startedSandbox } from '../../sandbox/server.ts';
import { endsLater } from '../helpers/lifetime';

export const KEY = 'fc-sandbox';

/** A process that was started again knows nothing of this credential; in this one, another key has that. */
export const KEY_AFTERWARDS = 'fc-afterwards';

/** A sandbox that ends with the test, or the file, that has started it. */
export const startSandbox: typeof startedSandbox = async (options) => endsLater(await startedSandbox(options));

/** Name of the node under test in the workflows of this file. */
export const NODE = 'Web Data';

/** The condition that leads back to it in a loop. */
export const AGAIN = 'Again?';

let loaded: Promise<BuiltPackage> | undefined;

/** The built package, loaded once for each test file the way n8n loads it. */
export function builtPackage(): Promise<BuiltPackage> {
	loaded ??= loadBuiltPackage(join(__dirname, '../..'));
	return loaded;
}

/** What a workflow begins with, and where its items come from. */
export const ITEMS_NODE: INode = {
	id: 'trigger',
	name: 'Items',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** Trigger, then the node under test with these parameters, then nothing. */
export function workflowWith(parameters: INodeParameters): WorkflowFile {
	return {
		name: 'Test',
		nodes: [
			ITEMS_NODE,
			{
				id: 'node',
				name: NODE,
				type: 'n8n-nodes-web-data.webData',
				typeVersion: 1,
				position: [200, 0],
				parameters,
				credentials: { webDataApi: { id: '1', name: 'Web Data API' } },
			},
		],
		connections: { Items: { main: [[{ node: NODE, type: 'main', index: 0 }]] } },
	};
}

/** The same, in which nobody has chosen a credential. */
export function withoutCredentials(workflow: WorkflowFile): WorkflowFile {
	const copy = structuredClone(workflow);
	for (const node of copy.nodes) delete node.credentials;
	return copy;
}

/** A condition that leads back to the node until it has run so many times, through another node where one is given. */
export function inLoop(workflow: WorkflowFile, rounds: number, through?: INode): WorkflowFile {
	const again = {
		id: 'again',
		leftValue: '={{ $runIndex }}',
		rightValue: rounds - 1,
		operator: { type: 'number', operation: 'lt' },
	};
	const options = { version: 2, caseSensitive: true, typeValidation: 'loose', leftValue: '' };
	const condition: INode = {
		id: 'again',
		name: AGAIN,
		type: 'n8n-nodes-base.if',
		typeVersion: 2,
		position: [400, 0],
		parameters: { conditions: { options, combinator: 'and', conditions: [again] } },
	};
	const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];
	return {
		...workflow,
		nodes: [...workflow.nodes, condition, ...(through ? [through] : [])],
		connections: {
			Items: { main: [to(NODE)] },
			[NODE]: { main: [to(AGAIN)] },
			[AGAIN]: { main: [to(through?.name ?? NODE), []] },
			...(through && { [through.name]: { main: [to(NODE)] } }),
		},
	};
}

/** What a run needs of a service: a sandbox, or one that a test scripts. */
export interface Service {
	baseUrl: string;
}

export interface RunSettings extends Pick<
	ExecutionOptions,
	'signal' | 'onProgress' | 'tables' | 'processed' | 'staticData' | 'variables' | 'onWorker' | 'workflowId'
> {
	node?: NodeOverride;
	items?: Array<Record<string, string | number | boolean>>;
	/** `none`: the node has no credential. */
	credential?: { baseUrl: string; apiKey: string } | 'none';
	/** Default: manual, of which n8n stores no static data. */
	mode?: WorkflowExecuteMode;
	/** Retry with the original workflow: n8n goes on with what it stored, and gives no static data. */
	original?: boolean;
}

/** An execution as far as a retry needs it. */
export type Stored = Pick<Execution, 'executionId' | 'stored'>;

/** The parts of an execution's options that do not depend on the run. */
export async function executionOptions(
	service: Service,
	parameters: INodeParameters,
	{ node = {}, credential, original, ...more }: Omit<RunSettings, 'items'> = {},
) {
	return {
		package: await builtPackage(),
		...(credential === 'none'
			? { workflow: withoutCredentials(workflowWith(parameters)) }
			: { workflow: workflowWith(parameters), credential: credential ?? { baseUrl: service.baseUrl, apiKey: KEY } }),
		...(original !== true && { nodeOverrides: { [NODE]: node } }),
		...more,
	};
}

/** Runs the node on the given items in n8n's own engine against a service. */
export async function runNode(
	service: Service,
	parameters: INodeParameters,
	settings: RunSettings = {},
): Promise<Execution> {
	const { items = [{}], ...more } = settings;
	return await runWorkflow({
		...(await executionOptions(service, parameters, more)),
		pinData: { Items: items.map((json) => ({ json })) },
	});
}

/** n8n's Retry of a failed execution. */
export async function retryNode(
	service: Service,
	failed: Pick<Stored, 'stored'> & Partial<Stored>,
	parameters: INodeParameters,
	settings: RunSettings = {},
): Promise<Execution> {
	return await retryFromStored(failed, await executionOptions(service, parameters, settings));
}

/**
 * Runs, and gives what n8n's recovery makes of the execution when n8n dies while the node runs, and what was stored
 * before the node began.
 */
export async function killedInNode(
	service: Service,
	parameters: INodeParameters,
	settings: RunSettings = {},
): Promise<Stored & { before: string }> {
	let before = '';
	const onProgress = (nodeName: string, data: string) => {
		if (nodeName === 'Items') before = data;
	};
	const { executionId } = await runNode(service, parameters, { ...settings, onProgress });
	return { executionId, stored: recoveredFromCrash(before, NODE), before };
}

type ToolOptions = Omit<ToolCallOptions, 'package' | 'credential' | 'nodeName'> &
	Partial<Pick<ToolCallOptions, 'package' | 'nodeName'>>;

/** Calls the node as an AI agent's tool. */
export async function callTool(
	service: Service,
	{ credential, ...options }: ToolOptions & { credential?: ToolCallOptions['credential'] | 'none' },
): Promise<ToolCall> {
	const common = { package: await builtPackage(), nodeName: 'webData', ...options };
	if (credential === 'none') return await callAsTool(common);
	return await callAsTool({ ...common, credential: credential ?? { baseUrl: service.baseUrl, apiKey: KEY } });
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

/** Parameters of Deep Research · Start with the question in each item's `q`. */
export function startParameters(more: INodeParameters = {}): INodeParameters {
	return { resource: 'deepResearch', operation: 'start', query: '={{ $json.q }}', ...more };
}

/** Items with different questions: `question 0`, `question 1` … */
export function questions(count: number): Array<{ q: string }> {
	return Array.from({ length: count }, (_, index) => ({ q: `question ${index}` }));
}

export function jsonOf(items: INodeExecutionData[]) {
	return items.map(({ json }) => json);
}

/** The item each output item says it comes from. */
export function sourceItems(items: INodeExecutionData[]): number[] {
	return items.map(({ pairedItem }) => (typeof pairedItem === 'object' && 'item' in pairedItem ? pairedItem.item : -1));
}

/** What stands on the screen of a text in HTML without tags. */
function shownHtml(html: string): string {
	return html.replace(/&#(\d+);/g, (_whole, code: string) => String.fromCharCode(Number(code)));
}

/** All that a user reads of what ended a run: the title, and what stands below it. */
export function errorText({ error }: Execution): string {
	if (!error) return '';
	const below = shownHtml(String(error.description ?? ''));
	return below === '' ? error.message : `${error.message}. ${below}`;
}

/** What the node's hints say, a line each. */
export function hintsIn(execution: Execution): string {
	return hintsOf(execution).join('\n');
}

/** Each hint as a person reads it: n8n shows them as HTML. */
export const hintsOf = (execution: Execution) => execution.hints(NODE).map(({ message }) => shownHtml(message));

export const urlsOf = (items: INodeExecutionData[]) => items.map(({ json }) => json.url);

/** Takes the lists that a lost start is looked for in from the service: it knows no such path. */
export function withoutLists(
	{ faults }: Sandbox,
	steps: ReadonlyArray<'activity' | 'active'> = ['activity', 'active'],
): void {
	const headers = { 'content-type': 'text/html; charset=utf-8' };
	const missing = { kind: 'body', httpStatus: 404, headers, body: '<pre>Cannot GET it</pre>' } as const;
	for (const step of steps) faults.add({ ...missing, step });
}

/** Retry On Fail with one more try, at once. */
export const RETRY = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };

/** Ids of the jobs that the sandbox has started, oldest first. */
export const startedIds = (sandbox: Sandbox): string[] => sandbox.stats().starts.list.map(({ id }) => id);

/** Everything an execution leaves behind: what n8n stores, and what can be reached from its objects. */
export function tracesOf({ stored, run }: Execution): string {
	const everything = { depth: 30, showHidden: true, maxArrayLength: null, maxStringLength: null };
	return `${stored}\n${inspect(run, everything)}`;
}

export const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
