import type { FastifyReply, FastifyRequest } from 'fastify';

import { deliver } from '../control/deliver.ts';
import { withKey } from '../control/echoedKey.ts';
import { applyFault } from '../control/faultyAnswer.ts';
import { refuseKey } from '../http/authorization.ts';
import { noCreditsLeft, tooManyRequests } from '../http/refusals.ts';
import type { Bucket } from '../account/plan.ts';
import type { Phase } from '../control/faultBook.ts';
import type { Fault, Step } from '../control/faultRule.ts';
import type { Delivery } from '../control/faultyAnswer.ts';
import type { Answer } from '../http/answer.ts';
import type { Service } from '../service/service.ts';

/** A request with this header suffers no fault: work of others of the account, beside what a test is about. */
const NO_FAULTS = 'x-sandbox-no-faults';

/** One request to the service, as its route sees it. */
export interface Call {
	step: Step;
	/** The counter of requests a minute it counts in; null where the contract names none. */
	bucket: Bucket | null;
	/** It is refused when fewer credits than these are left; 0 for what is free. */
	creditsNeeded: number;
	/** The query of the job it is about, for faults to match. */
	query: string | undefined;
	/** The job it is about: for a start, known only after the work. */
	jobId(): string | undefined;
	work(): Answer | Promise<Answer>;
}

/** The refusal by key, requests a minute or credits, in this order, if there is one. */
function refuse(service: Service, request: FastifyRequest, call: Call): Answer | undefined {
	const unauthorized = refuseKey(request.headers.authorization, service.options);
	if (unauthorized) {
		service.statistics.countRefusal('auth');
		return unauthorized;
	}
	const nowMs = service.now();
	const window = call.bucket && service.windows.count(call.bucket, nowMs);
	if (window && !window.allowed) {
		service.statistics.countRefusal('perMinute');
		return tooManyRequests(service.plan.retryAfter, window, nowMs);
	}
	if (call.creditsNeeded === 0) return undefined;
	// A job that has ended by now has been billed by now.
	service.countRunning(nowMs);
	if (service.credits.left() >= call.creditsNeeded) return undefined;
	service.statistics.countRefusal('credits');
	return noCreditsLeft();
}

/** The fault that strikes the call now, with the key in its texts where they ask for it; counts it. */
type Strike = (phase: Phase) => Fault | undefined;

/** Lets the job fail or vanish where a fault says so, once it is known which job that is. */
function changeJob(service: Service, call: Call, strike: Strike): void {
	const jobId = call.jobId();
	if (jobId === undefined) return;
	const fault = strike('job');
	if (!fault) return;
	// What has expired is more than a day old: the feed does not have it either.
	if (fault.kind === 'expire') service.activity.forget(jobId);
	for (const jobs of [service.jobs, service.pageJobs, service.answers, service.monitors]) {
		if (fault.kind === 'expire') jobs.vanish(jobId);
		if (fault.kind === 'failJob') {
			jobs.fail(jobId, fault.error ?? 'The sandbox let this job fail', service.now());
		}
	}
}

async function answerTo(service: Service, call: Call, strike: Strike): Promise<Delivery> {
	const before = strike('before');
	if (before) {
		if (before.kind !== 'slow') return applyFault(before, undefined);
		await service.waits.pause(before.ms);
	}
	const knownBefore = call.jobId() !== undefined;
	if (knownBefore) changeJob(service, call, strike);
	const answer = await call.work();
	if (answer.status >= 300) return { how: 'answer', answer };
	if (!knownBefore) changeJob(service, call, strike);
	const after = strike('after');
	return after ? applyFault(after, answer) : { how: 'answer', answer };
}

/**
 * Answers one request. The order of the checks is the recorded server's: key (401), requests a minute
 * (429), credits (402), then the route's own: body (400) and jobs at once (429). Faults stand between.
 */
export async function answerRequest(
	service: Service,
	request: FastifyRequest,
	reply: FastifyReply,
	call: Call,
): Promise<FastifyReply> {
	service.statistics.countCall(call.step, call.jobId());
	const strike: Strike = (phase) => {
		if (NO_FAULTS in request.headers) return undefined;
		const fault = service.faults.strike(call.step, call.query, phase);
		if (!fault) return undefined;
		service.statistics.countFault(fault.kind);
		return withKey(fault, request.headers.authorization);
	};
	const refused = refuse(service, request, call);
	const delivery: Delivery = refused
		? { how: 'answer', answer: refused }
		: await answerTo(service, call, strike);
	await deliver(request, reply, delivery, service);
	return reply;
}
