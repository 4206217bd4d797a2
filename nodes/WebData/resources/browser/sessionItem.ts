import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { JsonObject } from '../../../service/http/transport';
import { fromList } from '../../fields/basic/fromList';
import { pathId } from '../../fields/basic/pathId';
import type { CallUsage } from '../../operation/operation';

/** The id of the session that an operation is about. */
export const sessionId: INodeProperties = fromList(
	pathId(
		'Session ID',
		'sessionId',
		'ID of the session, which Create Session and Get Many Sessions put out',
	),
	'browserGetMany',
);

/** The id of the scraped page that an operation is about. */
export const scrapeId: INodeProperties = pathId(
	'Scrape ID',
	'scrapeId',
	'ID of the scrape: the scrapeId that Scrape and Crawl of this node put out',
);

/** The time and the credits of a session that has ended, as far as the service tells them. */
export function endOf({ sessionDurationMs, creditsBilled }: JsonObject): IDataObject {
	return {
		...(typeof sessionDurationMs === 'number' && { sessionDurationMs }),
		...(typeof creditsBilled === 'number' && { creditsBilled }),
	};
}

/** Seconds, begun ones count, and credits of sessions that were ended. One that had ended before tells no credits. */
export const sessionUsage: CallUsage = {
	unit: 'browser second',
	mayBeZero: true,
	read: ({ body: { sessionDurationMs, creditsBilled } }) => ({
		amount: typeof sessionDurationMs === 'number' ? Math.ceil(sessionDurationMs / 1000) : 0,
		credits: typeof creditsBilled === 'number' ? creditsBilled : undefined,
	}),
};
