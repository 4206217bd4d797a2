/** A way in which money is spent, as it is tried at every point. */
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { recoveredFromCrash, retryFromStored, runWorkflow } from '../../../tools/n8n-engine/index.ts';
import type { DataTables, Execution, NodeOverride } from '../../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../../sandbox/server.ts';
import type { SandboxOptions } from '../../../sandbox/service/options.ts';
import { executionOptions, NODE, tracesOf } from '../run';

export const MODES = ['kill', 'stop', 'lost, Retry On Fail', 'lost, Retry', 'outage, Retry'] as const;
export type Mode = (typeof MODES)[number];

/** How an attempt is made. */
export interface Settings {
	/** Of the service, or what stands before it. */
	baseUrl: string;
	apiKey: string;
	/** Its end is Stop, unless `isKilled`: then that is what ends the dead process here. */
	signal?: AbortSignal;
	isKilled?: boolean;
	/** n8n tries again by itself. */
	retryOnFail?: boolean;
}

/** What came of an attempt. */
export interface Attempt {
	/** What n8n stores of it at its end, and what it had stored when the node began, with what its recovery puts down. */
	executionId: string;
	stored: string;
	killed: string;
	isOk: boolean;
	/** The output. */
	items: IDataObject[];
	/** What a person reads: hints, errors, the answer of a tool. */
	said: string;
	/** All that it leaves behind. */
	traces: string;
}

export interface Scenario {
	name: string;
	service?: SandboxOptions;
	/** It ends with Stop: then its jobs are cancelled, or named in the log. */
	isStopped?: true;
	/** Starts jobs of others at the same time, and gives their ids: none of them may be cancelled. */
	others?(settings: Settings, sandbox: Sandbox): Promise<string[]>;
	/** An answer is also lost where the request did not arrive. */
	breaksBefore?: true;
	/** What is tried of it. Default: all. */
	modes?: readonly Mode[];
	/** Which of its requests are points. Default: all. */
	at?: RegExp;
	/** What it may cost, all tries together. Not where n8n is killed, which then knows nothing of it. */
	cap?: number;
	/** What is sent again is known to the service: it is never paid twice, also where n8n is killed. */
	isPaidOnce?: true;
	/** Why a retry may cost a little again without saying so: the row of docs/reference/WHAT-HAPPENS-WHEN.md. */
	mayCostAgain?: string;
	/** n8n's Data Tables beside this service, where it remembers something in them: their calls are points. */
	tables?(sandbox: Sandbox): Promise<DataTables>;
	run(settings: Settings, sandbox: Sandbox): Promise<Attempt>;
	retry(previous: Pick<Attempt, 'executionId' | 'stored'>, settings: Settings, sandbox: Sandbox): Promise<Attempt>;
}

export function attemptOf(execution: Execution, before: string, node: string, nodes = [node]): Attempt {
	const { executionId, stored, error, run } = execution;
	const { runData } = run.data.resultData;
	const hints = [node, ...nodes].flatMap((name) => (runData[name] ?? []).flatMap((task) => task.hints ?? []));
	const described = error && 'description' in error ? String(error.description ?? '') : '';
	return {
		executionId,
		stored,
		killed: before === '' ? '' : nodes.reduce(recoveredFromCrash, before),
		isOk: error === undefined && run.status === 'success',
		items: execution.items(node).map(({ json }) => json),
		said: [error?.message ?? '', described, ...hints.map(({ message }) => message)].join('\n'),
		traces: tracesOf(execution),
	};
}

export const nodeSettings = ({ retryOnFail = false }: Settings): NodeOverride =>
	retryOnFail ? { retryOnFail, maxTries: 2, waitBetweenTries: 0 } : {};

/** One operation of Web Data on these items. */
export function ofNode(
	name: string,
	parameters: INodeParameters,
	items: INodeExecutionData[] = [{ json: {} }],
	service: SandboxOptions = {},
): Scenario {
	const optionsOf = async (settings: Settings) => {
		const { baseUrl, apiKey, signal } = settings;
		const run = { credential: { baseUrl, apiKey }, node: nodeSettings(settings), ...(signal && { signal }) };
		return await executionOptions({ baseUrl }, parameters, run);
	};
	return {
		name,
		service,
		async run(settings) {
			let before = '';
			const onProgress = (node: string, stored: string) => void (node === 'Items' && (before = stored));
			const options = { ...(await optionsOf(settings)), onProgress, pinData: { Items: items } };
			return attemptOf(await runWorkflow(options), before, NODE);
		},
		async retry(previous, settings) {
			return attemptOf(await retryFromStored(previous, await optionsOf(settings)), '', NODE);
		},
	};
}
