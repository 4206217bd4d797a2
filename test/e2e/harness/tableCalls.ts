/**
 * Calls of n8n's Data Table node, one after the other, and what comes of them: the stand-in of tools/n8n-engine is held
 * against the real one with them (test/engine/tableCalls.test.ts, queue-mode.e2e.ts). Ids of tables and rows, and
 * times, are n8n's own: an id of a table is named by the table's name, `<name>`.
 */

/** Parameters of the node, in which `<name>` stands for the ID of the table, and the item that it gets. */
interface TableCall {
	name: string;
	parameters: Record<string, unknown>;
	item?: Record<string, unknown>;
	/** Not on n8n 1.123, whose node has no tables. */
	isOfTables?: true;
}

/** What came of a call: the items, or the sentence of the error. */
export interface CallOutcome {
	items?: Array<Record<string, unknown>>;
	error?: string;
}

const table = (name: string, operation: string, more: Record<string, unknown> = {}): TableCall => ({
	name,
	parameters: { resource: 'table', operation, ...more },
	isOfTables: true,
});

const MEMORY = [
	{ name: 'key', type: 'string' },
	{ name: 'value', type: 'string' },
	{ name: 'version', type: 'number' },
];

const create = (what: string, tableName: string, createIfNotExists: boolean, column = MEMORY): TableCall =>
	table(what, 'create', { tableName, columns: { column }, options: { createIfNotExists } });

const list = (what: string, filterName: string): TableCall =>
	table(what, 'list', { returnAll: true, options: { filterName } });

const ofStart = (field: string) => `={{ $('Start').first().json.${field} }}`;
const KEY_IS = { keyName: 'key', condition: 'eq', keyValue: ofStart('key') };
const BEFORE = { keyName: 'version', condition: 'eq', keyValue: ofStart('version - 1') };

function row(
	what: string,
	operation: string,
	item: Record<string, unknown>,
	{ conditions, of = '<calls>' }: { conditions?: object[]; of?: string } = {},
): TableCall {
	const parameters = {
		resource: 'row',
		operation,
		dataTableId: { __rl: true, mode: 'id', value: of },
		...(conditions && { matchType: 'allConditions', filters: { conditions } }),
		...(operation === 'get' ? { returnAll: true } : { columns: { mappingMode: 'autoMapInputData', value: null } }),
	};
	return { name: what, parameters, item };
}

const ODD = 'quotes " and \' and {{ 1 + 1 }}, =x, ・／｜, 😀\n\ttabs';

export const TABLE_CALLS: readonly TableCall[] = [
	list('no table yet', 'calls'),
	create('a table is made', 'calls', false),
	create('by the same name none is made again', 'calls', false),
	create('it is taken where it may be reused', 'calls', true),
	create('another whose name contains it', 'calls_backup', false, [{ name: 'note', type: 'string' }]),
	list('both are found by the shorter name', 'calls'),
	list('one by the longer name', 'calls_backup'),
	create('one with any sign for the underscore', 'callsXbackup', false, [{ name: 'note', type: 'string' }]),
	list('"_" is any sign', 'calls_backup'),
	list('case does not count', 'CALLS_BACKUP'),
	row('no row: one empty item', 'get', { key: 'a' }, { conditions: [KEY_IS] }),
	row('a row is inserted, and comes back', 'insert', { key: 'a', value: 'one', version: 1 }),
	row('and read', 'get', { key: 'a' }, { conditions: [KEY_IS] }),
	row('a text is no expression', 'insert', { key: 'odd', value: ODD, version: 1 }),
	row('and is read as it was', 'get', { key: 'odd' }, { conditions: [KEY_IS] }),
	row('another key is another row', 'get', { key: 'A' }, { conditions: [KEY_IS] }),
	row(
		'an update of the version before',
		'update',
		{ key: 'a', value: 'two', version: 2 },
		{ conditions: [KEY_IS, BEFORE] },
	),
	row(
		'an update of a version that is gone',
		'update',
		{ key: 'a', value: 'x', version: 2 },
		{ conditions: [KEY_IS, BEFORE] },
	),
	row('what it was is still there', 'get', { key: 'a' }, { conditions: [KEY_IS] }),
	row('there is no unique key', 'insert', { key: 'a', value: 'other', version: 1 }),
	row('so both are read', 'get', { key: 'a' }, { conditions: [KEY_IS] }),
	row('a column that is not there', 'insert', { key: 'b', other: 1 }),
	row('a number that is none', 'insert', { key: 'b', version: 'x' }),
	row('a table that is not there', 'get', { key: 'a' }, { conditions: [KEY_IS], of: 'nowhere' }),
	row('a long text', 'insert', { key: 'long', value: 'x'.repeat(50_000), version: 1 }),
	row('its length', 'get', { key: 'long' }, { conditions: [KEY_IS] }),
	row('a column that is not filled', 'insert', { key: 'empty' }),
];

/** What of an item counts: what n8n makes up itself is left out, and a long text is its length. */
function comparable(item: Record<string, unknown>): Record<string, unknown> {
	const names = ['name', 'key', 'value', 'version', 'note'];
	return Object.fromEntries(
		names.flatMap((name): Array<[string, unknown]> => {
			const { [name]: value } = item;
			if (value === undefined) return [];
			return [[name, typeof value === 'string' && value.length > 1000 ? `${value.length} characters` : value]];
		}),
	);
}

/** Makes the calls by `run`, and gives a line for each. `ids`: tables that are there, by their names. */
export async function transcriptOf(
	run: (parameters: Record<string, unknown>, item: Record<string, unknown>) => Promise<CallOutcome>,
	{ calls = TABLE_CALLS, ids = new Map<string, string>() } = {},
): Promise<string[]> {
	const lines: string[] = [];
	for (const { name, parameters, item = {} } of calls) {
		const text = JSON.stringify(parameters).replace(/<(\w+)>/g, (_all, of: string) => ids.get(of) ?? 'unknown');
		const { items = [], error } = await run(JSON.parse(text) as Record<string, unknown>, item);
		for (const one of items) if (typeof one.name === 'string') ids.set(one.name, String(one.id));
		const known = [...ids].reduce((said, [of, id]) => said.replaceAll(id, `<${of}>`), error ?? '');
		const found = items.map(comparable).sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
		lines.push(`${name}: ${error === undefined ? JSON.stringify(found) : `refused: ${known}`}`);
	}
	return lines;
}
