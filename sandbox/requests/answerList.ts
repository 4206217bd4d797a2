import type { FastifyReply, FastifyRequest } from 'fastify';

import { answerRequest } from './answerRequest.ts';
import type { Bucket } from '../account/plan.ts';
import type { Step } from '../control/faultRule.ts';
import type { Answer } from '../http/answer.ts';
import type { ListState } from '../service/serverKind.ts';
import type { Service } from '../service/service.ts';

/** A list that not every server has. */
export interface ListCall {
	state: ListState;
	step: Step;
	bucket: Bucket | null;
	/** What a server answers whose list fails. */
	broken(): Answer;
	list(): Answer;
}

/** Answers one request for a list. A server without it knows no such path, and asks for no key either. */
export async function answerList(
	service: Service,
	request: FastifyRequest,
	reply: FastifyReply,
	call: ListCall,
): Promise<FastifyReply> {
	if (call.state === 'missing') {
		reply.callNotFound();
		return reply;
	}
	return answerRequest(service, request, reply, {
		step: call.step,
		bucket: call.bucket,
		creditsNeeded: 0,
		query: undefined,
		jobId: () => undefined,
		work: () => (call.state === 'broken' ? call.broken() : call.list()),
	});
}
