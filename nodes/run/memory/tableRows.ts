import type { IDataObject, INodeExecutionData, INodeParameters, IWorkflowBase } from 'n8n-workflow';
import { isJsonObject } from '../../service/http/answer';
import { shorten } from '../../service/http/failure';
import { processClock } from '../connection/processClock';
import type { RunContext } from '../connection/runContext';

/**
 * What n8n's own Data Table node does for this one, in a workflow that is brought along as code: a community node has no
 * other way to a table. It runs in the process of the node and in the project of its workflow, and nothing of it stays in
 * the list of executions (docs/reference/n8n-internals.md#data-tables).
 */
export type TableCaller = (parameters: INodeParameters, item: IDataObject) => Promise<IDataObject[]>;

/** The columns of a table of memories. Stored: do not rename. */
const COLUMNS = [
	{ name: 'key', type: 'string' },
	{ name: 'value', type: 'string' },
	{ name: 'version', type: 'number' },
];

/** A row as this node writes it. */
interface WrittenRow extends IDataObject {
	/** Names the node. */
	key: string;
	value: string;
	/** Counts how often it was stored. */
	version: number;
}

/** A row as n8n gives it back. */
export interface StoredRow {
	id: number;
	value: string;
	version: number;
}

/** n8n 1.123 has no operations for tables in its Data Table node; nor does its context tell whether an agent calls. */
export function findsByName(ctx: RunContext): boolean {
	return typeof (ctx as Partial<RunContext>).isToolExecution === 'function';
}

/** The way to n8n's Data Table node; undefined where n8n has none, or its module is off. */
export function tableCaller(ctx: RunContext): TableCaller | undefined {
	const { executeWorkflow, helpers } = ctx;
	if (!executeWorkflow || typeof helpers.getDataTableProxy !== 'function') return undefined;
	const call: TableCaller = async (parameters, item) => {
		const input: INodeExecutionData[] = [{ json: item }];
		const { data } = await executeWorkflow.call(ctx, { code: codeOf(parameters) }, input);
		// Without rows n8n gives one empty item.
		return (data[0] ?? []).map(({ json }) => json).filter(({ id }) => id !== undefined);
	};
	return findsByName(ctx) ? call : async (...given) => await inTurn(async () => await call(...given));
}

let latest: Promise<unknown> = Promise.resolve();

/**
 * One call of the process after the other: n8n 1.123 has SQLite on one connection, where two transactions at once break
 * whatever n8n does after them (docs/reference/n8n-internals.md#data-tables).
 */
async function inTurn<T>(call: () => Promise<T>): Promise<T> {
	const own = latest.then(call);
	latest = own.catch(() => undefined);
	return await own;
}

/**
 * A workflow with one Data Table node, made for each call: n8n writes the caller's id into it. What is left out of
 * its settings would be the caller's, its error workflow among them.
 */
function codeOf(parameters: INodeParameters): IWorkflowBase {
	const at = new Date(processClock.wallClock());
	return {
		id: '',
		name: 'Memory of Web Data',
		nodes: [
			{
				id: 'start',
				name: 'Start',
				type: 'n8n-nodes-base.executeWorkflowTrigger',
				typeVersion: 1.1,
				position: [0, 0],
				parameters: { inputSource: 'passthrough' },
			},
			{
				id: 'table',
				name: 'Table',
				type: 'n8n-nodes-base.dataTable',
				typeVersion: 1.1,
				position: [200, 0],
				parameters,
				alwaysOutputData: true,
			},
		],
		connections: { Start: { main: [[{ node: 'Table', type: 'main', index: 0 }]] } },
		settings: {
			executionOrder: 'v1',
			saveDataSuccessExecution: 'none',
			saveDataErrorExecution: 'none',
			saveManualExecutions: false,
			saveExecutionProgress: false,
			callerPolicy: 'workflowsFromSameOwner',
		},
		active: false,
		isArchived: false,
		activeVersionId: null,
		createdAt: at,
		updatedAt: at,
	};
}

/** The ID of the table with exactly this name; undefined where there is none. n8n looks for names that contain it. */
export async function findTable(call: TableCaller, name: string): Promise<string | undefined> {
	const list = { resource: 'table', operation: 'list', returnAll: true, options: { filterName: name } };
	const found = (await call(list, {})).find((table) => table.name === name);
	return found && String(found.id);
}

/** The ID of the table with this name, which is made where there is none. */
export async function makeTable(call: TableCaller, name: string): Promise<string> {
	const create = {
		resource: 'table',
		operation: 'create',
		tableName: name,
		columns: { column: COLUMNS },
		// By the same name n8n would take another table whose name contains it.
		options: { createIfNotExists: false },
	};
	const [made] = await Promise.allSettled([call(create, {})]);
	// Another run may have made it in the meantime.
	const id = made.status === 'fulfilled' ? made.value[0]?.id : await findTable(call, name);
	if (id !== undefined) return String(id);
	throw new Error(made.status === 'rejected' ? saidBy(made.reason) : 'n8n made no table');
}

/** n8n's own words, as the end of a sentence. */
export function saidBy(error: unknown): string {
	const said = isJsonObject(error) && typeof error.message === 'string' ? error.message : '';
	return shorten(said.replace(/\.$/, ''), 300) || 'n8n gave no reason';
}

/** No text of a row stands in the code, so that none is taken for an expression. */
const ofStart = (what: string) => `={{ $('Start').first().json.${what} }}`;

const KEY_IS = { keyName: 'key', condition: 'eq', keyValue: ofStart('key') };

function onRows(table: string, operation: string, more: INodeParameters): INodeParameters {
	return { resource: 'row', operation, dataTableId: { __rl: true, mode: 'id', value: table }, ...more };
}

/** The row of a node. n8n has no unique keys: of several the one that was stored most often counts, then the oldest. */
export async function readRow(call: TableCaller, table: string, key: string): Promise<StoredRow | undefined> {
	const get = { matchType: 'allConditions', filters: { conditions: [KEY_IS] }, returnAll: true };
	const rows = (await call(onRows(table, 'get', get), { key })).map(storedRow);
	return rows.sort((one, other) => other.version - one.version || one.id - other.id)[0];
}

export async function insertRow(call: TableCaller, table: string, row: WrittenRow): Promise<StoredRow[]> {
	const columns = { mappingMode: 'autoMapInputData', value: null };
	return (await call(onRows(table, 'insert', { columns }), row)).map(storedRow);
}

/** Writes the row where it still has the version before this one; nothing comes back where it has not. */
export async function updateRow(call: TableCaller, table: string, row: WrittenRow): Promise<StoredRow[]> {
	const before = { keyName: 'version', condition: 'eq', keyValue: ofStart('version - 1') };
	const update = {
		matchType: 'allConditions',
		filters: { conditions: [KEY_IS, before] },
		columns: { mappingMode: 'autoMapInputData', value: null },
	};
	return (await call(onRows(table, 'update', update), row)).map(storedRow);
}

function storedRow({ id, value, version }: IDataObject): StoredRow {
	return { id: Number(id), value: typeof value === 'string' ? value : '', version: Number(version) || 0 };
}
