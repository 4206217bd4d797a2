import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readBatch, startBatch } from '../../batchScrape/startBatch.ts';
import type { BatchRequest } from '../../batchScrape/startBatch.ts';
import { jsonAnswer, noZeroDataRetention, refusal } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import { bodyOf } from '../../http/requestChecks.ts';
import type { ReadBody } from '../../http/requestChecks.ts';
import {
	accept,
	answerRequest,
	fieldOf,
	queryOf,
	refuseEnterprise,
	refuseOneMoreJob,
	serviceUrlOf,
} from '../../requests/answerRequest.ts';
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

function start(service: Service, request: FastifyRequest, body: ReadBody, onStarted: (id: string) => void): Answer {
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
	onStarted(id);
	return jsonAnswer(200, {
		success: true,
		id,
		url: `${serviceUrl}${PATH}/${id}`,
		invalidURLs: batch.invalidUrls,
	});
}

/** Batch scrapes: start counts as crawl, the rest as crawl status (docs/service-notes.md#requests-a-minute). */
export function batchScrapeRoutes(app: FastifyInstance, service: Service): void {
	app.post(PATH, (request, reply) => {
		const body = bodyOf(request.body);
		const urls = fieldOf(body, 'urls');
		let startedId: string | undefined;
		return answerRequest(service, request, reply, {
			step: 'batchStart',
			bucket: 'crawl',
			creditsNeeded: Array.isArray(urls) ? Math.max(1, urls.length) : 1,
			query: queryOf(body, 'urls'),
			jobId: () => startedId,
			work: () => start(service, request, body, (id) => (startedId = id)),
		});
	});

	const errorPaths = [V1_PATH, PATH];
	pageJobRoutes(app, service, { kind: 'batchScrape', path: PATH, errorPaths });
}
