import type { FastifyRequest } from 'fastify';

import { textField } from '../http/bodySchema.ts';
import { refusal, tooManyJobs } from '../http/refusals.ts';
import { ScrapeFailure } from '../web/scrapeFailure.ts';
import type { Answer } from '../http/answer.ts';
import type { ReadBody } from '../http/jsonBody.ts';
import type { Service } from '../service/service.ts';

/** Address of the service as the client knows it: the server builds its links from the Host header (CONTRACT section 9). */
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
	return refusal(error.httpStatus, error.message, { code: error.code });
}
