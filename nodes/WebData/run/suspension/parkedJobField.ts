import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

/** The field that tells an input item that n8n passes on when nobody has called in time. */
const FIELD = 'parkedJob';

/** What stands in it: how to collect the job, or why the item has none. */
export type ParkedJob = { jobId: string; collectWith: string } | { reason: string };

/** What a node before this one has put there; undefined for nothing. */
export function ownParkedJob({ json }: INodeExecutionData): IDataObject[string] | undefined {
	return json[FIELD];
}

/** The item with its job. */
export function withParkedJob(item: INodeExecutionData, job: ParkedJob): INodeExecutionData {
	return { ...item, json: { ...item.json, [FIELD]: { ...job } } };
}

/** The same as it was, with its own value there if it had one. */
export function withoutParkedJob(
	item: INodeExecutionData,
	own: IDataObject[string] | undefined,
): INodeExecutionData {
	const json = { ...item.json };
	if (own === undefined) Reflect.deleteProperty(json, FIELD);
	else json[FIELD] = own;
	return { ...item, json };
}
