import type { IDataObject } from 'n8n-workflow';

import type { PageError } from '../../service/results/pageErrors';
import { readPageErrors } from '../../service/results/pageErrors';
import type { JsonObject } from '../../service/http/transport';
import { partsOfPage, withoutData } from './pageFiles';
import type { JobRecord, PagesResult } from './operation';
import { addressOfPage, webPageJson } from './webPage';

/** Seconds to wait for a job of pages when the user set none: longer ones are better left to Get. */
export const PAGES_MAX_WAIT_SECONDS = 3600;

/** Fields of a job's status (shape `crawlJob`) that are worth an item; some only newer servers have. */
const STATUS_FIELDS = [
	'total',
	'completed',
	'creditsUsed',
	'createdAt',
	'completedAt',
	'duration',
	'expiresAt',
];

function statusJson({ id, state, body }: JobRecord): IDataObject {
	const known = STATUS_FIELDS.filter((name) => body[name] !== undefined && body[name] !== null);
	return { id, status: state, ...pick(body, known) };
}

function pick(from: JsonObject, names: string[]): IDataObject {
	return Object.fromEntries(names.map((name) => [name, from[name]])) as IDataObject;
}

/** How crawls and batch scrapes become items. `notes` are fields of the start's answer to hand on. */
export function pagesResult(notes: string[]): PagesResult {
	return {
		toPageItem: (page, { id, state }, form) => {
			const { files, kept } = partsOfPage(page, form, addressOfPage(page));
			return { json: { ...webPageJson(kept, form.detail), jobId: id, jobStatus: state }, files };
		},
		toJobItem: (record, pages, asText) => ({
			json: {
				...statusJson(record),
				...(pages && {
					pages: pages.map((page) => webPageJson(asText ? withoutData(page) : page, 'simplified')),
				}),
			},
		}),
		toStartedItem: (id, sent, answer) => ({
			id,
			...pick(
				sent,
				['url', 'urls'].filter((name) => sent[name] !== undefined),
			),
			...pick(
				answer,
				notes.filter((name) => answer[name] !== undefined),
			),
		}),
		usage: ({ completed, creditsUsed, expiresAt }) => ({
			amount: typeof completed === 'number' ? completed : 0,
			...(typeof creditsUsed === 'number' && { credits: creditsUsed }),
			expiresAt: typeof expiresAt === 'string' ? expiresAt : undefined,
		}),
		usageUnit: 'pages',
	};
}

/** One item for each page that a job failed on. */
export function pageErrorItems(jobId: string, answer: JsonObject): IDataObject[] | undefined {
	return readPageErrors(answer)?.map((error: PageError) => ({ jobId, ...error }));
}

/** The one item of a cancel: the service names the state and nothing else (recording crawl-12). */
export function cancelledItem(id: string, { status }: JsonObject): IDataObject[] {
	return [{ id, status: typeof status === 'string' ? status : 'cancelled' }];
}
