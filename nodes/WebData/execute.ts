import { NodeOperationError } from 'n8n-workflow';
import type { INodeExecutionData } from 'n8n-workflow';
import type { RunContext } from '../run/connection/runContext';
import { runError } from '../run/output/itemError';
import { wantsPrice } from '../run/price/wantsPrice';
import { runNode, runOperation } from '../run/runNode';
import { answersWithoutKey, needsKeyText } from '../service/http/withoutKey';
import { findOperation } from './resources';
import type { FoundOperation } from './resources';

/** Runs the node: finds the operation that its two parameters name and carries it out. */
export async function execute(ctx: RunContext): Promise<INodeExecutionData[][]> {
	return await runNode(ctx, async (connected) => {
		const found = operationOf(ctx);
		const isPriceOnly = wantsPrice(ctx, found.operation.fields);
		const client = await connected(found.operation.fields);
		if (isPriceOnly) {
			const { tellPrice } = await import('../run/price/priceRun');
			return await tellPrice(ctx, found.operation, client);
		}
		if (client.isWithoutKey && !answersWithoutKey(found.operation.request)) {
			const message = needsKeyText(nameOf(found));
			throw runError(ctx, { item: 0, kind: 'badInput', message }, []);
		}
		return await runOperation(ctx, found.operation, client);
	});
}

/** `Crawl`, `Crawl · Get`, `Map`. */
function nameOf({ resource, operation }: FoundOperation): string {
	const isWhole = operation.kind === 'startJob' || operation.name === resource.name;
	return isWhole ? resource.name : `${resource.name} · ${operation.name}`;
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
