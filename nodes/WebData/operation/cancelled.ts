import type { IDataObject } from 'n8n-workflow';

import type { JsonObject } from '../../service/http/transport';

/** The one item of a cancel. Some services name the state besides (recording crawl-12). */
export function cancelledItem(id: string, { status }: JsonObject): IDataObject[] {
	return [{ cancelled: true, id, ...(typeof status === 'string' && { status }) }];
}

/** The item of a cancel that came too late: the job has ended, which is what was wanted. */
export function endedItem(id: string, reason: string): IDataObject[] {
	return [{ cancelled: false, id, reason }];
}
