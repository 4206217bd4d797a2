import { NodeOperationError } from 'n8n-workflow';
import type { INodeExecutionData } from 'n8n-workflow';

import type { ServiceClient } from '../../service/limits/client';
import type { Resource } from '../operation/operation';
import { findOperation } from '../resources';
import type { FoundOperation } from '../resources';
import type { RunContext } from './connection/runContext';
import { runNode } from './runNode';

/** Runs the node: finds the operation that its two parameters name and carries it out. */
export async function execute(ctx: RunContext): Promise<INodeExecutionData[][]> {
	return await runNode(ctx, async (connected) => {
		const found = operationOf(ctx);
		return await carryOut(ctx, found, await connected(found.operation.fields));
	});
}

function operationOf(ctx: RunContext): FoundOperation {
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
	ctx: RunContext,
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
