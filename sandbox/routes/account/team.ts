import { threatPolicySchema, balance, history } from '../../team/team.ts';
import { jsonAnswer, refusal } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import type { ReadBody } from '../../http/requestChecks.ts';
import { acceptBody, demandEnterprise } from '../../requests/answerRequest.ts';
import type { Route } from '../../requests/routes.ts';
import type { Service } from '../../service/service.ts';
import { ENDPOINT_FILTERS, activityLimit } from '../../team/activity.ts';

const THREAT_PATH = '/v2/team/threat-protection';
const NO_CONNECTION = 'Threat protection mode "zscaler" requires the zscaler connection block.';
/** What a server without a plan allows at once (recording team-12). */
const USUAL_CONCURRENCY = 10;

type Unit = 'credits' | 'tokens';
type Query = Record<string, string | string[] | undefined>;

/** A plain server fails (recording plain-30). */
function usage(service: Service, unit: Unit): Answer {
	const { hasDatabase } = service.options;
	if (!hasDatabase) return service.unknownError();
	service.countRunning(service.now());
	const data = balance(service.credits, service.plan.credits, unit, service.now());
	return jsonAnswer(200, { success: true, data });
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
	demandEnterprise(service, {});
	const policy = acceptBody(service, body, threatPolicySchema);
	if (policy.mode === 'zscaler' && !policy.zscaler) return refusal(400, NO_CONNECTION);
	service.threatProtection.set(policy, service.now());
	return jsonAnswer(200, { success: true, data: service.threatProtection.read() });
}

/** The account: balance, history, load and protection. All free, and in no counter of requests a minute that the contract names. */
export function teamRoutes(service: Service): Route[] {
	const route = (on: string, work: Route['work']): Route => ({ on, step: 'account', work });
	return [
		route('GET /v2/team/credit-usage', () => usage(service, 'credits')),
		route('GET /v2/team/credit-usage/historical', ({ query }) => pastUsage(service, 'credits', query)),
		route('GET /v2/team/token-usage', () => usage(service, 'tokens')),
		route('GET /v2/team/token-usage/historical', ({ query }) => pastUsage(service, 'tokens', query)),
		route('GET /v2/team/queue-status', () => queueStatus(service)),
		route('GET /v2/concurrency-check', () => {
			const { running, most } = concurrency(service);
			return jsonAnswer(200, { success: true, concurrency: running, maxConcurrency: most });
		}),
		route(`GET ${THREAT_PATH}`, () => {
			demandEnterprise(service, {});
			return jsonAnswer(200, { success: true, data: service.threatProtection.read() });
		}),
		route(`PUT ${THREAT_PATH}`, ({ body }) => setThreatPolicy(service, body)),
	];
}

const FAILED = 'Failed to fetch activity.';

function textOf(value: string | string[] | undefined): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}

function page(service: Service, query: Query): Answer {
	const endpoint = textOf(query.endpoint);
	if (endpoint !== undefined && !ENDPOINT_FILTERS.some((known) => known === endpoint)) {
		return refusal(400, `Invalid endpoint filter. Must be one of: ${ENDPOINT_FILTERS.join(', ')}`);
	}
	const limit = activityLimit(textOf(query.limit));
	const asked = { limit, endpoint, cursor: textOf(query.cursor) };
	const found = service.activity.page(asked, service.now(), service.options.lagMs());
	if (found.how === 'badCursor') return refusal(400, 'Invalid cursor.');
	return found.how === 'failed' ? refusal(500, FAILED) : jsonAnswer(200, found.body);
}

/** The feed of what was started in the last 24 hours (recordings team-20 to team-29c of 2026). */
export function activityRoutes(service: Service): Route[] {
	const { hasDatabase } = service.options;
	const work: Route['work'] = ({ query }) => (hasDatabase ? page(service, query) : refusal(500, FAILED));
	return [{ on: 'GET /v2/team/activity', step: 'activity', work }];
}
