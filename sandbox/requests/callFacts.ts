import type { FastifyRequest } from 'fastify';

import { textField } from '../http/bodySchema.ts';
import { refusal, tooManyJobs } from '../http/refusals.ts';
import { ScrapeFailure, failureText } from '../web/scrapeFailure.ts';
import type { Answer } from '../http/answer.ts';
import type { ReadBody } from '../http/jsonBody.ts';
import type { Service } from '../service/service.ts';

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
export function scrapeRefusal(service: Service, error: unknown): Answer {
	if (!(error instanceof ScrapeFailure)) throw error;
	const text = failureText(error, service.options.generation);
	return refusal(error.httpStatus, text, { code: error.code });
}
