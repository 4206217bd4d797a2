import {
	runCode,
	sessionLinks,
	sessionRow,
	executeRequestSchema,
	sessionRequestSchema,
	statusOf,
} from '../../browserSessions/sessions.ts';
import type { Session, SessionEnd } from '../../browserSessions/sessions.ts';
import { Refused, jsonAnswer, refusal } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import { UUID } from '../../http/requestChecks.ts';
import type { ReadBody } from '../../http/requestChecks.ts';
import { acceptBody, queryOf } from '../../requests/answerRequest.ts';
import type { Route } from '../../requests/routes.ts';
import type { Service } from '../../service/service.ts';

// The second is the older path (recording browser-04).
const PATHS = ['/v2/interact', '/v2/browser'];
const NOT_CONFIGURED = 'Browser feature is not configured (BROWSER_SERVICE_URL is missing).';
const DESTROYED = 'Browser session has been destroyed.';
const NOT_FOUND = 'Browser session not found.';
/** Code with this finds the browser gone (recording browser-16). */
const BROKEN = '[502]';

/** Refuses one more session where as many browsers and jobs run as the plan allows (recording browser-80). */
export function demandSessionSlot(service: Service): void {
	const most = service.plan.jobsAtOnce;
	const running = service.countRunning(service.now()) + service.sessions.countActive();
	if (running < most) return;
	service.statistics.countRefusal('jobsAtOnce');
	throw new Refused(
		refusal(
			429,
			`You have reached the maximum number of concurrent jobs (${most}). Please wait for existing jobs to complete or destroy browser sessions before creating new ones.`,
		),
	);
}

function create(service: Service, body: ReadBody): Answer {
	const asked = acceptBody(service, body, sessionRequestSchema);
	if (!service.options.hasDatabase) return refusal(503, NOT_CONFIGURED);
	demandSessionSlot(service);
	const session = service.sessions.open(service.newId(), asked);
	service.noteActivity('browser', session.id, 'Browser session');
	return jsonAnswer(200, {
		success: true,
		id: session.id,
		...sessionLinks(session),
		expiresAt: new Date(session.createdAtMs + session.ttlMs).toISOString(),
	});
}

/** The session of the id; an id that is no UUID fails (recordings browser-36, browser-54). */
function find(service: Service, id: string): Session {
	if (!service.options.hasDatabase || !UUID.test(id)) throw new Refused(service.unknownError());
	const session = service.sessions.find(id);
	if (!session) throw new Refused(refusal(404, NOT_FOUND));
	return session;
}

/** Runs code in an active session and gives what came out. */
export async function runIn(
	service: Service,
	session: Session,
	request: Parameters<typeof runCode>[0],
): ReturnType<typeof runCode> {
	if (statusOf(session) === 'destroyed') throw new Refused(refusal(410, DESTROYED));
	if (request.code.includes(BROKEN)) {
		throw new Refused(refusal(502, 'Failed to execute code in browser session.'));
	}
	service.sessions.touch(session, false);
	const { speed } = service.options;
	return runCode(request, (seconds) => service.waits.pause((seconds * 1000) / speed), session.page);
}

async function execute(service: Service, id: string, body: ReadBody): Promise<Answer> {
	const request = acceptBody(service, body, executeRequestSchema);
	const run = await runIn(service, find(service, id), request);
	return jsonAnswer(200, { success: true, ...run });
}

/** What was recorded of it. No recordings: docs/reference/service-notes.md#replays-of-sessions. */
function replay(service: Service, { id, createdAtMs, isRecorded }: Session): Answer {
	if (!isRecorded) return refusal(404, 'Session replay is not available.');
	const url = `https://api.firecrawl.dev/v2/interact/${id}/replay/page-1`;
	const startTimeMs = createdAtMs;
	const pages = [{ pageId: 'page-1', url, pageUrl: 'about:blank', startTimeMs, endTimeMs: service.now() }];
	return jsonAnswer(200, { success: true, pages, pageCount: pages.length });
}

/** The end of a session as it is answered (recordings browser-50, browser-52). */
export function endAnswer(end: SessionEnd): Answer {
	return jsonAnswer(200, { success: true, ...end, cleanupQueued: true });
}

function list(service: Service, status: unknown): Answer {
	if (!service.options.hasDatabase) return service.unknownError();
	const sessions = service.sessions.list(typeof status === 'string' ? status : undefined);
	return jsonAnswer(200, { success: true, sessions: sessions.map(sessionRow) });
}

/** Browser sessions: opening (counts as interact), running code (as interact execute), listing and closing (as interact). */
export const sessionRoutes = (service: Service): Route[] =>
	PATHS.flatMap((path): Route[] => [
		{
			on: `POST ${path}`,
			step: 'browserCreate',
			bucket: 'interact',
			credits: 1,
			work: ({ body }) => create(service, body),
		},
		{ on: `GET ${path}`, step: 'browserList', work: ({ query }) => list(service, query.status) },
		{
			on: `POST ${path}/:id/execute`,
			step: 'browserExecute',
			bucket: 'interactExecute',
			query: ({ body }) => queryOf(body, 'code'),
			work: ({ id, body }) => execute(service, id, body),
		},
		{
			on: `GET ${path}/:id/replay`,
			step: 'browserReplay',
			work: ({ id }) => replay(service, find(service, id)),
		},
		{
			on: `DELETE ${path}/:id`,
			step: 'browserDelete',
			work: ({ id }) => endAnswer(service.sessions.close(find(service, id))),
		},
	]);
