import type { StoredCredential, WorkflowDefinition } from '../../../tools/n8n/client.ts';

/** A node of a workflow that a test makes. */
export interface TestNode {
	name: string;
	type: string;
	typeVersion: number;
	parameters?: object;
	/** Saved credential to use; the key in the node is the credential's type. */
	credential?: StoredCredential;
	/** Anything else a node may have: retryOnFail, onError, webhookId ... */
	settings?: object;
	/** Nodes this one's first main output goes to; the next in the list when absent. */
	to?: string[];
	/** For the parts of an agent: the input of `to` that it plugs into, e.g. `ai_tool`. */
	connection?: string;
	/** Which of several inputs of that kind, from 0. */
	input?: number;
}

/** The node one starts by pressing Execute workflow. */
export const manualTrigger: TestNode = {
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
};

/** A trigger that fires every `seconds` seconds. */
export function everySeconds(seconds: number): TestNode {
	const parameters = { rule: { interval: [{ field: 'seconds', secondsInterval: seconds }] } };
	return { name: 'Schedule', type: 'n8n-nodes-base.scheduleTrigger', typeVersion: 1.2, parameters };
}

/** A Code node that runs `code` once for all items. */
export function codeNode(name: string, code: string): TestNode {
	return { name, type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode: code } };
}

function toNode(entry: TestNode, place: number): object {
	const { name, type, typeVersion, parameters, credential, settings, connection } = entry;
	return {
		id: `node-${place}`,
		name,
		type,
		typeVersion,
		position: [place * 220, connection === undefined ? 0 : 240],
		parameters: parameters ?? {},
		...(credential ? { credentials: { [credential.type]: { id: credential.id, name: credential.name } } } : {}),
		...settings,
	};
}

/** A workflow of these nodes: each one's output goes to the next, unless it says where. */
export function workflow(name: string, nodes: readonly TestNode[], settings: object = {}): WorkflowDefinition {
	const connections: Record<string, Record<string, object[][]>> = {};
	nodes.forEach((entry, place) => {
		const next = nodes[place + 1];
		const targets = entry.to ?? (next !== undefined && next.connection === undefined ? [next.name] : []);
		const kind = entry.connection ?? 'main';
		if (targets.length > 0) {
			connections[entry.name] = {
				[kind]: [targets.map((target) => ({ node: target, type: kind, index: entry.input ?? 0 }))],
			};
		}
	});
	return {
		name,
		nodes: nodes.map(toNode),
		connections,
		settings: { executionOrder: 'v1', ...settings },
	};
}
