import type { INodeExecutionData, IPollFunctions, IWorkflowDataProxyData } from 'n8n-workflow';
import { callOnce } from '../run/calls/callOnce';
import { connect } from '../run/connection/connect';
import type { RunContext, RunHelpers } from '../run/connection/runContext';
import type { ServiceClient } from '../service/client';
import type { JsonObject } from '../service/http/transport';
import { execute } from './execute';
import { findOperation } from './resources';

/** An operation of Web Data, as its panel would hold it. */
export interface AskedOperation {
	resource: string;
	operation: string;
	/** Values of its fields by name; one that is left out has its default. */
	parameters: JsonObject;
	/** The job that it reads, where the service has named it: then one that it denies is waited for. */
	startedJob?: string;
}

/**
 * One call of Web Data, with its limits, repetitions and the search for an answer that was lost. `parameters` are those
 * of its panel; `memory` is kept until it is answered: the same one in a retry reads what was paid for. Resolves with
 * the json of its first item. Throws a ServiceFailure.
 */
export async function callOperation(
	client: ServiceClient,
	{ resource, operation: name, parameters }: AskedOperation,
	memory?: JsonObject,
): Promise<JsonObject> {
	const operation = findOperation(resource, name)?.operation;
	if (operation?.kind !== 'call') throw new Error(`${resource}.${name} is no call operation.`);
	return await callOnce(client, operation, parameters, memory);
}

/**
 * Carries an operation out for a trigger, by the code that runs it in Web Data: its items for one input
 * item. Throws what the node would throw.
 */
export async function operationItems(
	ctx: TriggerContext,
	{ resource, operation, parameters, startedJob }: AskedOperation,
): Promise<INodeExecutionData[]> {
	if (startedJob !== undefined) await noteStarted(ctx, startedJob);
	const [items = []] = await execute(asOneItem(ctx, { ...parameters, resource, operation }));
	// A trigger's items come from no item before them.
	return items.map(({ json, binary }) => ({ json, ...(binary && { binary }) }));
}

/** The job may belong to somebody else, too: it may be one that a start without an answer is looked for. */
async function noteStarted(ctx: TriggerContext, id: string): Promise<void> {
	const { register, time } = await connect(asOneItem(ctx, {}));
	register.noteStarted(id, time.now());
}

/** The part of n8n's context that a trigger needs for it: a webhook has it, and so has a poll. */
type TriggerContext = Pick<IPollFunctions, 'getCredentials' | 'getNode' | 'getTimezone' | 'getWorkflow' | 'logger'> & {
	helpers: RunHelpers;
};

/**
 * An execution with one empty item: there is none yet when a trigger reads what it will start one with.
 */
function asOneItem(ctx: TriggerContext, parameters: JsonObject): RunContext {
	const context = {};
	const proxy: Partial<IWorkflowDataProxyData> = { $runIndex: 0 };
	return {
		getNode: () => ctx.getNode(),
		getMode: () => 'trigger',
		getInputData: () => [{ json: {} }],
		getNodeParameter: ((name: string, _item: number, fallback?: unknown) =>
			parameters[name] ?? fallback) as RunContext['getNodeParameter'],
		getCredentials: async (type) => await ctx.getCredentials(type),
		getContext: () => context,
		getTimezone: () => ctx.getTimezone(),
		getExecutionId: () => '',
		getWorkflow: () => ctx.getWorkflow(),
		// Results of earlier runs are not compared with: a trigger's marks are its own.
		getWorkflowStaticData: () => ({}),
		getExecutionCancelSignal: () => undefined,
		getWorkflowDataProxy: () => proxy as IWorkflowDataProxyData,
		continueOnFail: () => false,
		isToolExecution: () => false,
		// Nobody sees the hints of a trigger.
		addExecutionHints: (...hints) => {
			for (const { message } of hints) ctx.logger.info(message);
		},
		helpers: ctx.helpers,
		logger: ctx.logger,
	};
}
