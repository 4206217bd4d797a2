import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod/v4';
import { deliver, withKey, applyFault } from '../control/faultyAnswer.ts';
import type { Delivery } from '../control/faultyAnswer.ts';
import { refuseKey } from '../http/requestChecks.ts';
import type { ReadBody } from '../http/requestChecks.ts';
import {
	Refused,
	answered,
	badRequest,
	malformedJson,
	addressUsedUp,
	noCreditsLeft,
	refusal,
	tooMany,
} from '../http/answer.ts';
import type { Answer } from '../http/answer.ts';
import { answersWithoutKey } from '../account/allowance.ts';
import type { Bucket } from '../account/plan.ts';
import type { Phase, Fault, Step } from '../control/faultBook.ts';
import type { Service } from '../service/service.ts';
import { serviceError, textField } from '../http/bodySchema.ts';
import type { Issue } from '../http/bodySchema.ts';
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
	const { authorization } = request.headers;
	if (authorization === undefined && service.allowances && answersWithoutKey(request.method, request.url)) {
		const used = service.allowances.use(request.ip, call.creditsNeeded, service.now());
		return used && addressUsedUp(used.reason, used.seconds);
	}
	const unauthorized = refuseKey(authorization, service.options);
	if (unauthorized) {
		service.statistics.countRefusal('auth');
		return unauthorized;
	}
	const nowMs = service.now();
	const window = call.bucket && service.windows.count(call.bucket, nowMs);
	if (window && !window.allowed) {
		service.statistics.countRefusal('perMinute');
		return tooMany(service.plan.retryAfter, window.resetsAtMs - nowMs);
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
	for (const jobs of [service.pageJobs, service.answers, service.monitors]) {
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
	const answer = await answered(() => call.work());
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

/** How a body is refused, by zod's remarks on it and the text of the error. */
type Word = (issues: readonly Issue[], error: string) => Answer;

/** What the schema makes of a value, which is refused where it does not fit. */
export function read<Schema extends z.ZodType>(
	service: Service,
	value: unknown,
	schema: Schema,
	word: Word = badRequest,
): z.output<Schema> {
	const given = schema.safeParse(value);
	if (given.success) return given.data;
	service.statistics.countRefusal('body');
	throw new Refused(word(given.error.issues, serviceError(given.error.issues)));
}

/** What the schema makes of a body. No body counts as an empty one (recordings scrape-29, dr-21). */
export function acceptBody<Schema extends z.ZodType>(
	service: Service,
	body: ReadBody,
	schema: Schema,
	word?: Word,
): z.output<Schema> {
	if (!body.malformed) return read(service, body.value ?? {}, schema, word);
	service.statistics.countRefusal('body');
	throw new Refused(malformedJson());
}

/**
 * Address of the service as the client knows it: the server builds its links from the Host header
 * (docs/reference/service-notes.md#parts-of-a-result).
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

/** Refuses a protection that the account does not have (recordings crawl-129, map-20, team-40). */
export function demandEnterprise(service: Service, threatProtection: unknown): void {
	if (threatProtection !== undefined && !service.options.enterprise) throw new Refused(refusal(403, THREAT_TEXT));
}

const JOB_SLOT_WAIT_MS = 5000;

/** Refuses one more job where the plan's jobs at once are used up. */
export function demandJobSlot(service: Service): void {
	if (service.countRunning(service.now()) < service.plan.jobsAtOnce) return;
	service.statistics.countRefusal('jobsAtOnce');
	throw new Refused(tooMany(service.plan.retryAfter, JOB_SLOT_WAIT_MS / service.options.speed));
}

/** The answer for a page that could not be had. Any other error goes on. */
export function scrapeRefusal(error: unknown): Answer {
	if (!(error instanceof ScrapeFailure)) throw error;
	const text = failureText(error);
	const { httpStatus, code, requiresAction } = error;
	return refusal(httpStatus, text, { code, ...(requiresAction && { requiresAction }) });
}
