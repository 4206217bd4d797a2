import type { Row } from './row.ts';

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
