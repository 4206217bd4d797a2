import { batchRequestSchema, batchUrlsSchema, startBatch, validUrls } from '../../batchScrape/startBatch.ts';
import type { BatchRequest } from '../../batchScrape/startBatch.ts';
import { Refused, jsonAnswer, noZeroDataRetention, refusal } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import {
	acceptBody,
	fieldOf,
	queryOf,
	read,
	demandEnterprise,
	demandJobSlot,
	serviceUrlOf,
} from '../../requests/answerRequest.ts';
import type { Asked, Route } from '../../requests/routes.ts';
import { pageJobRoutes } from './pageJob.ts';
import type { Service } from '../../service/service.ts';

const PATH = '/v2/batch/scrape';
const V1_PATH = '/v1/batch/scrape';

/** Adds addresses to a batch whose work is not done (shape of batchScrape.start, `appendToId`). */
function append(service: Service, batch: BatchRequest, id: string): void {
	const job = service.pageJobs.find(id, service.now());
	if (job?.kind !== 'batchScrape' || job.finished || job.isWorkDone || !job.append) {
		throw new Refused(refusal(404, 'Job not found'));
	}
	job.append(batch.urls);
}

function start(service: Service, { request, body, started }: Asked): Answer {
	const given = acceptBody(service, body, batchRequestSchema);
	const addresses = given.ignoreInvalidURLs
		? validUrls(given.urls)
		: { ...read(service, given, batchUrlsSchema), invalidUrls: [] };
	const batch = { ...given, ...addresses };
	if (batch.zeroDataRetention) return noZeroDataRetention();
	demandEnterprise(service, batch.threatProtection);
	if (batch.urls.length === 0 && batch.invalidUrls.length > 0) {
		return refusal(400, 'No valid URLs provided');
	}
	const serviceUrl = serviceUrlOf(request);
	const id = batch.appendToId ?? service.newId();
	if (batch.appendToId !== undefined) {
		append(service, batch, id);
	} else {
		demandJobSlot(service);
		startBatch(service, batch, id, serviceUrl);
		service.noteActivity('batch_scrape', id, batch.urls[0] ?? '');
	}
	started(id);
	return jsonAnswer(200, {
		success: true,
		id,
		url: `${serviceUrl}${PATH}/${id}`,
		invalidURLs: batch.invalidUrls,
	});
}

/** Batch scrapes: start counts as crawl, the rest as crawl status (docs/reference/service-notes.md#requests-a-minute). */
export const batchScrapeRoutes = (service: Service): Route[] => [
	{
		on: `POST ${PATH}`,
		step: 'batchStart',
		bucket: 'crawl',
		credits({ body }) {
			const urls = fieldOf(body, 'urls');
			return Array.isArray(urls) ? Math.max(1, urls.length) : 1;
		},
		query: ({ body }) => queryOf(body, 'urls'),
		work: (asked) => start(service, asked),
	},
	...pageJobRoutes(service, 'batchScrape', PATH, [V1_PATH, PATH]),
];
