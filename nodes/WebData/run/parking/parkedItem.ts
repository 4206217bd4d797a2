import type { INodeExecutionData } from 'n8n-workflow';

/** The field that tells an input item that n8n passes on when nobody has called in time. */
const FIELD = 'parkedJob';

/** What stands in it: how to collect the job, or why the item has none. */
export type ParkedJob = { jobId: string; collectWith: string } | { reason: string };

/** The item with its job. */
export function withParkedJob(item: INodeExecutionData, job: ParkedJob): INodeExecutionData {
	return { ...item, json: { ...item.json, [FIELD]: { ...job } } };
}

/** The same without it: as it was. */
export function withoutParkedJob(item: INodeExecutionData): INodeExecutionData {
	const json = { ...item.json };
	Reflect.deleteProperty(json, FIELD);
	return { ...item, json };
}
