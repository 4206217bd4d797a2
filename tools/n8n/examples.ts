import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { N8nClient, StoredCredential, StoredWorkflow, WorkflowDefinition } from './client.ts';

const node = z.object({ type: z.string(), credentials: z.record(z.unknown()).optional() }).passthrough();
const workflowFile = z
	.object({
		name: z.string(),
		nodes: z.array(node),
		connections: z.record(z.unknown()),
		settings: z.record(z.unknown()).optional(),
	})
	.passthrough();

/** The workflow in a file as n8n exports it. @throws when it is none. */
export function readWorkflow(file: string): WorkflowDefinition {
	return workflowFile.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** The example workflows of the clone, in the order to try them: their names begin with its number. */
export function readExamples(folder: string): WorkflowDefinition[] {
	if (!existsSync(folder)) return [];
	const files = readdirSync(folder)
		.filter((name) => name.endsWith('.json'))
		.sort();
	return files
		.map((name) => readWorkflow(path.join(folder, name)))
		.sort((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }));
}

/** The workflow with `credential` chosen in every node that asks for one of its type. */
export function withCredential(workflow: WorkflowDefinition, credential: StoredCredential): WorkflowDefinition {
	const { id, name, type } = credential;
	const nodes = z.array(node).parse(workflow.nodes);
	return {
		...workflow,
		nodes: nodes.map((entry) =>
			entry.credentials?.[type] === undefined
				? entry
				: { ...entry, credentials: { ...entry.credentials, [type]: { id, name } } },
		),
	};
}

/**
 * Brings the examples in. One that is there already, by its name, is left as it is: it may hold the
 * user's own changes.
 *
 * @returns all of them, in the given order
 */
export async function importExamples(
	client: N8nClient,
	examples: readonly WorkflowDefinition[],
	credentials: readonly StoredCredential[],
): Promise<StoredWorkflow[]> {
	const existing = await client.workflows();
	const imported: StoredWorkflow[] = [];
	// n8n lists the newest first.
	for (const example of [...examples].reverse()) {
		const found = existing.find((workflow) => workflow.name === example.name);
		imported.unshift(found ?? (await client.createWorkflow(credentials.reduce(withCredential, example))));
	}
	return imported;
}

/** The credential of this name and type with these data, made or brought up to date. */
export async function saveCredential(
	client: N8nClient,
	name: string,
	type: string,
	data: object,
): Promise<StoredCredential> {
	const found = (await client.credentials()).find((credential) => credential.name === name && credential.type === type);
	if (found === undefined) return await client.createCredential(name, type, data);
	await client.updateCredential(found.id, name, type, data);
	return found;
}
