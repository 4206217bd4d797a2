import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { interactPrice, sessionPrice } from '../../../cost/prices';
import { additionalFields, costLimits, optionList, returnAllOrLimit } from '../../../fields/basic';
import { choiceField, textField } from '../../../fields/field';
import { choiceOf, minuteOf } from '../../../operation/operation';
import type {
	CallAnswer,
	CallOperation,
	Explained,
	ItemDraft,
	ListOperation,
	Resource,
	SessionOperation,
	SessionStory,
} from '../../../operation/operation';
import { withIsoDates } from '../../../operation/recordFields';
import { isJsonObject } from '../../../service/http/answer';
import type { ServiceFailure } from '../../../service/http/failure';
import type { JsonObject } from '../../../service/http/transport';
import {
	codeFailure,
	codeFields,
	codeOutput,
	codeTimeoutMs,
	language,
	runCode,
	runInNewSession,
	timeLimit,
} from './code';
import {
	closedUsage,
	endOf,
	idleSecondsOf,
	interactionRefusal,
	manySessionsOptions,
	scrapeId,
	sessionId,
	sessionOptions,
	sessionRefusal,
	sessionUsage,
	storedLife,
	unclearRun,
	withoutBrowsers,
} from './session';

function closedSessionItems({ body, values }: CallAnswer): ItemDraft[] | undefined {
	if (body.success === false) return undefined;
	return [{ json: { closed: true, id: String(values.sessionId), ...endOf(body) } }];
}

const closeSession: CallOperation = {
	kind: 'call',
	value: 'closeSession',
	name: 'Close Session',
	action: 'Close browser session',
	description: 'End a session, so that it costs no more; its profile is saved',
	request: { method: 'DELETE', path: '/v2/interact/{sessionId}', bucket: 'interact' },
	toItems: closedSessionItems,
	explain: (failure, values) => sessionRefusal(failure, String(values.sessionId)),
	usage: sessionUsage,
	fields: [sessionId],
};

function toItem({ id, opened }: SessionStory): ItemDraft {
	const told = Object.entries(withIsoDates(opened)).filter(([name]) => name !== 'success');
	return { json: { id, ...(Object.fromEntries(told) as IDataObject) } };
}

const createSession: SessionOperation = {
	kind: 'session',
	value: 'createSession',
	name: 'Create Session',
	action: 'Create browser session',
	description:
		'Open a browser for several nodes to work in. It costs credits by the minute until Close Session runs: add that to the error branch, too.',
	request: { method: 'POST', path: '/v2/interact', bucket: 'interact' },
	toItem,
	explain: withoutBrowsers,
	idleSeconds: idleSecondsOf,
	usage: closedUsage,
	worstCase: sessionPrice,
	fields: [...storedLife, optionList(...sessionOptions, ...manySessionsOptions, ...costLimits, additionalFields)],
};

const status: INodeProperties = choiceField(
	'status',
	'Status',
	'',
	'Which sessions to list',
	[
		['Any', ''],
		['Ended', 'destroyed', 'Closed or expired'],
		['Open', 'active', 'Sessions that still cost credits'],
	],
	{ send: false, routing: { send: { type: 'query', property: 'status' } } },
);

function readList({ sessions }: JsonObject): IDataObject[] | undefined {
	if (!Array.isArray(sessions)) return undefined;
	return sessions.filter(isJsonObject).map((one) => withIsoDates(one) as IDataObject);
}

const getMany: ListOperation = {
	kind: 'list',
	value: 'getMany',
	name: 'Get Many Sessions',
	action: 'Get many browser sessions',
	description: 'The sessions of your team, newest first, one item each',
	unit: 'browser session',
	request: { method: 'GET', path: '/v2/interact', bucket: 'interact' },
	readList,
	choices: {
		query: { status: 'active' },
		of: (session, timeZone) => choiceOf(session, session.id, minuteOf(session.createdAt, timeZone)),
	},
	fields: [status, ...returnAllOrLimit],
};

const LATEST_TIME_MS = 8.64e15;

/** A time in milliseconds since 1970 in ISO 8601; null for anything else. */
function isoTime(ms: unknown): string | null {
	return typeof ms === 'number' && Math.abs(ms) <= LATEST_TIME_MS ? new Date(ms).toISOString() : null;
}

/** What was recorded of a session, a page of it each. */
function replayItems({ body, values }: CallAnswer): ItemDraft[] | undefined {
	if (!Array.isArray(body.pages)) return undefined;
	const { sessionId: id } = values;
	return body.pages
		.filter(isJsonObject)
		.map(({ pageId = null, pageUrl = null, url = null, startTimeMs, endTimeMs, ...more }) => {
			const times = { startedAt: isoTime(startTimeMs), endedAt: isoTime(endTimeMs) };
			return { json: { sessionId: id, pageId, pageUrl, playlist: url, ...times, ...more } as IDataObject };
		});
}

function withoutReplay({ httpCode }: ServiceFailure, { sessionId: id }: JsonObject): Explained | undefined {
	if (httpCode !== 404) return undefined;
	const title = 'There is no replay of this session';
	return {
		title,
		message: `There is no replay of the session ${String(id)}: its ID is wrong, Record Session was off, it ended more than 30 days ago, or the replay is not ready yet.`,
	};
}

const getReplay: CallOperation = {
	kind: 'call',
	value: 'getReplay',
	name: 'Get Replay',
	action: 'Get replay of browser session',
	description: 'The recorded pages of a session, with the address of a video playlist (HLS) each. Not on every server.',
	request: { method: 'GET', path: '/v2/interact/{sessionId}/replay', bucket: 'interact' },
	toItems: replayItems,
	explain: withoutReplay,
	fields: [sessionId],
};

const STILL_OPEN = 'The page is still open, and costs until Stop Interaction or its own idle limit.';

const by: INodeProperties = choiceField(
	'interactBy',
	'Interact By',
	'prompt',
	'How to describe what to do on the page',
	[
		['Code', 'code', '2 credits a minute'],
		['Prompt', 'prompt', 'A task in plain words, 7 credits a minute'],
	],
	{ send: false },
);

const prompt: INodeProperties = textField('prompt', 'Prompt', 'The task, at most 10,000 characters', {
	typeOptions: { rows: 4, maxLength: 10_000, isNeeded: true },
	displayOptions: { show: { interactBy: ['prompt'] } },
	placeholder: 'e.g. Open the second page of the results and read the prices',
});

const whenCode = { show: { interactBy: ['code'] } };

function interactionItems({ body, values }: CallAnswer): ItemDraft[] | undefined {
	const output = codeOutput(body);
	const { sessionId, liveViewUrl, interactiveLiveViewUrl, cdpUrl } = body;
	const links = { sessionId, liveViewUrl, interactiveLiveViewUrl, cdpUrl };
	const known = Object.entries(links).filter(([, value]) => typeof value === 'string');
	const { sessionId: session, ...others } = Object.fromEntries(known) as Record<string, string>;
	return (
		output && [
			{
				json: {
					scrapeId: String(values.scrapeId),
					...(session !== undefined && { sessionId: session }),
					...output,
					...others,
				},
			},
		]
	);
}

const interact: CallOperation = {
	kind: 'call',
	value: 'interact',
	name: 'Interact',
	action: 'Click and type on scraped page',
	description:
		'Do something on a page that was scraped, by prompt or code. The page stays open for more: Stop Interaction closes it.',
	request: { method: 'POST', path: '/v2/scrape/{scrapeId}/interact', bucket: 'interactExecute' },
	toItems: interactionItems,
	failureIn: (answer) => codeFailure(answer, `on the scrape ${String(answer.values.scrapeId)}`, STILL_OPEN),
	explain: (failure, values) => interactionRefusal(failure, String(values.scrapeId)) ?? unclearRun(failure, STILL_OPEN),
	timeoutMs: codeTimeoutMs,
	worstCase: interactPrice,
	fields: [
		scrapeId,
		by,
		prompt,
		{ ...language, displayOptions: whenCode },
		...codeFields({
			required: false,
			typeOptions: { isNeeded: true },
			displayOptions: whenCode,
		}),
		timeLimit,
		optionList(...costLimits, additionalFields),
	],
};

function stoppedItems({ body, values }: CallAnswer): ItemDraft[] | undefined {
	if (body.success === false) return undefined;
	return [{ json: { stopped: true, scrapeId: String(values.scrapeId), ...endOf(body) } }];
}

/** Also what a scrape is told on which nobody has interacted (recording interact-41). */
function notOpen(failure: ServiceFailure, id: string): Explained | undefined {
	if (failure.httpCode !== 404) return withoutBrowsers(failure);
	return {
		title: 'There is no interaction to stop',
		message: `There is no interaction with the scrape ${id} to stop: none was begun, or the Scrape ID is wrong. Nothing of it costs.`,
	};
}

const stopInteraction: CallOperation = {
	kind: 'call',
	value: 'stopInteraction',
	name: 'Stop Interaction',
	action: 'Stop interaction with scraped page',
	description:
		'Close the page that Interact has open, so that it costs no more. To continue after that, scrape the page again.',
	request: { method: 'DELETE', path: '/v2/scrape/{scrapeId}/interact', bucket: 'interact' },
	toItems: stoppedItems,
	explain: (failure, values) => notOpen(failure, String(values.scrapeId)),
	usage: sessionUsage,
	fields: [scrapeId],
};

export const browser: Resource = {
	value: 'browser',
	name: 'Browser',
	description: 'Log in, click and read where scraping is not enough: code or a prompt in a browser',
	operations: [runInNewSession, createSession, runCode, interact, getMany, getReplay, closeSession, stopInteraction],
	defaultOperation: 'runInNewSession',
};
