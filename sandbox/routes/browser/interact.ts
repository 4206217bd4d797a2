import { sessionLinks, interactRequestSchema, statusOf } from '../../browserSessions/sessions.ts';
import type { Session } from '../../browserSessions/sessions.ts';
import { Refused, jsonAnswer, refusal } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import { demandId } from '../../http/requestChecks.ts';
import type { ReadBody } from '../../http/requestChecks.ts';
import { acceptBody, queryOf } from '../../requests/answerRequest.ts';
import type { Route } from '../../requests/routes.ts';
import { endAnswer, demandSessionSlot, runIn } from './sessions.ts';
import type { Service } from '../../service/service.ts';

const PATH = '/v2/scrape/:id/interact';
const NOT_HERE =
	'Scrape interact requires stored scrape context and is not available when database authentication is disabled.';

/** The session on the scraped page, opened where there is none. */
function sessionOn(service: Service, scrapeId: string): Session {
	const known = service.sessions.onScrape(scrapeId);
	if (known) return known;
	if (!service.scrapes.find(scrapeId)) throw new Refused(refusal(404, 'Job not found.'));
	demandSessionSlot(service);
	const session = service.sessions.open(service.newId(), {
		ttl: 600,
		activityTtl: 300,
		streamWebView: true,
		recordSession: true,
	});
	service.sessions.bindScrape(scrapeId, session);
	service.noteActivity('interact', session.id, 'Interact session');
	return session;
}

/** What a prompt comes to: made up, but [fail] in it fails (recordings interact-04, interact-11). */
function runPrompt(prompt: string): Record<string, unknown> {
	const text = 'stub: asked to fail';
	return prompt.includes('[fail]')
		? { stdout: '', result: 'ok', stderr: text, exitCode: 1, killed: false, error: text }
		: {
				output: `Stub answer to: ${prompt}`,
				stdout: '',
				result: 'ok',
				stderr: '',
				exitCode: 0,
				killed: false,
			};
}

async function interact(service: Service, scrapeId: string, body: ReadBody): Promise<Answer> {
	demandId(scrapeId);
	const request = acceptBody(service, body, interactRequestSchema);
	if (!service.options.hasDatabase) return refusal(501, NOT_HERE);
	const session = sessionOn(service, scrapeId);
	const { code, prompt, language, timeout } = request;
	// Code goes before a prompt (recording interact-09).
	const isPrompt = code === undefined && prompt !== undefined;
	const toRun = { code: code ?? '', language, timeout };
	const ran = await runIn(service, session, toRun);
	if (isPrompt) service.sessions.touch(session, true);
	const run = isPrompt ? runPrompt(prompt) : ran;
	return jsonAnswer(200, {
		success: !('error' in run),
		sessionId: session.id,
		...sessionLinks(session),
		...run,
	});
}

function stop(service: Service, scrapeId: string): Answer {
	demandId(scrapeId);
	if (!service.options.hasDatabase) return service.unknownError();
	const session = service.sessions.onScrape(scrapeId);
	if (!session) return refusal(404, 'Browser session not found.');
	const wasActive = statusOf(session) === 'active';
	return endAnswer(wasActive ? service.sessions.close(session) : { sessionDurationMs: 0 });
}

/** Code or a prompt on a scraped page (counts as interact execute), and its end. After that the page is closed for good. */
export const interactRoutes = (service: Service): Route[] => [
	{
		on: `POST ${PATH}`,
		step: 'interact',
		bucket: 'interactExecute',
		credits: 1,
		query: ({ body }) => queryOf(body, 'code') ?? queryOf(body, 'prompt'),
		work: ({ id, body }) => interact(service, id, body),
	},
	{ on: `DELETE ${PATH}`, step: 'interactStop', work: ({ id }) => stop(service, id) },
];
