import { readBatch, startBatch } from '../../batchScrape/startBatch.ts';
import type { BatchRequest } from '../../batchScrape/startBatch.ts';
import { jsonAnswer, noZeroDataRetention, refusal } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import {
	accept,
	fieldOf,
	queryOf,
	refuseEnterprise,
	refuseOneMoreJob,
	serviceUrlOf,
} from '../../requests/answerRequest.ts';
import type { Asked, Route } from '../../requests/routes.ts';
import { pageJobRoutes } from './pageJob.ts';
import type { Service } from '../../service/service.ts';

const PATH = '/v2/batch/scrape';
const V1_PATH = '/v1/batch/scrape';

/** Adds addresses to a batch whose work is not done (shape of batchScrape.start, `appendToId`). */
function append(service: Service, batch: BatchRequest, id: string): Answer | undefined {
	const job = service.pageJobs.find(id, service.now());
	if (job?.kind !== 'batchScrape' || job.finished || job.isWorkDone || !job.append) {
		return refusal(404, 'Job not found');
	}
	job.append(batch.urls);
	return undefined;
}

function start(service: Service, { request, body, started }: Asked): Answer {
	const read = accept(service, body, readBatch);
	if ('refused' in read) return read.refused;
	const batch = read.request;
	if (batch.zeroDataRetention) return noZeroDataRetention();
	const barred = refuseEnterprise(service, batch.threatProtection);
	if (barred) return barred;
	if (batch.urls.length === 0 && batch.invalidUrls.length > 0) {
		return refusal(400, 'No valid URLs provided');
	}
	const serviceUrl = serviceUrlOf(request);
	const id = batch.appendToId ?? service.newId();
	if (batch.appendToId !== undefined) {
		const refused = append(service, batch, id);
		if (refused) return refused;
	} else {
		const tooMany = refuseOneMoreJob(service);
		if (tooMany) return tooMany;
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

/** Batch scrapes: start counts as crawl, the rest as crawl status (docs/service-notes.md#requests-a-minute). */
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
