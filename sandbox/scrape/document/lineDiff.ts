import { diffArrays } from 'diff';

/** A line of a comparison. */
export interface DiffLine {
	kind: 'normal' | 'add' | 'del';
	text: string;
}

/** Texts that differ in more lines are compared as wholes: the work grows with the square of it. */
const MAX_CHANGES = 4_000;

/** The lines of both texts, told apart by what was added and removed. */
function diffLines(before: string, after: string): DiffLine[] {
	const [left, right] = [before.split('\n'), after.split('\n')];
	const parts = diffArrays(left, right, { maxEditLength: MAX_CHANGES }) ?? [
		{ value: left, removed: true, added: false },
		{ value: right, removed: false, added: true },
	];
	return parts.flatMap(({ value, added, removed }) => {
		const kind = added ? 'add' : removed ? 'del' : 'normal';
		return value.map((text): DiffLine => ({ kind, text }));
	});
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
