import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { hint } from '../operation/hint';
import type { Operation } from '../operation/operation';
import type { ServiceClient } from '../service/client';
import { failureOrThrow } from '../service/http/failure';
import { RAN_WITHOUT_KEY } from '../service/http/withoutKey';
import { Secrets } from '../service/secrets';
import { connect } from './connection/connect';
import type { RunContext } from './connection/runContext';
import { redactError, unexpectedError, unexpectedItems } from './errors/unexpectedError';
import { isToolCall, keepsFailedItems } from './input/readFields';
import { noteAccount, noteCrash } from './ledger/crash';
import { boundForAgent } from './output/agentBound';
import { runError } from './output/itemError';

/**
 * The frame of every run of a node: a note that it began, the way to the service, and an end without secrets for
 * whatever is thrown. `carryOut` asks for the way to the service when its own input is in order, with the fields whose
 * names a refusal of their values tells.
 */
export async function runNode(
	ctx: RunContext,
	carryOut: (connected: (fields?: INodeProperties[]) => Promise<ServiceClient>) => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[][]> {
	noteCrash(ctx);
	let client: ServiceClient | undefined;
	try {
		const output = await carryOut(async (fields) => {
			client = await connect(ctx, fields).catch((error: unknown) => {
				const { kind, message } = failureOrThrow(error);
				throw runError(ctx, { item: 0, kind, message }, []);
			});
			noteAccount(ctx, client.account);
			return client;
		});
		if (client?.wasServedWithoutKey) ctx.addExecutionHints(hint(RAN_WITHOUT_KEY));
		return [isToolCall(ctx) ? boundForAgent(output) : output];
	} catch (error) {
		const shown = redactError(unexpectedError(ctx.getNode(), error), client?.secrets ?? new Secrets(''));
		const isStopped = ctx.getExecutionCancelSignal()?.aborted === true;
		// With "continue on error" n8n would pass the input on, as if nothing had happened.
		if (isStopped || !keepsFailedItems(ctx)) throw shown;
		return [unexpectedItems(ctx, shown)];
	} finally {
		client?.close();
	}
}

/**
 * Carries an operation out for all input items. Its code is loaded only here: n8n loads every node at each of its
 * starts, and runs few.
 */
export async function runOperation(
	ctx: RunContext,
	operation: Operation,
	client: ServiceClient,
): Promise<INodeExecutionData[]> {
	switch (operation.kind) {
		case 'call': {
			const { runCallOperation } = await import('./calls/runCallOperation');
			return await runCallOperation(ctx, operation, client);
		}
		case 'list': {
			const { runList } = await import('./lists/runList');
			return await runList(ctx, operation, client);
		}
		case 'session': {
			const { runSessionOperation } = await import('./sessions/runSessionOperation');
			return await runSessionOperation(ctx, operation, client);
		}
		case 'jobRequest': {
			const { runJobRequest } = await import('./jobs/runJobRequest');
			return await runJobRequest(ctx, operation, client);
		}
		case 'startJob':
		case 'getJob': {
			const { runJobOperation } = await import('./jobs/runJobOperation');
			return await runJobOperation(ctx, operation, client);
		}
	}
}
