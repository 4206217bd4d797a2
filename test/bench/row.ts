/** One line of the table and one element of the JSON. */
export interface Row {
	name: string;
	value: number;
	unit: string;
	/** What the value is measured against, in the same unit and the same run. */
	reference: number | null;
	/** Value divided by reference. */
	ratio: number | null;
	/** `ratio <= 1.06`; null for what is only reported. */
	target: string | null;
	/** True when there is no target. */
	pass: boolean;
}

/** Measures one thing. Tells on the way how far it is. */
export type Measure = (say: (line: string) => void) => Promise<Row[]>;

interface Bound {
	of: 'value' | 'ratio';
	most?: number;
	least?: number;
}

interface RowParts {
	name: string;
	value: number;
	unit: string;
	reference?: number;
	target?: Bound;
}

/** A row from what was measured. A ratio that cannot be formed misses its target. */
export function row({ name, value, unit, reference, target }: RowParts): Row {
	const ratio = reference === undefined ? null : value / reference;
	const judged = target?.of === 'ratio' ? ratio : value;
	return {
		name,
		value: rounded(value),
		unit,
		reference: reference === undefined ? null : rounded(reference),
		ratio: ratio === null ? null : rounded(ratio),
		target: target === undefined ? null : targetText(target),
		pass: target === undefined || (judged !== null && isWithin(judged, target)),
	};
}

function isWithin(judged: number, { most = Infinity, least = -Infinity }: Bound): boolean {
	return judged >= least && judged <= most;
}

function targetText({ of, most, least }: Bound): string {
	if (most !== undefined && most === least) return `${of} = ${most}`;
	return most === undefined ? `${of} >= ${least}` : `${of} <= ${most}`;
}

/** Four digits at least, so that the JSON can be read and compared. */
function rounded(value: number): number {
	return Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(4));
}

const HEAD = ['benchmark', 'value', 'reference', 'ratio', 'target', ''];

/** The rows as text, in columns. */
export function tableText(rows: readonly Row[]): string {
	const lines = [HEAD, ...rows.map(cellsOf)];
	const widths = HEAD.map((_head, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
	return lines
		.map((cells) =>
			cells
				.map((cell, column) => pad(cell, widths[column] ?? 0, column > 0 && column < 4))
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}

function cellsOf({ name, value, unit, reference, ratio, target, pass }: Row): string[] {
	return [
		name,
		`${numberText(value)} ${unit}`,
		reference === null ? '' : numberText(reference),
		ratio === null ? '' : ratio.toFixed(3),
		target ?? '',
		target === null ? '' : pass ? 'ok' : 'MISSED',
	];
}

function pad(cell: string, width: number, toTheRight: boolean): string {
	return toTheRight ? cell.padStart(width) : cell.padEnd(width);
}

/** Up to four digits, thousands apart. */
function numberText(value: number): string {
	return value.toLocaleString('en-US', { maximumSignificantDigits: value >= 1000 ? 12 : 4 });
}
