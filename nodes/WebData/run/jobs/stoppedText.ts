import { named } from '../output/hintText';
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
		listed('Cancelled at the service', cancelledIds),
		listed(`Had ended before${collects}`, ended),
		listed('What runs on at the service', running),
		unansweredItems.length === 0
			? ''
			: `The start was under way for ${one ? 'item' : 'items'} ${named(unansweredItems)}: ${one ? `its ${label}` : `their ${label}s`} may have been started, and may be paid for. Look in the account's activity.`,
	];
	return sentences.map((sentence) => (sentence === '' ? '' : ` ${sentence}`)).join('');
}

function listed(what: string, ids: string[]): string {
	return ids.length === 0 ? '' : `${what}: ${named(ids)}.`;
}
