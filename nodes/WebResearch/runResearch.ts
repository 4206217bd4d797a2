import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { runNode } from '../WebData/run/forResearch';
import { ResearchRun } from './researchRun';

/** Runs the node or the tool: one research for each item of its input. */
export async function runResearch(
	ctx: IExecuteFunctions,
	fields: INodeProperties[],
): Promise<INodeExecutionData[][]> {
	return await runNode(ctx, async (connected) => {
		return await new ResearchRun(ctx, await connected(), fields).run();
	});
}
