import { FORGOTTEN_AFTER_MS } from '../../research/contract/history';
import { ROW_HISTORY_FORM } from '../../research/row/cellHistory';
import type { KnownCell, KnownRow } from '../../research/row/cellHistory';
import type { Row } from '../../research/row/columns';
import type { NodeMemory } from '../../run/memory/memory';
import { isJsonObject } from '../../service/http/answer';
import type { JsonObject } from '../../service/http/transport';
import { sameAddress } from '../../text/addresses';
import { evenOut } from '../../text/pageText';
import { HISTORY_CHARACTERS, isHistoryText } from '../researchHistory';
import type { ResearchMemory } from '../researchMemory';

/** Key in the node's memory. Stored: do not rename. */
const KEY = 'webDataRowHistory';

/** One row with a history. */
interface RowWithHistory {
	/** The name of the history; empty: that of the node. */
	name: string;
	row: Row;
	memory: ResearchMemory;
}

/** The rows of one history, by what they are known by. */
type StoredRows = Map<string, KnownRow>;

/**
 * What a node remembers of the rows of tables, in its memory (run/memory). A row is known by Subject and Website, and goes
 * on with nothing but its own: another firm would get the prices of the one that stood there before. A run compares with
 * what was there when it began, and so does each retry of it, by a copy, as long as no other run has stored since.
 */
export class RowHistories {
	private readonly stored: Map<string, StoredRows>;

	/** Rows for which there was no room. */
	forgotten = 0;

	constructor(
		readonly memory: NodeMemory,
		private readonly nowMs: number,
	) {
		this.stored = readStored(memory.value[KEY], nowMs);
	}

	/** What a row is compared with; `none` in its first run, `lost` where nobody knows: then all of it is told. */
	begin({ name, row, memory }: RowWithHistory): KnownRow | 'none' | 'lost' {
		const copy = memory.historyCopy(name);
		const { version, lost } = this.memory;
		if (copy && (lost !== undefined || copy.version === version)) return readRow(copy.history) ?? 'none';
		if (lost !== undefined) return 'lost';
		const known = this.stored.get(name)?.get(nameOf(row));
		memory.keepHistoryCopy(name, { history: known, version });
		return known ?? 'none';
	}

	/**
	 * To be called once, when the node has succeeded. Rows without news stay as they were. Says in one sentence why it could
	 * not. Throws a ServiceFailure when the execution was stopped.
	 */
	async store(rows: ReadonlyArray<{ name: string; row: Row; history: KnownRow }>): Promise<string | undefined> {
		if (rows.length === 0) return undefined;
		return await this.memory.store((value) => {
			const all = readStored(value[KEY], this.nowMs);
			for (const { name, row, history } of rows) {
				const own = all.get(name) ?? new Map<string, KnownRow>();
				own.delete(nameOf(row));
				all.set(name, own.set(nameOf(row), history));
			}
			this.forgotten = makeRoom(all);
			const stored = Object.fromEntries([...all].map(([name, own]) => [name, Object.fromEntries(own)]));
			return { ...value, [KEY]: JSON.parse(JSON.stringify(stored)) as JsonObject };
		});
	}
}

/** Names a row in a history, whatever its place in the table is. */
function nameOf({ subject, website }: Row): string {
	return `${evenOut(subject).toLowerCase()}\n${website === '' ? '' : sameAddress(website)}`;
}

/** Leaves out the rows that were looked up least lately until the rest has room; says how many. */
function makeRoom(all: Map<string, StoredRows>): number {
	const rows = [...all].flatMap(([name, own]) =>
		[...own].map(([key, row], place) => ({
			name,
			key,
			at: row.at,
			place,
			size: JSON.stringify([key, row]).length + 1,
		})),
	);
	let size = rows.reduce((sum, one) => sum + one.size, 0);
	let forgotten = 0;
	rows.sort((one, other) => one.at.localeCompare(other.at) || one.place - other.place);
	for (const { name, key, size: own } of rows) {
		if (size <= HISTORY_CHARACTERS) break;
		all.get(name)?.delete(key);
		size -= own;
		forgotten += 1;
	}
	return forgotten;
}

/** Bounds of what is read: a table is open to its users. What is longer or of another shape counts as nothing. */
const MAX_PAGES = 50;
const MAX_COLUMNS = 100;

function readStored(value: unknown, nowMs: number): Map<string, StoredRows> {
	if (!isJsonObject(value)) return new Map();
	return new Map(
		Object.entries(value).map(([name, stored]): [string, StoredRows] => {
			const rows = Object.entries(isJsonObject(stored) ? stored : {}).flatMap(
				([key, one]): Array<[string, KnownRow]> => {
					const row = readRow(one);
					return row && Date.parse(row.at) >= nowMs - FORGOTTEN_AFTER_MS ? [[key, row]] : [];
				},
			);
			return [name, new Map(rows)];
		}),
	);
}

/** A row as it was stored; undefined for anything else. */
function readRow(value: unknown): KnownRow | undefined {
	if (!isJsonObject(value) || value.form !== ROW_HISTORY_FORM) return undefined;
	const { at, pages, results, searches, cells, empty } = value;
	if (!isDay(at) || !Array.isArray(pages) || pages.length > MAX_PAGES || !pages.every(isPage)) return undefined;
	if (!isHistoryText(results) || typeof searches !== 'number' || !isJsonObject(cells) || !isJsonObject(empty))
		return undefined;
	const known = Object.entries(cells).slice(0, MAX_COLUMNS);
	const gone = Object.entries(empty).slice(0, MAX_COLUMNS);
	return {
		...{ form: ROW_HISTORY_FORM, at, pages, results, searches: Math.max(0, Math.floor(searches)) },
		cells: Object.fromEntries(known.filter((one): one is [string, KnownCell] => isCell(one[1], pages.length))),
		empty: Object.fromEntries(gone.filter((one): one is [string, string] => isHistoryText(one[1]))),
	};
}

function isPage(value: unknown): value is KnownRow['pages'][number] {
	if (!isJsonObject(value)) return false;
	const { url, hash, name, size } = value;
	return [url, hash, name].every(isHistoryText) && typeof size === 'number' && /^https?:\/\//i.test(String(url));
}

function isCell(value: unknown, pages: number): value is KnownCell {
	if (!isJsonObject(value) || !isJsonObject(value.quote)) return false;
	const { currency = '', quote, place, by, page, of, since, seen, missed = 0 } = value;
	const isValue = isHistoryText(value.value) || typeof value.value === 'boolean' || Number.isFinite(value.value);
	const areTexts = [currency, quote.start, quote.digest, place, of].every(isHistoryText);
	const areNumbers = [quote.length, page, missed].every((one) => typeof one === 'number');
	const isOnPage = typeof page === 'number' && page >= 0 && page < pages;
	return (
		isValue && areTexts && areNumbers && isOnPage && isDay(since) && isDay(seen) && (by === 'code' || by === 'model')
	);
}

/** Days stand in changes as they are. */
function isDay(value: unknown): value is string {
	return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);
}
