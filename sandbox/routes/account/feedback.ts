import { feedbackSchema, searchFeedbackSchema, toolFeedbackSchema } from '../../team/team.ts';
import { jsonAnswer } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import { demandId } from '../../http/requestChecks.ts';
import type { ReadBody } from '../../http/requestChecks.ts';
import { acceptBody, fieldOf } from '../../requests/answerRequest.ts';
import type { Route } from '../../requests/routes.ts';
import type { Service } from '../../service/service.ts';

const WITHOUT_DATABASE = 'requires database authentication and is unavailable on this deployment.';
const SEARCH_CAP = 100;
const JOB_CAP = 50;

function refused(status: number, error: string, feedbackErrorCode: string): Answer {
	return jsonAnswer(status, { success: false, error, feedbackErrorCode });
}

function badBody(details: readonly unknown[]): Answer {
	const code = 'INVALID_BODY';
	return jsonAnswer(400, {
		success: false,
		error: 'Invalid request body',
		details,
		feedbackErrorCode: code,
	});
}

function taken(service: Service, isSearch: boolean): Answer {
	return jsonAnswer(200, {
		success: true,
		feedbackId: service.newId(),
		creditsRefunded: 0,
		creditsRefundedToday: 0,
		dailyRefundCap: isSearch ? SEARCH_CAP : JOB_CAP,
	});
}

const NOT_FOUND = 'job not found for this team.';

function onJob(service: Service, body: ReadBody): Answer {
	if (!service.options.hasDatabase) return refused(503, `Feedback ${WITHOUT_DATABASE}`, 'DB_DISABLED');
	if (fieldOf(body, 'endpoint') === 'alexandria') {
		acceptBody(service, body, toolFeedbackSchema, badBody);
		return taken(service, false);
	}
	const { endpoint, jobId } = acceptBody(service, body, feedbackSchema, badBody);
	return service.activity.find(jobId)?.endpoint === endpoint
		? taken(service, endpoint === 'search')
		: refused(404, `${endpoint} ${NOT_FOUND}`, 'JOB_NOT_FOUND');
}

function onSearch(service: Service, id: string, body: ReadBody): Answer {
	if (!service.options.hasDatabase) {
		return refused(503, `Search feedback ${WITHOUT_DATABASE}`, 'DB_DISABLED');
	}
	demandId(id);
	acceptBody(service, body, searchFeedbackSchema, badBody);
	return service.activity.find(id)?.endpoint === 'search'
		? taken(service, true)
		: refused(404, `search ${NOT_FOUND}`, 'SEARCH_NOT_FOUND');
}

/** Not there, as recorded, or made up for an account that may ask it. */
function supportAnswer(service: Service, isAsk: boolean): Answer {
	if (!service.options.enterprise) return jsonAnswer(503, { error: 'support_agent_unavailable' });
	const answer = 'Start small, and read the error texts.';
	return isAsk
		? jsonAnswer(200, { answer, confidence: 'high', durationMs: 1 })
		: jsonAnswer(200, { answer, durationMs: 1 });
}

/** Feedback on jobs and searches; the support of the recorded server is not there (recordings support-01 to support-03). */
export const feedbackRoutes = (service: Service): Route[] => [
	{ on: 'POST /v2/feedback', step: 'feedback', work: ({ body }) => onJob(service, body) },
	{ on: 'POST /v2/search/:id/feedback', step: 'feedback', work: ({ id, body }) => onSearch(service, id, body) },
	{ on: 'POST /v2/support/ask', step: 'support', work: () => supportAnswer(service, true) },
	{ on: 'POST /v2/support/docs-search', step: 'support', work: () => supportAnswer(service, false) },
];
