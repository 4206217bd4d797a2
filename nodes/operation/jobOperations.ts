import { USUAL_MAX_WAIT_SECONDS, jobId } from '../fields/job/wait';
import type { JobKind } from '../service/jobs/jobKinds';
import type { GetJobOperation, JobRequestOperation } from './operation';
import { pageErrorItems } from './pages';
import { cancelledItem, endedItem } from './recordFields';

/** The words of an operation in the panel. */
interface Words {
	action: string;
	description: string;
}

/** Get of a kind of job: its result by its ID. */
export function getJob(
	job: JobKind,
	words: Words,
	{
		result,
		fields,
		maxWaitSeconds = USUAL_MAX_WAIT_SECONDS,
	}: Pick<GetJobOperation, 'result' | 'fields'> & { maxWaitSeconds?: number },
): GetJobOperation {
	return {
		kind: 'getJob',
		value: 'get',
		name: 'Get',
		...words,
		request: { method: 'GET', path: job.statusPath, bucket: job.statusBucket },
		job,
		defaultMaxWaitSeconds: () => maxWaitSeconds,
		result,
		fields,
	};
}

/** Cancel of a kind of job. `id`: the field for its ID. */
export function cancelJob(job: JobKind, words: Words, id = jobId): JobRequestOperation {
	return {
		kind: 'jobRequest',
		value: 'cancel',
		name: 'Cancel',
		...words,
		request: { method: 'DELETE', path: job.statusPath, bucket: job.statusBucket },
		job,
		unit: 'cancelled job',
		toItems: cancelledItem,
		whenEnded: endedItem,
		fields: [id],
	};
}

/** Get Errors of a kind of job that gathers pages. `id`: the field for its ID. */
export function getErrorsOfJob(job: JobKind, words: Words, id = jobId): JobRequestOperation {
	return {
		kind: 'jobRequest',
		value: 'getErrors',
		name: 'Get Errors',
		...words,
		request: { method: 'GET', path: `${job.statusPath}/errors`, bucket: job.statusBucket },
		...(job.olderErrorsPath !== undefined && { olderPath: job.olderErrorsPath }),
		job,
		unit: 'failed page',
		toItems: pageErrorItems,
		fields: [id],
	};
}
