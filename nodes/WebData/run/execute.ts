import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ServiceClient } from '../../service/limits/client';
import { failureOrThrow } from '../../service/http/failure';
import { Secrets } from '../../service/secrets/secrets';
import type { Resource } from '../operation/operation';
import { findOperation } from '../resources';
import type { FoundOperation } from '../resources';
import { connect } from './connection/connect';
import { noteCrash } from './memory/crashRecovery';
import { keepsFailedItems } from './input/parameters';
import { redactError } from './ending/redactError';
import { runError } from './output/itemError';
import { unexpectedError, unexpectedItems } from './ending/unexpectedError';

/** Runs the node: finds the operation that its two parameters name and carries it out. */
export async function execute(ctx: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	noteCrash(ctx);
	let secrets = new Secrets('');
	try {
		const found = operationOf(ctx);
		const client = await connect(ctx, found.operation.fields).catch((error: unknown) => {
			const { kind, message } = failureOrThrow(error);
			throw runError(ctx, { item: 0, kind, message }, []);
		});
		({ secrets } = client);
		return [await carryOut(ctx, found, client)];
	} catch (error) {
		const told = redactError(unexpectedError(ctx.getNode(), error), secrets);
		const isStopped = ctx.getExecutionCancelSignal()?.aborted === true;
		// With "continue on error" n8n would pass the input on, as if nothing had happened.
		if (isStopped || !keepsFailedItems(ctx)) throw told;
		return [unexpectedItems(ctx, told)];
	}
}

function operationOf(ctx: IExecuteFunctions): FoundOperation {
	const resource = String(ctx.getNodeParameter('resource', 0));
	const name = String(ctx.getNodeParameter('operation', 0));
	const found = findOperation(resource, name);
	if (found) return found;
	throw new NodeOperationError(
		ctx.getNode(),
		`This version of the node has no operation "${name}" for "${resource}": choose one in the panel.`,
	);
}

/** The operation that collects a job later: `Crawl · Get`. */
function collectWith({ name, operations }: Resource): string {
	return `${name} · ${operations.find(({ kind }) => kind === 'getJob')?.name ?? 'Get'}`;
}

/** Loads what carries the operation out only now: n8n loads every node at each start, and runs few. */
async function carryOut(
	ctx: IExecuteFunctions,
	{ resource, operation }: FoundOperation,
	client: ServiceClient,
): Promise<INodeExecutionData[]> {
	switch (operation.kind) {
		case 'call': {
			const { runCallOperation } = await import('./calls/runCallOperation');
			return await runCallOperation(ctx, operation, client);
		}
		case 'list': {
			const { runList } = await import('./calls/runList');
			return await runList(ctx, operation, client);
		}
		case 'session': {
			const { runSessionOperation } = await import('./sessions/runSessionOperation');
			return await runSessionOperation(ctx, operation, client);
		}
		case 'askJob': {
			const { runAskJob } = await import('./runAskJob');
			return await runAskJob(ctx, operation, client);
		}
		case 'startJob':
		case 'getJob': {
			const { runJobOperation } = await import('./runJobOperation');
			return await runJobOperation(ctx, operation, collectWith(resource), client);
		}
	}
}
