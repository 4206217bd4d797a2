import type { FastifyInstance } from 'fastify';
import { jsonAnswer, refusal } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import { refuseMalformedId } from '../../http/requestChecks.ts';
import { pageJobRecord } from '../../pageJobs/pageJob.ts';
import type { Slice, PageJob, PageJobKind } from '../../pageJobs/pageJob.ts';
import { answerRequest, serviceUrlOf } from '../../requests/answerRequest.ts';
import type { Service } from '../../service/service.ts';

/** Where the jobs of a kind are to be had. */
interface PageJobPaths {
	kind: PageJobKind;
	path: string;
	/** Where their errors are. */
	errorPaths: readonly string[];
}

interface JobRoute {
	Params: { id: string };
	Querystring: Record<string, string | string[] | undefined>;
}

const JOB_NOT_FOUND = 'Job not found';
const ALREADY_COMPLETED = 'Crawl is already completed';

function numberFrom(value: string | string[] | undefined): number | undefined {
	const number = typeof value === 'string' ? Number.parseInt(value, 10) : NaN;
	return Number.isNaN(number) || number < 0 ? undefined : number;
}

/** The job of that id, whatever its kind (recording crawl-09). */
function find(service: Service, id: string): PageJob | undefined {
	return service.pageJobs.find(id, service.now());
}

function status(service: Service, job: PageJob | undefined, asked: Slice, statusUrl: string): Answer {
	if (!job) return refusal(404, JOB_NOT_FOUND);
	const record = pageJobRecord(job, service.now(), asked, { size: service.options.sliceSize, statusUrl });
	if (Array.isArray(record.data) && record.data.length > 0) service.statistics.countSlice();
	return jsonAnswer(200, record);
}

/** An ended job stays as it ended: it is refused, but not where it was cancelled before (recordings crawl-08, crawl-24, batch-43). */
function cancel(service: Service, job: PageJob | undefined): Answer {
	if (!job) return jsonAnswer(404, { error: JOB_NOT_FOUND });
	const ended = job.finished && job.finished.state !== 'cancelled';
	if (ended) return jsonAnswer(409, { error: ALREADY_COMPLETED });
	service.pageJobs.cancel(job.id, service.now());
	return jsonAnswer(200, { status: 'cancelled' });
}

function errors(job: PageJob | undefined): Answer {
	if (!job) return refusal(404, JOB_NOT_FOUND);
	return jsonAnswer(200, { errors: job.errors, robotsBlocked: job.robotsBlocked });
}

/**
 * Status, cancel and errors of crawls or batches; all count as crawl status
 * (docs/service-notes.md#requests-a-minute).
 */
export function pageJobRoutes(app: FastifyInstance, service: Service, paths: PageJobPaths): void {
	const { kind, path } = paths;
	const free = { bucket: 'crawlStatus', creditsNeeded: 0 } as const;

	app.get<JobRoute>(`${path}/:id`, (request, reply) => {
		const { id } = request.params;
		// The router takes the path without an id for one with an empty id (recording crawl-24).
		if (id === '') return reply.callNotFound();
		const skip = numberFrom(request.query.skip);
		if (skip === undefined) service.statistics.countPoll(id);
		const job = find(service, id);
		const asked = { skip: skip ?? 0, limit: numberFrom(request.query.limit) };
		const statusUrl = `${serviceUrlOf(request)}${path}/${id}`;
		const poll = kind === 'crawl' ? 'crawlStatus' : 'batchStatus';
		return answerRequest(service, request, reply, {
			...free,
			step: skip === undefined ? poll : 'slice',
			query: job?.query,
			jobId: () => id,
			// Looked up again: a fault may have let the job vanish.
			work: () => refuseMalformedId(id) ?? status(service, find(service, id), asked, statusUrl),
		});
	});

	app.delete<JobRoute>(`${path}/:id`, (request, reply) => {
		const { id } = request.params;
		if (id === '') return reply.callNotFound();
		return answerRequest(service, request, reply, {
			...free,
			step: 'cancel',
			query: find(service, id)?.query,
			jobId: () => id,
			work: () => refuseMalformedId(id) ?? cancel(service, find(service, id)),
		});
	});

	for (const errorPath of paths.errorPaths) {
		app.get<JobRoute>(`${errorPath}/:id/errors`, (request, reply) => {
			const { id } = request.params;
			return answerRequest(service, request, reply, {
				...free,
				step: 'errors',
				query: find(service, id)?.query,
				jobId: () => id,
				// No check of the id on the path of a batch (recordings crawl-33, batch-54).
				work: () => (kind === 'crawl' ? refuseMalformedId(id) : undefined) ?? errors(find(service, id)),
			});
		});
	}
}
