import { endingOf } from '../../answerJobs/answerJobs.ts';
import type { AnswerJobKind, AnswerJob, AnswerResult } from '../../answerJobs/answerJobs.ts';
import type { Bucket } from '../../account/plan.ts';
import type { Step } from '../../control/faultBook.ts';
import { answered, withDeprecation } from '../../http/answer.ts';
import type { Answer, Deprecated } from '../../http/answer.ts';
import { queryOf, demandJobSlot } from '../../requests/answerRequest.ts';
import type { Asked, Route } from '../../requests/routes.ts';
import type { Service } from '../../service/service.ts';
import { jobDurationMs } from '../../jobs/jobStore.ts';
import type { ActivityEndpoint } from '../../team/activity.ts';
import type { Webhook } from '../../webhooks/webhooks.ts';

/** A kind of job that ends with one answer: where it is started and checked, and what comes of it. */
interface AnswerRoutes {
	kind: AnswerJobKind;
	path: string;
	start: {
		step: Step;
		bucket: Bucket;
		/** Fields of the body, of which faults are matched with the first that is there. */
		asked: readonly string[];
		work(asked: Asked): Answer;
	};
	status: { step: Step; bucket: Bucket; work(id: string): Answer };
	/** Said in each answer of an operation that is to go, but not of a body that is no JSON. */
	deprecated?: Omit<Deprecated, 'path'>;
}

/** The start of such a job, and its status. */
export function answerRoutes(service: Service, { kind, path, start, status, deprecated }: AnswerRoutes): Route[] {
	const noting = async (place: string, work: () => Answer): Promise<Answer> => {
		const answer = await answered(work);
		return deprecated ? withDeprecation(answer, { path: place, ...deprecated }) : answer;
	};
	return [
		{
			on: `POST ${path}`,
			step: start.step,
			bucket: start.bucket,
			credits: 1,
			query: ({ body }) => start.asked.map((name) => queryOf(body, name)).find((text) => text !== undefined),
			work: (asked) => (asked.body.malformed ? start.work(asked) : noting(path, () => start.work(asked))),
		},
		{
			on: `GET ${path}/:id`,
			step: status.step,
			bucket: status.bucket,
			query: ({ id }) => service.answers.find(id, kind, service.now())?.query,
			job: ({ id }) => id,
			isPoll: () => true,
			work: ({ id }) => noting(`${path}/:jobId`, () => status.work(id)),
		},
	];
}

const ENDPOINTS = {
	agent: 'agent',
	extract: 'extract',
	llmsTxt: 'llmstxt',
	deepResearch: 'deep_research',
} as const satisfies Record<AnswerJobKind, ActivityEndpoint>;

/** Jobs of these kinds last a few seconds where nothing else is asked for. */
const USUAL_SECONDS = 10;

/** What the start of a job says about it. */
interface NewAnswerJob {
	kind: AnswerJobKind;
	query: string;
	/** What the feed of activity shows of it. */
	target: string;
	result: AnswerResult;
	/** In seconds. */
	timeLimit?: number;
	webhook?: Webhook | undefined;
	/** What goes with the event of its completion. */
	hookData?(job: AnswerJob): unknown;
}

/** Starts a job and gives its id. */
export function startAnswer(service: Service, given: NewAnswerJob): string {
	demandJobSlot(service);
	const { kind, query, target, result, timeLimit = USUAL_SECONDS, webhook, hookData } = given;
	const { options, statistics, random } = service;
	const nowMs = service.now();
	const { speed, jobDuration } = options;
	const durationMs = jobDurationMs({ query, timeLimit }, statistics.startCount(), {
		speed,
		random,
		jobDuration,
	});
	const id = service.newId();
	const push = kind === 'agent' || kind === 'extract' ? service.webhooks.for(kind, id, webhook) : undefined;
	service.answers.start({
		id,
		kind,
		query,
		startedAtMs: nowMs,
		endsAtMs: nowMs + durationMs,
		// One of llms.txt was never seen failed (recording llms-51).
		ending: kind === 'llmsTxt' ? 'complete' : endingOf(query),
		result,
		hasWebhook: webhook !== undefined,
		onFinished(job) {
			// Its record says failed.
			const isStopped = job.result.fields.stopped !== undefined;
			if (job.finished?.state === 'completed' && !isStopped) push?.('completed', [hookData?.(job)]);
			else if (job.cancelledAtMs !== undefined) push?.('cancelled', [], job.finished?.reason);
			else push?.('failed', [], job.finished?.reason);
		},
	});
	push?.('started', []);
	service.noteActivity(ENDPOINTS[kind], id, target);
	statistics.countStart({ id, kind, query, startedAtMs: nowMs }, service.countRunning(nowMs));
	return id;
}
