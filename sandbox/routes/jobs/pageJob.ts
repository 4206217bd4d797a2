import { jsonAnswer, refusal } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import { demandId } from '../../http/requestChecks.ts';
import { pageJobRecord } from '../../pageJobs/pageJob.ts';
import type { Slice, PageJob, PageJobKind } from '../../pageJobs/pageJob.ts';
import { serviceUrlOf } from '../../requests/answerRequest.ts';
import type { Asked, Route } from '../../requests/routes.ts';
import type { Service } from '../../service/service.ts';

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

/** Status, cancel and errors of crawls or batches; all count as crawl status (docs/reference/service-notes.md#requests-a-minute). */
export function pageJobRoutes(
	service: Service,
	kind: PageJobKind,
	path: string,
	errorPaths: readonly string[],
): Route[] {
	const about = {
		bucket: 'crawlStatus',
		query: ({ id }: Asked) => find(service, id)?.query,
		job: ({ id }: Asked) => id,
	} as const;
	const skipOf = ({ query }: Asked): number | undefined => numberFrom(query.skip);
	return [
		{
			...about,
			on: `GET ${path}/:id`,
			step: (asked) => (skipOf(asked) !== undefined ? 'slice' : kind === 'crawl' ? 'crawlStatus' : 'batchStatus'),
			isPoll: (asked) => skipOf(asked) === undefined,
			work(asked) {
				const { id, query, request } = asked;
				const slice = { skip: skipOf(asked) ?? 0, limit: numberFrom(query.limit) };
				const statusUrl = `${serviceUrlOf(request)}${path}/${id}`;
				demandId(id);
				return status(service, find(service, id), slice, statusUrl);
			},
		},
		{
			...about,
			on: `DELETE ${path}/:id`,
			step: 'cancel',
			work({ id }) {
				demandId(id);
				return cancel(service, find(service, id));
			},
		},
		...errorPaths.map((errorPath): Route => ({
			...about,
			on: `GET ${errorPath}/:id/errors`,
			step: 'errors',
			// No check of the id on the path of a batch (recordings crawl-33, batch-54).
			work({ id }) {
				if (kind === 'crawl') demandId(id);
				return errors(find(service, id));
			},
		})),
	];
}
