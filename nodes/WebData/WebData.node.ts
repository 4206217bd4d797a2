import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

import { panelProperties } from './resources';
import { webDataApiTest } from './run/credentialTest';
import { execute } from './run/execute';

// Constants, because one n8n lint plugin asks for the literal ['main'] here and the other forbids it.
const INPUTS = [NodeConnectionTypes.Main];
const OUTPUTS = [NodeConnectionTypes.Main];

export class WebData implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Data',
		name: 'webData',
		icon: { light: 'file:../../icons/web-data.svg', dark: 'file:../../icons/web-data.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Deep research, crawls and other web data; waits for jobs without losing them',
		defaults: { name: 'Web Data' },
		usableAsTool: true,
		inputs: INPUTS,
		outputs: OUTPUTS,
		credentials: [{ name: 'webDataApi', required: true, testedBy: 'webDataApiTest' }],
		properties: panelProperties(),
	};

	methods = { credentialTest: { webDataApiTest } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this);
	}
}
