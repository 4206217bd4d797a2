import type { INodeProperties, INodeType } from 'n8n-workflow';
import { NodeConnectionTypes } from './n8n.ts';

/**
 * The form in which n8n offers a node with `usableAsTool` to an AI agent: the same code under the type
 * name `...Tool`, without inputs, with one tool output and a field for the tool's description.
 *
 * n8n makes this form while it loads packages (packages/cli/src/tool-generation/ai-tools.ts, n8n 2.40);
 * that part is not in n8n-core, so it is repeated here.
 */
export function asToolType(type: INodeType): INodeType {
	const { description } = type;
	const descriptionType: INodeProperties = {
		displayName: 'Tool Description',
		name: 'descriptionType',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Set Automatically', value: 'auto' },
			{ name: 'Set Manually', value: 'manual' },
		],
		default: 'auto',
	};
	const toolDescription: INodeProperties = {
		displayName: 'Description',
		name: 'toolDescription',
		type: 'string',
		default: description.description,
		required: true,
		displayOptions: { show: { descriptionType: ['manual'] } },
	};
	// The prototype stays the node's own, so execute and methods are the very same functions.
	return Object.create(type, {
		description: {
			value: {
				...description,
				name: `${description.name}Tool`,
				displayName: `${description.displayName} Tool`,
				inputs: [],
				outputs: [NodeConnectionTypes.AiTool],
				usableAsTool: undefined,
				properties: [descriptionType, toolDescription, ...description.properties],
			},
		},
	}) as INodeType;
}
