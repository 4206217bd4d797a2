import type { FastifyInstance } from 'fastify';
import { SNAPSHOT_ID, agentRecord, agentResult, agentTrace, agentRequestSchema } from '../../agent/agentRecord.ts';
import { jsonAnswer, refusal } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import { refuseMalformedId } from '../../http/requestChecks.ts';
import type { ReadBody } from '../../http/requestChecks.ts';
import { acceptBody, answerRequest, refuseEnterprise } from '../../requests/answerRequest.ts';
import { answerRoutes, startAnswer } from './answerRoutes.ts';
import type { AnswerJob } from '../../answerJobs/answerJobs.ts';
import type { Service } from '../../service/service.ts';

const PATH = '/v2/agent';
const CANCELLED = 'Agent was cancelled by user';

interface AgentRoute {
	Params: { id: string; snapshotId: string };
	Querystring: Record<string, string | string[] | undefined>;
}

function start(service: Service, body: ReadBody, onStarted: (id: string) => void): Answer {
	const read = acceptBody(service, body, agentRequestSchema);
	if ('refused' in read) return read.refused;
	const { request } = read;
	if (request.prompt.includes('[refuse]')) {
		// The server puts it down before it passes it on.
		service.noteActivity('agent', service.newId(), request.urls?.[0] ?? request.prompt);
		return refusal(500, 'Failed to passthrough agent request.');
	}
	const barred = refuseEnterprise(service, request.threatProtection);
	if (barred) return barred;
	// A plain server has no agents (recording plain-01).
	if (!service.options.hasDatabase) return service.unknownError();
	const started = startAnswer(service, {
		kind: 'agent',
		query: request.prompt,
		target: request.urls?.[0] ?? request.prompt,
		result: agentResult(request),
		webhook: request.webhook,
		hookData: (job) => job.result.fields.data,
	});
	if ('refused' in started) return started.refused;
	onStarted(started.id);
	return jsonAnswer(200, { success: true, id: started.id });
}

/** Reads the job of the id and answers with it, or says why not. */
function withJob(service: Service, id: string, answer: (job: AnswerJob) => Answer): Answer {
	const malformed = refuseMalformedId(id);
	if (malformed) return malformed;
	const job = service.answers.find(id, 'agent', service.now());
	return job ? answer(job) : refusal(404, 'Agent job not found');
}

/** A cancelled one fails, at once or when its step is done; then it is only finished (recordings agent-10 to agent-18, auth26-51 to auth26-53). */
function cancel(service: Service, job: AnswerJob): Answer {
	if (job.finished) return refusal(409, 'Agent already finished');
	if (job.cancelledAtMs !== undefined) return refusal(409, 'Agent is already cancelled');
	service.answers.cancel(job, CANCELLED, service.options.agentCancelMs, service.now());
	return jsonAnswer(200, { success: true });
}

/** Agents: start (counts as agent), status, cancel, trace and snapshot (count as agent status). Lists and threads are not recorded. */
export function agentRoutes(app: FastifyInstance, service: Service): void {
	answerRoutes(app, service, {
		kind: 'agent',
		path: PATH,
		start: {
			step: 'agentStart',
			bucket: 'agent',
			asked: 'prompt',
			work: (body, onStarted) => start(service, body, onStarted),
		},
		status: {
			step: 'agentStatus',
			bucket: 'agentStatus',
			work: (id) => withJob(service, id, (job) => jsonAnswer(200, agentRecord(job))),
		},
	});

	const free = { bucket: 'agentStatus', creditsNeeded: 0 } as const;
	const queryFor = (id: string): string | undefined => service.answers.find(id, 'agent', service.now())?.query;

	app.delete<AgentRoute>(`${PATH}/:id`, (request, reply) => {
		const { id } = request.params;
		if (id === '') return reply.callNotFound();
		return answerRequest(service, request, reply, {
			...free,
			step: 'cancel',
			query: queryFor(id),
			jobId: () => id,
			work: () => withJob(service, id, (job) => cancel(service, job)),
		});
	});

	app.get<AgentRoute>(`${PATH}/:id/trace`, (request, reply) => {
		const { id } = request.params;
		const withBrowsers = request.query.liveView === 'true';
		return answerRequest(service, request, reply, {
			...free,
			step: 'agentTrace',
			query: queryFor(id),
			jobId: () => id,
			work: () => withJob(service, id, (job) => jsonAnswer(200, agentTrace(job, withBrowsers))),
		});
	});

	app.get<AgentRoute>(`${PATH}/:id/snapshots/:snapshotId`, (request, reply) => {
		const { id, snapshotId } = request.params;
		return answerRequest(service, request, reply, {
			...free,
			step: 'agentTrace',
			query: queryFor(id),
			jobId: () => id,
			work: () =>
				withJob(service, id, () => {
					if (snapshotId !== SNAPSHOT_ID) return refusal(404, 'Snapshot not found');
					const snapshot = '- document\n  - heading "Page"';
					return jsonAnswer(200, { success: true, id, snapshotId, snapshot });
				}),
		});
	});
}
