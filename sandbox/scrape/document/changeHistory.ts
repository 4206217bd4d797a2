import { diffLines } from 'diff';
import type { FormatOf } from '../options/formats.ts';

/** Texts that differ in more lines have no difference to show: the work grows with the square of it. */
const MAX_CHANGES = 4_000;

/** The lines of both texts, told apart by what was added and removed. */
function differenceOf(before: string, after: string): string {
	const parts = diffLines(before, after, { maxEditLength: MAX_CHANGES }) ?? [];
	return parts
		.flatMap(({ value, added, removed }) =>
			value
				.replace(/\n$/, '')
				.split('\n')
				.map((line) => `${added ? '+' : removed ? '-' : ' '}${line}`),
		)
		.join('\n');
}

/** White space alone is no change. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The latest version of each page that was scraped with change tracking. One history per address and tag. */
export function changeHistory() {
	const versions = new Map<string, { atMs: number; markdown: string; isGone: boolean }>();
	return {
		/** Compares with the version before and keeps this one (shape changeTracking). */
		compare(url: string, status: number, markdown: string, format: FormatOf<'changeTracking'>, nowMs: number) {
			const key = `${format.tag ?? ''} ${url}`;
			const before = versions.get(key);
			const isGone = status === 404 || status === 410;
			versions.set(key, { atMs: nowMs, markdown, isGone });
			const isNew = !before || before.isGone;
			const isSame = before !== undefined && plain(before.markdown) === plain(markdown);
			const changeStatus = isGone ? 'removed' : isNew ? 'new' : isSame ? 'same' : 'changed';
			return {
				previousScrapeAt: before ? new Date(before.atMs).toISOString() : null,
				changeStatus,
				visibility: 'visible',
				...(changeStatus === 'changed' &&
					format.modes.includes('git-diff') && { diff: { text: differenceOf(before?.markdown ?? '', markdown) } }),
			};
		},
		clear: () => versions.clear(),
	};
}

export type ChangeHistory = ReturnType<typeof changeHistory>;
