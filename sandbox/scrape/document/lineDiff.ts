/** A line of a comparison. */
export interface DiffLine {
	kind: 'normal' | 'add' | 'del';
	text: string;
}

/** Longer texts are compared as wholes: the table of a comparison grows with the product of both. */
const MOST_CELLS = 4_000_000;

/** The lines of both texts, told apart by what was added and removed (longest common subsequence). */
export function diffLines(before: string, after: string): DiffLine[] {
	const left = before.split('\n');
	const right = after.split('\n');
	if (left.length * right.length > MOST_CELLS) {
		return [
			...left.map((text) => ({ kind: 'del', text }) as const),
			...right.map((text) => ({ kind: 'add', text }) as const),
		];
	}
	const width = right.length + 1;
	const common = new Uint32Array((left.length + 1) * width);
	const at = (row: number, column: number): number => common[row * width + column] ?? 0;
	for (let row = left.length - 1; row >= 0; row -= 1) {
		for (let column = right.length - 1; column >= 0; column -= 1) {
			common[row * width + column] =
				left[row] === right[column]
					? at(row + 1, column + 1) + 1
					: Math.max(at(row + 1, column), at(row, column + 1));
		}
	}
	const lines: DiffLine[] = [];
	let row = 0;
	let column = 0;
	while (row < left.length || column < right.length) {
		const isSame = row < left.length && column < right.length && left[row] === right[column];
		if (isSame) {
			lines.push({ kind: 'normal', text: left[row] ?? '' });
			row += 1;
			column += 1;
		} else if (
			column >= right.length ||
			(row < left.length && at(row + 1, column) >= at(row, column + 1))
		) {
			lines.push({ kind: 'del', text: left[row] ?? '' });
			row += 1;
		} else {
			lines.push({ kind: 'add', text: right[column] ?? '' });
			column += 1;
		}
	}
	return lines;
}

const SIGNS = { normal: ' ', add: '+', del: '-' } as const;

/** The comparison as a unified diff with one chunk, in the shape of `changeTracking.diff`. */
export function unifiedDiff(before: string, after: string): { text: string; json: unknown } {
	const lines = diffLines(before, after);
	const oldCount = lines.filter(({ kind }) => kind !== 'add').length;
	const newCount = lines.filter(({ kind }) => kind !== 'del').length;
	const head = `@@ -1,${oldCount} +1,${newCount} @@`;
	const changes = lines.map(({ kind, text }) => ({ type: kind, content: SIGNS[kind] + text }));
	return {
		text: [head, ...changes.map(({ content }) => content)].join('\n'),
		json: {
			files: [
				{
					from: null,
					to: null,
					additions: lines.filter(({ kind }) => kind === 'add').length,
					deletions: lines.filter(({ kind }) => kind === 'del').length,
					chunks: [{ content: head, oldStart: 1, newStart: 1, changes }],
				},
			],
		},
	};
}
