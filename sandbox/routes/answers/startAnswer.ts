import { endingOf } from '../../answerJobs/answerJob.ts';
import { jobDurationMs } from '../../jobs/jobDuration.ts';
import { refuseOneMoreJob } from '../../requests/callFacts.ts';
import type { ActivityEndpoint } from '../../team/activity.ts';
import type { AnswerJob, AnswerJobKind, AnswerResult } from '../../answerJobs/answerJob.ts';
import type { Answer } from '../../http/answer.ts';
import type { Service } from '../../service/service.ts';
import type { Webhook } from '../../webhooks/webhookConfig.ts';

const ENDPOINTS = {
	agent: 'agent',
	extract: 'extract',
	llmsTxt: 'llmstxt',
} as const satisfies Record<AnswerJobKind, ActivityEndpoint>;

/** Jobs of these kinds last a few seconds where nothing else is asked for. */
const USUAL_SECONDS = 10;

/** What the start of a job says about it. */
export interface NewAnswerJob {
	kind: AnswerJobKind;
	query: string;
	/** What the feed of activity shows of it. */
	target: string;
	result: AnswerResult;
	webhook?: Webhook | undefined;
	/** What goes with the event of its completion. */
	hookData(job: AnswerJob): unknown;
}

/** Starts a job, or gives the refusal where the plan's jobs at once are used up. */
export function startAnswer(
	service: Service,
	given: NewAnswerJob,
): { id: string } | { refused: Answer } {
	const tooMany = refuseOneMoreJob(service);
	if (tooMany) return { refused: tooMany };
	const { kind, query, target, result, webhook, hookData } = given;
	const { options, statistics, random } = service;
	const nowMs = service.now();
	const { speed, jobDuration } = options;
	const durationMs = jobDurationMs({ query, timeLimit: USUAL_SECONDS }, statistics.startCount(), {
		speed,
		random,
		jobDuration,
	});
	const id = service.newId();
	const push = kind === 'llmsTxt' ? undefined : service.webhooks.for(kind, id, webhook);
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
			if (job.finished?.state === 'completed') push?.('completed', [hookData(job)]);
			else if (job.cancelledAtMs !== undefined) push?.('cancelled', [], job.finished?.reason);
			else push?.('failed', [], job.finished?.reason);
		},
	});
	push?.('started', []);
	service.noteActivity(ENDPOINTS[kind], id, target);
	statistics.countStart({ id, kind, query, startedAtMs: nowMs }, service.countRunning(nowMs));
	return { id };
}
