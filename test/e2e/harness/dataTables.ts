import { z } from 'zod';
import type { N8nClient, WorkflowDefinition } from '../../../n8n/client.ts';

/** A Data Table of n8n, as its editor makes one. */
export interface DataTable {
	id: string;
	rows(): Promise<Array<Record<string, unknown>>>;
}

const withId = z.object({ id: z.string() });
const rowList = z.object({ data: z.array(z.record(z.unknown())) });
const node = z.object({ type: z.string(), parameters: z.record(z.unknown()) }).passthrough();

/** Makes a table in the user's own project. The columns: their types by their names. */
export async function createDataTable(
	client: N8nClient,
	name: string,
	columns: Readonly<Record<string, 'string' | 'number' | 'date' | 'boolean'>>,
): Promise<DataTable> {
	const project = withId.parse(await client.call('/projects/personal'));
	const path = `/projects/${project.id}/data-tables`;
	const listed = Object.entries(columns).map(([column, type]) => ({ name: column, type }));
	const body = { name, columns: listed };
	const { id } = withId.parse(await client.call(path, { method: 'POST', body }));
	return {
		id,
		rows: async () => rowList.parse(await client.call(`${path}/${id}/rows`)).data,
	};
}

/** The workflow with the table chosen in each of its Data Table nodes. */
export function withDataTable(workflow: WorkflowDefinition, { id }: DataTable): WorkflowDefinition {
	const chosen = { __rl: true, mode: 'id', value: id };
	const nodes = z.array(z.unknown()).parse(workflow.nodes);
	return {
		...workflow,
		nodes: nodes.map((entry) => {
			const read = node.safeParse(entry);
			if (!read.success || read.data.type !== 'n8n-nodes-base.dataTable') return entry;
			return { ...read.data, parameters: { ...read.data.parameters, dataTableId: chosen } };
		}),
	};
}
