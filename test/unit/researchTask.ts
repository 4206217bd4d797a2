import { deepResearchJob } from '../../nodes/service/jobs/jobKinds';
import type { JobEvents, JobTask } from '../../nodes/service/jobs/jobTask';

/** One job that is started and waited for, as the node's own defaults would have it. */
export function researchTask(item: number, more: Partial<JobTask> = {}): JobTask {
	const body = { query: `job ${item}` };
	return {
		kind: deepResearchJob,
		item,
		start: { method: 'POST', path: '/v1/deep-research', body, bucket: 'crawl' },
		maxWaitMs: 720_000,
		watched: true,
		interval: null,
		...more,
	};
}

export const noEvents: JobEvents<JobTask> = {
	onStarted: () => undefined,
	onSending: () => undefined,
	onUncertain: () => undefined,
	onGone: () => undefined,
};
