import { endingOf } from '../../answerJobs/answerJobs.ts';
import type { ResearchJob } from '../../deepResearch/researchJobs.ts';
import { researchRecord, queryOf, researchRequestSchema } from '../../deepResearch/researchJobs.ts';
import { answered, jsonAnswer, withDeprecation, refusal } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import { jobDurationMs } from '../../jobs/jobStore.ts';
import { acceptBody, demandJobSlot } from '../../requests/answerRequest.ts';
import type { Asked, Route } from '../../requests/routes.ts';
import type { Service } from '../../service/service.ts';

const PATH = '/v1/deep-research';

/** What the server says of the operation. What is no JSON it refuses before (recording dr26-55). */
async function noting(path: string, work: () => Answer): Promise<Answer> {
	return withDeprecation(await answered(work), { path, replacement: '/v2/search' });
}

/** Starts a job, or refuses. */
function start(service: Service, { body, started }: Asked): Answer {
	const { statistics, jobs, options } = service;
	const request = acceptBody(service, body, researchRequestSchema);
	demandJobSlot(service);
	const nowMs = service.now();
	const durationMs = jobDurationMs(request, statistics.startCount(), {
		speed: options.speed,
		random: service.random,
		jobDuration: options.jobDuration,
	});
	const id = service.newId();
	const { query, maxDepth } = request;
	const known = { id, kind: 'deepResearch', query, startedAtMs: nowMs } as const;
	const result = { fields: {}, credits: 0 };
	const ends = { endsAtMs: nowMs + durationMs, ending: endingOf(query), hasWebhook: false };
	const job: ResearchJob = { ...known, ...ends, maxDepth, result };
	jobs.start(job, async () => {
		job.found = await service.research(request);
		// One credit for each URL analysed (docs/service-notes.md#deep-research).
		result.credits = job.found.steps.filter((step) => 'source' in step).length;
	});
	statistics.countStart(known, service.countRunning(nowMs));
	service.noteActivity('deep_research', id, query);
	started(id);
	return jsonAnswer(200, { success: true, id });
}

function status(service: Service, id: string): Answer {
	const nowMs = service.now();
	const job = service.jobs.find(id, 'deepResearch', nowMs);
	// An id that is no UUID is just as unknown (recordings dr-40, dr-41, dr-45).
	if (!job) return refusal(404, 'Deep research job not found');
	return jsonAnswer(200, researchRecord(job, nowMs));
}

/** Deep research: start (counts as crawl) and status (counts as crawl status; docs/service-notes.md#requests-a-minute). */
export const deepResearchRoutes = (service: Service): Route[] => [
	{
		on: `POST ${PATH}`,
		step: 'researchStart',
		bucket: 'crawl',
		credits: 1,
		query: ({ body }) => (body.malformed ? undefined : queryOf(body.value)),
		work: (asked) => (asked.body.malformed ? start(service, asked) : noting(PATH, () => start(service, asked))),
	},
	{
		on: `GET ${PATH}/:id`,
		step: 'researchStatus',
		bucket: 'crawlStatus',
		query: ({ id }) => service.jobs.find(id, 'deepResearch', service.now())?.query,
		job: ({ id }) => id,
		isPoll: () => true,
		work: ({ id }) => noting(`${PATH}/:jobId`, () => status(service, id)),
	},
];
