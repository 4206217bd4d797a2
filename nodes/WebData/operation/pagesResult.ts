import type { IDataObject } from 'n8n-workflow';

import type { PageError } from '../../service/results/pageErrors';
import { readPageErrors } from '../../service/results/pageErrors';
import type { JsonObject } from '../../service/http/transport';
import { readErrorText } from '../../service/http/answer';
import { readWarnings } from '../../service/results/warnings';
import { partsOfPage, withoutData } from './pageFiles';
import type { JobRecord, PagesResult } from './operation';
import { addressOfPage, readCredits, webPageJson } from './webPage';

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

/**
 * What is known of the job. A price below zero is the service's word for unknown (docs/service-notes.md#prices);
 * `pagesCost` is what its pages say that they cost, where all of them were read: that of a part is not its price.
 */
function statusJson({ id, state, body }: JobRecord, pagesCost?: number): IDataObject {
	const status: JsonObject = { ...body, creditsUsed: readCredits(body) ?? pagesCost };
	const known = STATUS_FIELDS.filter((name) => status[name] !== undefined && status[name] !== null);
	const reason = readErrorText(body);
	const warnings = readWarnings(body);
	return {
		id,
		status: state,
		...(reason !== '' && { reason }),
		...pick(status, known),
		...(warnings.length > 0 && { warnings }),
	};
}

function pick(from: JsonObject, names: string[]): IDataObject {
	return Object.fromEntries(names.map((name) => [name, from[name]])) as IDataObject;
}

/** How crawls and batch scrapes become items. `notes` are fields of the start's answer to hand on. */
export function pagesResult(notes: string[]): PagesResult {
	return {
		toPageItem: (page, { id, state }, form) => {
			const { kept, ...files } = partsOfPage(page, form, addressOfPage(page));
			return { json: { ...webPageJson(kept, form.detail), jobId: id, jobStatus: state }, ...files };
		},
		toFailedPageItem: ({ url, message, code, cause, id: scrapeId }, { id, state }) => {
			const page = { error: message, code, cause, metadata: { url, scrapeId } };
			return { json: { ...webPageJson(page, 'simplified'), jobId: id, jobStatus: state } };
		},
		toJobItem: (record, { pages, pagesCost }, asText) => ({
			json: {
				...statusJson(record, pagesCost),
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
		usage: (body) => ({
			amount: typeof body.completed === 'number' ? body.completed : 0,
			credits: readCredits(body),
			expiresAt: typeof body.expiresAt === 'string' ? body.expiresAt : undefined,
		}),
		usageUnit: ['page', 'pages'],
	};
}

/** One item for each page that a job failed on. */
export function pageErrorItems(jobId: string, answer: JsonObject): IDataObject[] | undefined {
	return readPageErrors(answer)?.map((error: PageError) => ({ jobId, ...error }));
}
