import type { FastifyInstance } from 'fastify';

import { threatPolicySchema } from '../../team/threatProtection.ts';
import { balance, history } from '../../team/usage.ts';
import { jsonAnswer } from '../../http/answer.ts';
import { bodyOf } from '../../http/jsonBody.ts';
import { refusal } from '../../http/refusals.ts';
import { acceptBody } from '../../requests/acceptBody.ts';
import { answerRequest } from '../../requests/answerRequest.ts';
import { refuseEnterprise } from '../../requests/callFacts.ts';
import type { Answer } from '../../http/answer.ts';
import type { ReadBody } from '../../http/jsonBody.ts';
import type { Service } from '../../service/service.ts';

const THREAT_PATH = '/v2/team/threat-protection';
const NO_CONNECTION = 'Threat protection mode "zscaler" requires the zscaler connection block.';
/** What a server without a plan allows at once (recording team-12). */
const USUAL_CONCURRENCY = 10;

type Unit = 'credits' | 'tokens';
type Query = Record<string, string | string[] | undefined>;

/** A server of 2025 gives the balance alone (recording other-01); a plain one of 2026 fails (plain-30). */
function usage(service: Service, unit: Unit): Answer {
	const { generation, hasDatabase } = service.options;
	if (generation === 2026 && !hasDatabase) return service.unknownError();
	service.countRunning(service.now());
	const data = balance(service.credits, service.plan.credits, unit, service.now());
	const older = { remainingCredits: data.remainingCredits };
	return jsonAnswer(200, { success: true, data: generation === 2025 ? older : data });
}

function pastUsage(service: Service, unit: Unit, query: Query): Answer {
	if (!service.options.hasDatabase) return service.unknownError();
	service.countRunning(service.now());
	// Only this very word turns it on (recording team-05).
	const periods = history(service.credits, unit, query.byApiKey === 'true', service.now());
	return jsonAnswer(200, { success: true, periods });
}

function concurrency(service: Service): { running: number; most: number } {
	const { jobsAtOnce } = service.plan;
	const running = service.countRunning(service.now()) + service.sessions.countActive();
	return { running, most: Number.isFinite(jobsAtOnce) ? jobsAtOnce : USUAL_CONCURRENCY };
}

function queueStatus(service: Service): Answer {
	const { running, most } = concurrency(service);
	return jsonAnswer(200, {
		success: true,
		jobsInQueue: running,
		activeJobsInQueue: running,
		waitingJobsInQueue: 0,
		maxConcurrency: most,
		mostRecentSuccess: new Date(service.now()).toISOString(),
	});
}

function setThreatPolicy(service: Service, body: ReadBody): Answer {
	const barred = refuseEnterprise(service, {});
	if (barred) return barred;
	const read = acceptBody(service, body, threatPolicySchema);
	if ('refused' in read) return read.refused;
	if (read.request.mode === 'zscaler' && !read.request.zscaler) return refusal(400, NO_CONNECTION);
	service.threatProtection.set(read.request, service.now());
	return jsonAnswer(200, { success: true, data: service.threatProtection.read() });
}

/** The account: balance, history, load and protection. All free, and in no counter of requests a minute that the contract names. */
export function teamRoutes(app: FastifyInstance, service: Service): void {
	const calls = {
		step: 'account',
		bucket: null,
		creditsNeeded: 0,
		query: undefined,
		jobId: () => undefined,
	} as const;
	const get = (path: string, work: (query: Query) => Answer): void => {
		app.get<{ Querystring: Query }>(path, (request, reply) =>
			answerRequest(service, request, reply, { ...calls, work: () => work(request.query) }),
		);
	};

	get('/v2/team/credit-usage', () => usage(service, 'credits'));
	if (service.options.generation === 2025) return;
	get('/v2/team/credit-usage/historical', (query) => pastUsage(service, 'credits', query));
	get('/v2/team/token-usage', () => usage(service, 'tokens'));
	get('/v2/team/token-usage/historical', (query) => pastUsage(service, 'tokens', query));
	get('/v2/team/queue-status', () => queueStatus(service));
	get('/v2/concurrency-check', () => {
		const { running, most } = concurrency(service);
		return jsonAnswer(200, { success: true, concurrency: running, maxConcurrency: most });
	});
	get(
		THREAT_PATH,
		() =>
			refuseEnterprise(service, {}) ??
			jsonAnswer(200, { success: true, data: service.threatProtection.read() }),
	);
	app.put(THREAT_PATH, (request, reply) => {
		const body = bodyOf(request.body);
		return answerRequest(service, request, reply, {
			...calls,
			work: () => setThreatPolicy(service, body),
		});
	});
}
