import path from 'node:path';
import { z } from 'zod/v4';
import type { StoredCredential, WorkflowDefinition } from '../../tools/n8n/client.ts';
import { readExamples, withCredential } from '../../tools/n8n/examples.ts';
import { projectRoot } from '../../tools/n8n/project.ts';
import { manualTrigger, workflow } from '../e2e/harness/workflows.ts';

/** The nodes of the durable example that the checks check. */
export const TRIGGER = 'When You Press the Button';
export const START = 'Start Research';
export const GET = 'Get Research';
export const USE = 'Use the Analysis';

/** The shortest wait that n8n keeps in its database: 65 seconds. */
const WAIT_SECONDS = 66;

const node = z
	.object({ name: z.string(), type: z.string(), parameters: z.record(z.string(), z.unknown()) })
	.passthrough();
const target = z.object({ node: z.string(), type: z.string(), index: z.number() });
const connections = z.record(z.string(), z.object({ main: z.array(z.array(target)) }));

const asMain = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });

/** The two nodes of the list example that make one item of each entry in `list`. */
function listNodes(list: readonly string[]): object[] {
	const value = JSON.stringify(list);
	const assignment = { id: 'list', name: 'list', type: 'array', value };
	return [
		{
			id: 'list',
			name: 'List',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			position: [80, 0],
			parameters: { assignments: { assignments: [assignment] }, options: {} },
		},
		{
			id: 'items',
			name: 'One Item Each',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			position: [160, 0],
			parameters: { fieldToSplitOut: 'list', options: { destinationFieldName: 'one' } },
		},
	];
}

interface DurableParts {
	name: string;
	questions: readonly string[];
	credential: StoredCredential;
	/** n8n's "Save execution progress": after each node, not only when an execution ends or waits. */
	savesProgress: boolean;
}

/** The durable example for several questions, with the shortest wait. */
export function durableWorkflow({ name, questions, credential, savesProgress }: DurableParts): WorkflowDefinition {
	const examples = readExamples(path.join(projectRoot(), 'examples'));
	const durable = examples.find((example) => example.name.includes('survives a restart'));
	if (durable === undefined) throw new Error('There is no durable example.');
	const chosen = withCredential(durable, credential);
	const nodes = z.array(node).parse(chosen.nodes);
	for (const { name: own, type, parameters } of nodes) {
		if (type === 'n8n-nodes-base.wait') Object.assign(parameters, { amount: WAIT_SECONDS, unit: 'seconds' });
		if (own === START) Object.assign(parameters, { query: '={{ $json.one }}' });
	}
	return {
		...chosen,
		name,
		nodes: [...nodes, ...listNodes(questions)],
		connections: {
			...connections.parse(chosen.connections),
			[TRIGGER]: asMain('List'),
			List: asMain('One Item Each'),
			'One Item Each': asMain(START),
		},
		settings: { executionOrder: 'v1', saveExecutionProgress: savesProgress },
	};
}

/** What a person does with the ids in n8n's log: Get each, and wait for it. */
export function collectWorkflow(ids: readonly string[], credential: StoredCredential): WorkflowDefinition {
	const get = {
		name: GET,
		type: 'n8n-nodes-web-data.webData',
		typeVersion: 1,
		parameters: { resource: 'deepResearch', operation: 'get', jobId: '={{ $json.one }}', waitForCompletion: true },
		credential,
		settings: { onError: 'continueRegularOutput' },
	};
	const made = workflow('Collect', [{ ...manualTrigger, name: TRIGGER, to: ['List'] }, get]);
	return {
		...made,
		nodes: [...made.nodes, ...listNodes(ids)],
		connections: {
			...made.connections,
			List: asMain('One Item Each'),
			'One Item Each': asMain(GET),
		},
	};
}
