import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { ServiceClient } from '../../service/limits/client';
import { failureOrThrow } from '../../service/http/failure';
import { Secrets } from '../../service/secrets/secrets';
import { connect } from './connection/connect';
import type { RunContext } from './connection/runContext';
import { redactError } from './ending/redactError';
import { unexpectedError, unexpectedItems } from './ending/unexpectedError';
import { isToolCall, keepsFailedItems } from './input/parameters';
import { noteCrash } from './memory/crashRecovery';
import { boundForAgent } from './output/agentBound';
import { runError } from './output/itemError';

/**
 * What every run of a node has around it: a note that it began, the way to the service, and an end without secrets
 * for whatever is thrown. `carryOut` asks for the way to the service when its own input is in order, with the fields
 * whose names a refusal of their values tells.
 */
export async function runNode(
	ctx: RunContext,
	carryOut: (
		connected: (fields?: INodeProperties[]) => Promise<ServiceClient>,
	) => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[][]> {
	noteCrash(ctx);
	let client: ServiceClient | undefined;
	try {
		const output = await carryOut(async (fields) => {
			client = await connect(ctx, fields).catch((error: unknown) => {
				const { kind, message } = failureOrThrow(error);
				throw runError(ctx, { item: 0, kind, message }, []);
			});
			return client;
		});
		return [isToolCall(ctx) ? boundForAgent(output) : output];
	} catch (error) {
		const told = redactError(
			unexpectedError(ctx.getNode(), error),
			client?.secrets ?? new Secrets(''),
		);
		const isStopped = ctx.getExecutionCancelSignal()?.aborted === true;
		// With "continue on error" n8n would pass the input on, as if nothing had happened.
		if (isStopped || !keepsFailedItems(ctx)) throw told;
		return [unexpectedItems(ctx, told)];
	} finally {
		client?.close();
	}
}
