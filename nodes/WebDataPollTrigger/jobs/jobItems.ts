import type { INodeExecutionData } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { AskedOperation } from '../../WebData/run/fromTrigger';
import type { EndedJob } from './jobEnd';
import { byEndpoint } from './listedKinds';

/** How many polls try to read a result before its job is told without it. */
const MAX_TRIES = 3;

/** A job as Output: Job shows it. */
export function jobItem({
	job,
	state,
	reason,
}: Pick<EndedJob, 'job' | 'state' | 'reason'>): INodeExecutionData {
	const { id, endpoint, target, startedAt } = job;
	return {
		json: {
			id,
			kind: byEndpoint.get(endpoint)?.name ?? endpoint,
			status: state,
			...(target !== '' && { target }),
			...(startedAt !== '' && { startedAt }),
			...(reason !== '' && { reason }),
		},
	};
}

/**
 * The result of a job that has ended, as its Get puts it out; of one that has not ended well, the job.
 * Undefined when the result is to be read by a later poll; a result that cannot be read is told as the job
 * with the reason, so that no job holds up the others.
 */
export async function jobItems(
	items: (asked: AskedOperation) => Promise<INodeExecutionData[]>,
	ended: EndedJob,
): Promise<INodeExecutionData[] | undefined> {
	const { id, endpoint, tries = 0 } = ended.job;
	const { resource } = byEndpoint.get(endpoint) ?? {};
	if (!ended.isDone || resource === undefined) return [jobItem(ended)];
	try {
		return await items({ resource, operation: 'get', parameters: { jobId: id } });
	} catch (error) {
		if (mayPass(error) && tries + 1 < MAX_TRIES) return undefined;
		return [jobItem({ ...ended, reason: textOf(error) })];
	}
}

/** Whether a later try may find the result: not where the job itself has none. */
function mayPass(error: unknown): boolean {
	return !(error instanceof NodeApiError) || error.httpCode !== null;
}

function textOf(error: unknown): string {
	const { message } = error instanceof Error ? error : new Error(String(error));
	const description = error instanceof NodeApiError ? (error.description ?? '') : '';
	return [message, description].filter((text) => text !== '').join('. ');
}
