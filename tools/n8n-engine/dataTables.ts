import type { IDataObject, INodeExecutionData, INodeType } from 'n8n-workflow';
import { described } from './flowNodes.ts';
import type { NodeTypesByName } from './nodeTypes.ts';

interface Table {
	id: string;
	name: string;
	project: string;
	columns: Array<{ name: string; type: string }>;
	rows: IDataObject[];
	/** Tables that were written last come first where nobody asks for another order. */
	writtenAt: number;
}

/** Told each operation before it begins and after it has ended: `row update, after`. What it throws is n8n's refusal. */
export type TableGate = (operation: string, when: 'before' | 'after') => Promise<void> | void;

interface DataTablesOptions {
	/** What all texts of all tables may have together. Default: no limit. */
	maxCharacters?: number;
	/** What a cell holds; a longer text is cut, as by MySQL on n8n 1.123. Default: no limit. */
	cellCharacters?: number;
	/** The projects of workflows, by their ids. Default: all are in one. */
	projects?: Readonly<Record<string, string>>;
}

/** Set by n8n; a row that is written names none of them. */
const SYSTEM_COLUMNS = ['id', 'createdAt', 'updatedAt'];

/**
 * The Data Tables of one n8n: what its Data Table node does with them, with its refusals. Source: packages/nodes-base
 * DataTable and packages/cli modules/data-table, n8n 2.41; `tableCalls.ts` of the tests holds them against the real one.
 */
export class DataTables {
	gate: TableGate | undefined;

	readonly tables: Table[] = [];

	private count = 0;

	private writes = 0;

	private readonly options: DataTablesOptions;

	constructor(options: DataTablesOptions = {}) {
		this.options = options;
	}

	projectOf(workflowId: string): string {
		return this.options.projects?.[workflowId] ?? 'project';
	}

	/** The same tables as they are now, with a life of their own. */
	copy(): DataTables {
		const copy = new DataTables(this.options);
		copy.tables.push(...structuredClone(this.tables));
		copy.count = this.count;
		copy.writes = this.writes;
		return copy;
	}

	/** The rows of the table with exactly this name. */
	rowsOf(name: string): IDataObject[] {
		return this.tables.find((table) => table.name === name)?.rows ?? [];
	}

	list(project: string, { filterName = '' }: { filterName?: string }): Table[] {
		// LOWER(name) LIKE LOWER('%name%'), in which "_" is any sign.
		const pattern = filterName
			.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
			.replace(/_/g, '.')
			.replace(/%/g, '.*');
		const like = new RegExp(pattern, 'is');
		return this.tables
			.filter((table) => table.project === project && like.test(table.name))
			.sort((one, other) => other.writtenAt - one.writtenAt);
	}

	create(project: string, name: string, columns: Table['columns'], isReused: boolean): Table {
		const [latest] = this.list(project, { filterName: name });
		if (isReused && latest?.name === name) return latest;
		if (this.tables.some((table) => table.project === project && table.name === name)) {
			throw new Error(`Data table with name '${name}' already exists in this project`);
		}
		this.count += 1;
		const table = { id: `table${this.count}`, name, project, columns, rows: [], writtenAt: this.writes++ };
		this.tables.push(table);
		return table;
	}

	find(project: string, id: string): Table {
		const table = this.tables.find((one) => one.id === id && one.project === project);
		if (!table) {
			throw Object.assign(new Error(`Data table with ID '${id}' could not be found in this project`), {
				description:
					'It may have been deleted, or skipped when the workflow was imported. Choose an existing data table in the node.',
			});
		}
		return table;
	}

	insert(table: Table, given: IDataObject): IDataObject {
		const row = this.written(table, given);
		const at = new Date().toISOString();
		const id = table.rows.reduce((highest, one) => Math.max(highest, Number(one.id)), 0) + 1;
		const empty = Object.fromEntries(table.columns.map(({ name }) => [name, null]));
		table.rows.push({ id, createdAt: at, updatedAt: at, ...empty, ...row });
		return { ...table.rows.at(-1) };
	}

	update(table: Table, given: IDataObject, matches: (row: IDataObject) => boolean): IDataObject[] {
		const row = this.written(table, given);
		const found = table.rows.filter(matches);
		for (const one of found) Object.assign(one, row, { updatedAt: new Date().toISOString() });
		return found.map((one) => ({ ...one }));
	}

	private written(table: Table, given: IDataObject): IDataObject {
		const { maxCharacters = Infinity, cellCharacters = Infinity } = this.options;
		const used = this.tables.flatMap(({ rows }) => rows).reduce((sum, row) => sum + JSON.stringify(row).length, 0);
		if (used >= maxCharacters) {
			throw new Error(
				`Validation error with data table request: Data table size limit exceeded: ${used}MB used, limit is ${maxCharacters}MB`,
			);
		}
		table.writtenAt = this.writes++;
		const cells = Object.entries(given).filter(([name]) => !SYSTEM_COLUMNS.includes(name));
		return Object.fromEntries(
			cells.map(([name, value]) => {
				const column = table.columns.find((one) => one.name === name);
				if (!column) throw new Error(`Validation error with data table request: unknown column name '${name}'`);
				if (column.type === 'number' && value !== null && typeof value !== 'number') {
					throw new Error(
						`Validation error with data table request: value '${String(value)}' does not match column type 'number': '${name}' expects a number but we got '${String(value)}'`,
					);
				}
				return [name, typeof value === 'string' ? value.slice(0, cellCharacters) : value];
			}),
		);
	}
}

const conditionFields = [
	{ displayName: 'Column', name: 'keyName', type: 'string', default: 'id' },
	{ displayName: 'Condition', name: 'condition', type: 'string', default: 'eq' },
	{ displayName: 'Value', name: 'keyValue', type: 'string', default: '' },
] as const;

/** The Data Table node, and the trigger that a workflow in code begins with. */
export function tableNodes(tables: DataTables): NodeTypesByName {
	const dataTable: INodeType = {
		description: described('dataTable', {
			outputs: ['main'],
			properties: [
				{ displayName: 'Resource', name: 'resource', type: 'string', default: 'row' },
				{ displayName: 'Operation', name: 'operation', type: 'string', default: 'insert' },
				{
					displayName: 'Data Table',
					name: 'dataTableId',
					type: 'resourceLocator',
					default: { mode: 'list', value: '' },
					modes: [{ displayName: 'ID', name: 'id', type: 'string' }],
				},
				{ displayName: 'Name', name: 'tableName', type: 'string', default: '' },
				{
					displayName: 'Columns',
					name: 'columns',
					type: 'fixedCollection',
					typeOptions: { multipleValues: true },
					default: {},
					displayOptions: { show: { resource: ['table'] } },
					options: [
						{
							displayName: 'Column',
							name: 'column',
							values: [
								{ displayName: 'Name', name: 'name', type: 'string', default: '' },
								{ displayName: 'Type', name: 'type', type: 'string', default: 'string' },
							],
						},
					],
				},
				{
					displayName: 'Conditions',
					name: 'filters',
					type: 'fixedCollection',
					typeOptions: { multipleValues: true },
					default: {},
					options: [{ displayName: 'Conditions', name: 'conditions', values: [...conditionFields] }],
				},
				{
					displayName: 'Options',
					name: 'options',
					type: 'collection',
					default: {},
					options: [
						{ displayName: 'Filter by Name', name: 'filterName', type: 'string', default: '' },
						{ displayName: 'Reuse Existing Tables', name: 'createIfNotExists', type: 'boolean', default: true },
					],
				},
			],
		}),
		async execute() {
			const project = tables.projectOf(String(this.getWorkflow().id));
			const output: INodeExecutionData[] = [];
			for (const [index, { json }] of this.getInputData().entries()) {
				const resource = String(this.getNodeParameter('resource', index));
				const operation = String(this.getNodeParameter('operation', index));
				const name = `${resource} ${operation}`;
				await tables.gate?.(name, 'before');
				const text = (parameter: string, otherwise = '') => String(this.getNodeParameter(parameter, index, otherwise));
				const isReused = this.getNodeParameter('options.createIfNotExists', index, false) === true;
				const found = (): Table => tables.find(project, text('dataTableId.value'));
				const conditions = this.getNodeParameter('filters.conditions', index, []) as IDataObject[];
				const matches = (row: IDataObject) =>
					conditions.every(({ keyName, keyValue }) => row[String(keyName)] === keyValue);
				const rows = ((): readonly object[] => {
					switch (name) {
						case 'table list':
							return tables.list(project, { filterName: text('options.filterName') });
						case 'table create': {
							const columns = this.getNodeParameter('columns.column', index, []) as unknown as Table['columns'];
							return [tables.create(project, text('tableName'), columns, isReused)];
						}
						case 'row get':
							return found().rows.filter(matches);
						case 'row insert':
							return [tables.insert(found(), json)];
						case 'row update':
							return tables.update(found(), json, matches);
						default:
							throw new Error(`The Data Table node of this engine has no operation "${name}".`);
					}
				})();
				await tables.gate?.(name, 'after');
				output.push(...rows.map((row) => ({ json: structuredClone(row) as IDataObject, pairedItem: { item: index } })));
			}
			return [output];
		},
	};
	const trigger: INodeType = {
		description: {
			...described('executeWorkflowTrigger', { outputs: ['main'], properties: [] }),
			inputs: [],
			group: ['trigger'],
		},
		async execute() {
			return [this.getInputData()];
		},
	};
	return { 'n8n-nodes-base.dataTable': dataTable, 'n8n-nodes-base.executeWorkflowTrigger': trigger };
}
