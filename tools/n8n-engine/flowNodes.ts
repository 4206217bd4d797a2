import type { INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';
import type { NodeTypesByName } from './nodeTypes.ts';

/** A description of a stand-in. */
export const described = (
	name: string,
	rest: Pick<INodeTypeDescription, 'outputs' | 'properties'>,
): INodeTypeDescription => ({
	displayName: name,
	name,
	group: [],
	version: [1, 1.1, 2, 2.1, 2.2, 2.3, 3.4],
	description: '',
	defaults: {},
	inputs: ['main'],
	...rest,
});

const SECONDS: Readonly<Record<string, number>> = {
	seconds: 1,
	minutes: 60,
	hours: 3600,
	days: 86400,
};

/** IF: n8n evaluates a parameter of type `filter` itself, the node only sorts the items. */
const ifNode: INodeType = {
	description: described('if', {
		outputs: ['main', 'main'],
		properties: [
			{
				displayName: 'Conditions',
				name: 'conditions',
				type: 'filter',
				default: {},
				typeOptions: { filter: { version: 2 } },
			},
		],
	}),
	async execute() {
		const branches: [INodeExecutionData[], INodeExecutionData[]] = [[], []];
		this.getInputData().forEach((item, index) => {
			const passes = this.getNodeParameter('conditions', index, false, { extractValue: true });
			branches[passes ? 0 : 1].push({ ...item, pairedItem: { item: index } });
		});
		return branches;
	},
};

/** Wait for a time interval: always suspends the execution, n8n's does so from 65 s on. */
const waitNode: INodeType = {
	description: described('wait', {
		outputs: ['main'],
		properties: [
			{ displayName: 'Amount', name: 'amount', type: 'number', default: 1 },
			{ displayName: 'Unit', name: 'unit', type: 'string', default: 'hours' },
		],
	}),
	async execute() {
		const amount = Number(this.getNodeParameter('amount', 0));
		const unit = String(this.getNodeParameter('unit', 0));
		await this.putExecutionToWait(new Date(Date.now() + amount * (SECONDS[unit] ?? 1) * 1000));
		return [this.getInputData()];
	},
};

const passOnNode: INodeType = {
	description: described('noOp', { outputs: ['main'], properties: [] }),
	async execute() {
		return [this.getInputData()];
	},
};

/**
 * Small stand-ins for the three nodes of n8n-nodes-base that a workflow's flow cannot do without, for
 * `otherNodeTypes`. The package n8n-nodes-base cannot be installed beside n8n-core here, and a pin has
 * one output only. The tests in a real n8n run the real ones.
 */
export const flowNodes: NodeTypesByName = {
	'n8n-nodes-base.if': ifNode,
	'n8n-nodes-base.wait': waitNode,
	'n8n-nodes-base.noOp': passOnNode,
};
