import { diffArrays } from 'diff';
import type { FormatOf } from '../options/formats.ts';

interface Version {
	atMs: number;
	markdown: string;
	json: unknown;
	isGone: boolean;
}

/** Field by field: what it was and what it is. */
function jsonChanges(before: unknown, after: unknown): Record<string, unknown> {
	const was = new Map(Object.entries(Object(before)));
	return Object.fromEntries(
		Object.entries(Object(after)).map(([name, current]) => [name, { previous: was.get(name) ?? null, current }]),
	);
}

function statusOf(previous: Version | undefined, current: Version): string {
	if (current.isGone) return 'removed';
	if (!previous || previous.isGone) return 'new';
	// White space alone is no change.
	const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();
	return plain(previous.markdown) === plain(current.markdown) ? 'same' : 'changed';
}

/** The latest version of each page that was scraped with change tracking. One history per address and tag. */
export function changeHistory() {
	const versions = new Map<string, Version>();
	return {
		/** Compares with the version before and keeps this one (shape changeTracking). */
		compare(
			page: { url: string; status: number; markdown: string; json(): unknown },
			format: FormatOf<'changeTracking'>,
			nowMs: number,
		) {
			const key = `${format.tag ?? ''} ${page.url}`;
			const previous = versions.get(key);
			const wantsJson = format.modes.includes('json');
			const current: Version = {
				atMs: nowMs,
				markdown: page.markdown,
				json: wantsJson ? page.json() : undefined,
				isGone: page.status === 404 || page.status === 410,
			};
			versions.set(key, current);
			const changeStatus = statusOf(previous, current);
			const isChanged = changeStatus === 'changed';
			return {
				previousScrapeAt: previous ? new Date(previous.atMs).toISOString() : null,
				changeStatus,
				visibility: 'visible',
				...(isChanged &&
					format.modes.includes('git-diff') && {
						diff: unifiedDiff(previous?.markdown ?? '', current.markdown),
					}),
				...(isChanged && wantsJson && { json: jsonChanges(previous?.json, current.json) }),
			};
		},
		clear: () => versions.clear(),
	};
}

export type ChangeHistory = ReturnType<typeof changeHistory>;

/** A line of a comparison. */
interface DiffLine {
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
function unifiedDiff(before: string, after: string): { text: string; json: unknown } {
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
