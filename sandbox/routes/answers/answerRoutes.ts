import type { FastifyInstance } from 'fastify';

import type { AnswerJobKind } from '../../answerJobs/answerJob.ts';
import type { Bucket } from '../../account/plan.ts';
import type { Step } from '../../control/faultRule.ts';
import type { Answer } from '../../http/answer.ts';
import { bodyOf } from '../../http/jsonBody.ts';
import type { ReadBody } from '../../http/jsonBody.ts';
import { answerRequest } from '../../requests/answerRequest.ts';
import { queryOf } from '../../requests/callFacts.ts';
import type { Service } from '../../service/service.ts';

/** A kind of job that ends with one answer: where it is started and checked, and what comes of it. */
export interface AnswerRoutes {
	kind: AnswerJobKind;
	path: string;
	start: {
		step: Step;
		bucket: Bucket;
		/** Field of the body that faults are matched with. */
		asked: string;
		/** `onStarted` is told the id before the answer goes out. */
		work(body: ReadBody, onStarted: (id: string) => void): Answer;
	};
	status: { step: Step; bucket: Bucket; work(id: string): Answer };
}

/** Serves the start of such a job, and its status. */
export function answerRoutes(app: FastifyInstance, service: Service, routes: AnswerRoutes): void {
	const { kind, path, start, status } = routes;
	app.post(path, (request, reply) => {
		const body = bodyOf(request.body);
		let startedId: string | undefined;
		return answerRequest(service, request, reply, {
			step: start.step,
			bucket: start.bucket,
			creditsNeeded: 1,
			query: queryOf(body, start.asked),
			jobId: () => startedId,
			work: () => start.work(body, (id) => (startedId = id)),
		});
	});

	app.get<{ Params: { id: string } }>(`${path}/:id`, (request, reply) => {
		const { id } = request.params;
		if (id === '') return reply.callNotFound();
		service.statistics.countPoll(id);
		return answerRequest(service, request, reply, {
			step: status.step,
			bucket: status.bucket,
			creditsNeeded: 0,
			query: service.answers.find(id, kind, service.now())?.query,
			jobId: () => id,
			work: () => status.work(id),
		});
	});
}
