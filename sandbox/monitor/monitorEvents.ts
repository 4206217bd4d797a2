import { CHANGE, FAILURE, summaryOf } from './monitorRecord.ts';
import type { Check, CheckPage } from './monitors.ts';

/** A page of a check as it is told to a webhook (recordings hook-monitor-01, hook-monitor-05). */
export function toldPage({ id, url, status }: CheckPage, check: Check) {
	const isChanged = status === 'changed';
	return {
		monitorId: check.monitorId,
		checkId: check.id,
		url,
		status,
		previousScrapeId: null,
		currentScrapeId: id,
		error: status === 'error' ? FAILURE : null,
		isMeaningful: isChanged ? true : null,
		judgment: isChanged
			? {
					meaningful: true,
					confidence: 'low',
					reason: 'Nobody judges here.',
					meaningfulChanges: [],
				}
			: null,
		diff: isChanged ? { text: CHANGE } : null,
	};
}

/** The end of a check as it is told (recordings hook-monitor-01, hook-monitor-02). */
export function toldCheck({ monitorId, id, pages }: Check, status: string) {
	return { monitorId, checkId: id, status, summary: summaryOf(pages) };
}
