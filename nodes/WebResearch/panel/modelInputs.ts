import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeInputConfiguration } from 'n8n-workflow';

/** The models of Web Research and of its tool: one that plans and writes, and a cheaper one that may read the pages. */
export const modelInputs: INodeInputConfiguration[] = [
	{
		type: NodeConnectionTypes.AiLanguageModel,
		displayName: 'Chat Model',
		required: true,
		maxConnections: 1,
	},
	{ type: NodeConnectionTypes.AiLanguageModel, displayName: 'Reading Model', maxConnections: 1 },
];
