import type { FastifyInstance } from 'fastify';
import { researchRecord, queryOf, readResearchRequest } from '../../deepResearch/researchJobs.ts';
import { jsonAnswer, withDeprecation, refusal } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import { bodyOf } from '../../http/requestChecks.ts';
import type { ReadBody } from '../../http/requestChecks.ts';
import { jobDurationMs } from '../../jobs/jobStore.ts';
import { accept, answerRequest, refuseOneMoreJob } from '../../requests/answerRequest.ts';
import type { Service } from '../../service/service.ts';

const PATH = '/v1/deep-research';

/** What the server says of the operation. What is no JSON it refuses before (recording dr26-55). */
function noting(path: string, answer: Answer): Answer {
	return withDeprecation(answer, { path, replacement: '/v2/search' });
}

/** Starts a job, or refuses; `onStarted` learns the id. */
function start(service: Service, body: ReadBody, onStarted: (id: string) => void): Answer {
	const { statistics, jobs, options } = service;
	const read = accept(service, body, readResearchRequest);
	if ('refused' in read) return read.refused;
	const tooMany = refuseOneMoreJob(service);
	if (tooMany) return tooMany;
	const nowMs = service.now();
	const durationMs = jobDurationMs(read.request, statistics.startCount(), {
		speed: options.speed,
		random: service.random,
		jobDuration: options.jobDuration,
	});
	const id = service.newId();
	jobs.start(id, read.request, durationMs, nowMs);
	statistics.countStart(
		{ id, kind: 'deepResearch', query: read.request.query, startedAtMs: nowMs },
		service.countRunning(nowMs),
	);
	service.noteActivity('deep_research', id, read.request.query);
	onStarted(id);
	return jsonAnswer(200, { success: true, id });
}

function status(service: Service, id: string): Answer {
	const nowMs = service.now();
	const job = service.jobs.find(id, nowMs);
	// An id that is no UUID is just as unknown (recordings dr-40, dr-41, dr-45).
	if (!job) return refusal(404, 'Deep research job not found');
	return jsonAnswer(200, researchRecord(job, nowMs));
}

/**
 * Deep research: start (counts as crawl) and status (counts as crawl status;
 * docs/service-notes.md#requests-a-minute).
 */
export function deepResearchRoutes(app: FastifyInstance, service: Service): void {
	app.post(PATH, (request, reply) => {
		const body = bodyOf(request.body);
		let startedId: string | undefined;
		return answerRequest(service, request, reply, {
			step: 'researchStart',
			bucket: 'crawl',
			creditsNeeded: 1,
			query: body.malformed ? undefined : queryOf(body.value),
			jobId: () => startedId,
			work() {
				const answer = start(service, body, (id) => (startedId = id));
				return body.malformed ? answer : noting(PATH, answer);
			},
		});
	});

	app.get<{ Params: { id: string } }>(`${PATH}/:id`, (request, reply) => {
		const { id } = request.params;
		// The router takes the path without an id for one with an empty id; the service knows no such path (dr-42).
		if (id === '') return reply.callNotFound();
		service.statistics.countPoll(id);
		return answerRequest(service, request, reply, {
			step: 'researchStatus',
			bucket: 'crawlStatus',
			creditsNeeded: 0,
			query: service.jobs.find(id, service.now())?.request.query,
			jobId: () => id,
			work: () => noting(`${PATH}/:jobId`, status(service, id)),
		});
	});
}
