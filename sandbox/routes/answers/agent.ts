import type { z } from 'zod/v4';
import {
	SNAPSHOT_ID,
	agentRecord,
	agentRequestSchema,
	agentResult,
	agentTrace,
	agentTurnSchema,
} from '../../agent/agentRecord.ts';
import { jsonAnswer, refusal } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import { demandId } from '../../http/requestChecks.ts';
import { acceptBody, demandEnterprise } from '../../requests/answerRequest.ts';
import type { Asked, Route } from '../../requests/routes.ts';
import { answerRoutes, startAnswer } from './answerRoutes.ts';
import type { AnswerJob } from '../../answerJobs/answerJobs.ts';
import type { Service } from '../../service/service.ts';

const PATH = '/v2/agent';
const CANCELLED = 'Agent was cancelled by user';

function start(service: Service, { body, started: told }: Asked): Answer {
	const isTurn = service.options.paidProviders;
	const request: z.output<typeof agentTurnSchema> = acceptBody(
		service,
		body,
		isTurn ? agentTurnSchema : agentRequestSchema,
	);
	if (request.prompt.includes('[refuse]')) {
		// The server puts it down before it passes it on.
		service.noteActivity('agent', service.newId(), request.urls?.[0] ?? request.prompt);
		return refusal(500, 'Failed to passthrough agent request.');
	}
	demandEnterprise(service, request.threatProtection);
	// A plain server has no agents (recording plain-01).
	if (!service.options.hasDatabase) return service.unknownError();
	const runId = service.agentThreads.runOf(request.threadId);
	const before = runId === undefined ? undefined : service.answers.find(runId, 'agent', service.now());
	if (before && !before.finished) {
		return refusal(409, 'This thread has a run in progress.', { code: 'thread_busy', runId });
	}
	const { threadId, result } = service.agentThreads.turn(request, agentResult(request));
	const id = startAnswer(service, {
		kind: 'agent',
		query: request.prompt,
		target: request.urls?.[0] ?? request.prompt,
		result,
		webhook: request.webhook,
		hookData: (job) => job.result.fields.data,
	});
	told(id);
	service.agentThreads.runs(threadId, id);
	return jsonAnswer(200, { success: true, id, ...(threadId !== undefined && { threadId }) });
}

/** Reads the job of the id and answers with it, or says why not. */
function withJob(service: Service, id: string, answer: (job: AnswerJob) => Answer): Answer {
	demandId(id);
	const job = service.answers.find(id, 'agent', service.now());
	return job ? answer(job) : refusal(404, 'Agent job not found');
}

/** Cancels an agent, which then fails. A second cancel is refused, also while a lag still shows it as running (recordings agent-10 to agent-18, auth26-51 to auth26-53). */
function cancel(service: Service, job: AnswerJob): Answer {
	if (job.finished) return refusal(409, 'Agent already finished');
	if (job.cancelledAtMs !== undefined) return refusal(409, 'Agent is already cancelled');
	service.answers.cancel(job, CANCELLED, service.now());
	return jsonAnswer(200, { success: true });
}

/** Agents: start (counts as agent), status, cancel, trace and snapshot (count as agent status). Lists and threads are not recorded. */
export function agentRoutes(service: Service): Route[] {
	const about = {
		bucket: 'agentStatus',
		query: ({ id }: Asked) => service.answers.find(id, 'agent', service.now())?.query,
		job: ({ id }: Asked) => id,
	} as const;
	return [
		...answerRoutes(service, {
			kind: 'agent',
			path: PATH,
			start: { step: 'agentStart', bucket: 'agent', asked: ['prompt'], work: (asked) => start(service, asked) },
			status: {
				step: 'agentStatus',
				bucket: 'agentStatus',
				work: (id) => withJob(service, id, (job) => jsonAnswer(200, agentRecord(job))),
			},
		}),
		{
			...about,
			on: `DELETE ${PATH}/:id`,
			step: 'cancel',
			work: ({ id }) => withJob(service, id, (job) => cancel(service, job)),
		},
		{
			...about,
			on: `GET ${PATH}/:id/trace`,
			step: 'agentTrace',
			work: ({ id, query }) =>
				withJob(service, id, (job) => jsonAnswer(200, agentTrace(job, query.liveView === 'true'))),
		},
		{
			...about,
			on: `GET ${PATH}/:id/snapshots/:snapshotId`,
			step: 'agentTrace',
			work: ({ id, part: snapshotId }) =>
				withJob(service, id, () => {
					if (snapshotId !== SNAPSHOT_ID) return refusal(404, 'Snapshot not found');
					const snapshot = '- document\n  - heading "Page"';
					return jsonAnswer(200, { success: true, id, snapshotId, snapshot });
				}),
		},
	];
}
