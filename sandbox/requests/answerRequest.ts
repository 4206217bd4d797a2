import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { deliver, withKey, applyFault } from '../control/faultyAnswer.ts';
import type { Delivery } from '../control/faultyAnswer.ts';
import { refuseKey } from '../http/requestChecks.ts';
import type { ReadBody } from '../http/requestChecks.ts';
import { noCreditsLeft, tooManyRequests, badRequest, malformedJson, refusal, tooManyJobs } from '../http/answer.ts';
import type { Answer } from '../http/answer.ts';
import type { Bucket } from '../account/plan.ts';
import type { Phase, Fault, Step } from '../control/faultBook.ts';
import type { Service } from '../service/service.ts';
import { readRequest, serviceError, serviceIssues, textField } from '../http/bodySchema.ts';
import type { ReadRequest } from '../http/bodySchema.ts';
import { ScrapeFailure, failureText } from '../web/webClient.ts';

/** A request with this header suffers no fault: work of others of the account, beside what a test is about. */
const NO_FAULTS = 'x-sandbox-no-faults';

/** One request to the service, as its route sees it. */
interface Call {
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
	const delivery: Delivery = refused ? { how: 'answer', answer: refused } : await answerTo(service, call, strike);
	await deliver(request, reply, delivery, service);
	return reply;
}

/** A request that was read, or the answer that refuses it. */
type Accepted<Request> = { request: Request } | { refused: Answer };

/** Counts and words the refusal of a body; `word` makes the answer of zod's issues. */
export function accept<Request>(
	service: Service,
	body: ReadBody,
	read: (value: unknown) => ReadRequest<Request>,
	word: (issues: readonly unknown[], error: string) => Answer = badRequest,
): Accepted<Request> {
	if (body.malformed) {
		service.statistics.countRefusal('body');
		return { refused: malformedJson() };
	}
	const given = read(body.value);
	if ('request' in given) return given;
	service.statistics.countRefusal('body');
	const issues = serviceIssues(given.issues);
	return { refused: word(issues, serviceError(issues)) };
}

/** The same by a schema. */
export function acceptBody<Schema extends z.ZodTypeAny>(
	service: Service,
	body: ReadBody,
	schema: Schema,
	word?: (issues: readonly unknown[], error: string) => Answer,
): Accepted<z.output<Schema>> {
	return accept(service, body, (value) => readRequest(schema, value), word);
}

/**
 * Address of the service as the client knows it: the server builds its links from the Host header
 * (docs/service-notes.md#parts-of-a-result).
 */
export function serviceUrlOf(request: FastifyRequest): string {
	return `${request.protocol}://${request.headers.host ?? '127.0.0.1'}`;
}

/** A text of the body for faults to match, also where the body as a whole is refused. */
export function queryOf(body: ReadBody, name: string): string | undefined {
	return body.malformed ? undefined : textField(body.value, name);
}

/** A field of a body that may be anything. */
export function fieldOf(body: ReadBody, name: string): unknown {
	if (body.malformed || typeof body.value !== 'object' || body.value === null) return undefined;
	return Object.entries(body.value).find(([key]) => key === name)?.[1];
}

const THREAT_TEXT =
	'Threat protection is an enterprise feature and is not enabled for your team. Contact support@firecrawl.com to explore whether it can be enabled for your team.';

/** The refusal of a protection that the account does not have (recordings crawl-129, map-20, team-40). */
export function refuseEnterprise(service: Service, threatProtection: unknown): Answer | undefined {
	if (threatProtection === undefined || service.options.enterprise) return undefined;
	return refusal(403, THREAT_TEXT);
}

const JOB_SLOT_WAIT_MS = 5000;

/** The refusal where the plan's jobs at once are used up. */
export function refuseOneMoreJob(service: Service): Answer | undefined {
	const nowMs = service.now();
	if (service.countRunning(nowMs) < service.plan.jobsAtOnce) return undefined;
	service.statistics.countRefusal('jobsAtOnce');
	return tooManyJobs(service.plan.retryAfter, JOB_SLOT_WAIT_MS / service.options.speed, nowMs);
}

/** The answer for a page that could not be had. Any other error goes on. */
export function scrapeRefusal(error: unknown): Answer {
	if (!(error instanceof ScrapeFailure)) throw error;
	const text = failureText(error);
	return refusal(error.httpStatus, text, { code: error.code });
}
