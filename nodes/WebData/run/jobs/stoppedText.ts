import type { JobOnRecord } from '../output/itemError';

/** What is known of the jobs of a run at the moment it was stopped. */
export interface StoppedRun {
	jobs: JobOnRecord[];
	/** Ids of jobs that have ended by themselves, and of those that were cancelled because of the stop. */
	endedIds: ReadonlySet<string>;
	cancelledIds: string[];
	/** Items whose start was sent and not answered. */
	unansweredItems: number[];
}

const MOST_NAMED = 20;

/**
 * What has become of the jobs of a stopped execution; empty when it had none. `label` is what a job is
 * called, `collectWith` the operation that collects it later.
 */
export function stoppedText(
	{ jobs, endedIds, cancelledIds, unansweredItems }: StoppedRun,
	label: string,
	collectWith: string | undefined,
): string {
	const cancelled = new Set(cancelledIds);
	const ids = jobs.map(({ id }) => id);
	const ended = ids.filter((id) => endedIds.has(id));
	const running = ids.filter((id) => !endedIds.has(id) && !cancelled.has(id));
	const one = unansweredItems.length === 1;
	const collects = collectWith === undefined ? '' : ` (${collectWith} collects them)`;
	const sentences = [
		named('Cancelled at the service', cancelledIds),
		named(`Had ended before${collects}`, ended),
		named('What it started runs on at the service', running),
		unansweredItems.length === 0
			? ''
			: `The start was under way for ${one ? 'item' : 'items'} ${list(unansweredItems)}: ${one ? `its ${label}` : `their ${label}s`} may have been started, and may be paid for. Look in the account's activity.`,
	];
	return sentences.map((sentence) => (sentence === '' ? '' : ` ${sentence}`)).join('');
}

function named(what: string, ids: string[]): string {
	return ids.length === 0 ? '' : `${what}: ${list(ids)}.`;
}

function list(all: Array<string | number>): string {
	const more = all.length - MOST_NAMED;
	return all.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
