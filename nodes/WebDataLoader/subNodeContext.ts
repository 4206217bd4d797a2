import type { INodeExecutionData, ISupplyDataFunctions } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { isConstant } from '../WebData/run/forLoader';
import type { RunContext } from '../WebData/run/forLoader';
import { valueFor } from './sources';
import type { Source } from './sources';

/** The input items of the node that the loader is connected to; expressions in the loader read them. */
export function parentItems(ctx: ISupplyDataFunctions): INodeExecutionData[] {
	return ctx.getInputData(0, NodeConnectionTypes.Main);
}

/**
 * What Web Data's code runs with in the loader: n8n's context of the sub-node, with the parent's items as input.
 * Where all items ask for the same, since no parameter holds an expression, it is asked for once.
 */
export function subNodeContext(ctx: ISupplyDataFunctions, source: Source): RunContext {
	const items = parentItems(ctx);
	const node = ctx.getNode();
	const isOnce = source.readsItems !== true && isConstant(node.parameters);
	const own = {
		getInputData: () => (isOnce ? items.slice(0, 1) : items),
		// The parent may be tried again: then what was paid for is read again.
		getNode: () => ({ ...node, retryOnFail: true }),
		getNodeParameter: (name: string, item: number, byDefault?: unknown) =>
			valueFor(source, name, () => ctx.getNodeParameter(name, item, byDefault), byDefault),
		// One of many pages that fails costs its own documents, not those of the others.
		continueOnFail: () => !isOnce && items.length > 1,
	};
	return Object.assign(Object.create(ctx) as RunContext, own);
}
