import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { fromList, pathId } from '../../../fields/basic';
import { groupField, numberField, switchField, textField } from '../../../fields/field';
import type { CallUsage, Explained } from '../../../operation/operation';
import type { ServiceFailure } from '../../../service/http/failure';
import type { JsonObject } from '../../../service/http/transport';

/** The id of the session that an operation is about. */
export const sessionId: INodeProperties = fromList(
	pathId('Session ID', 'sessionId', 'ID of the session, from the output of Create Session or Get Many Sessions'),
	'browserGetMany',
);

/** The id of the scraped page that an operation is about. */
export const scrapeId: INodeProperties = pathId(
	'Scrape ID',
	'scrapeId',
	'ID of the scrape: scrapeId in the output of Scrape or Crawl',
);

/** The time and the credits of a session that has ended, as far as the service tells them. */
export function endOf({ sessionDurationMs, creditsBilled }: JsonObject): IDataObject {
	return {
		...(typeof sessionDurationMs === 'number' && { sessionDurationMs }),
		...(typeof creditsBilled === 'number' && { creditsBilled }),
	};
}

/** The usage that a closed session reports: time, begun seconds count, and credits; none where it had ended before. */
export function closedUsage({ sessionDurationMs, creditsBilled }: JsonObject): {
	seconds: number;
	credits: number | undefined;
} {
	return {
		seconds: typeof sessionDurationMs === 'number' ? Math.ceil(sessionDurationMs / 1000) : 0,
		credits: typeof creditsBilled === 'number' ? creditsBilled : undefined,
	};
}

/** The same, summed up for the hint after calls that end sessions. */
export const sessionUsage: CallUsage = {
	unit: 'browser second',
	mayBeZero: true,
	read: ({ body }) => {
		const { seconds, credits } = closedUsage(body);
		return { amount: seconds, credits };
	},
};

const IDLE_SECONDS = 60;

/** The lifetime of a session; both are always sent, because servers differ in what they do without them. */
const life: INodeProperties[] = [
	numberField(
		'ttl',
		'Lifetime (Seconds)',
		300,
		'How long the session may be open, even when it is in use, 30 to 3600 seconds',
		{ min: 30, max: 3600 },
	),
	numberField(
		'activityTtl',
		'Idle Limit (Seconds)',
		IDLE_SECONDS,
		'How long the session stays open without being used, 10 to 3600 seconds',
		{ min: 10, max: 3600 },
	),
];

/**
 * The same fields at the place where workflows made with an earlier version have these values: outside the options.
 * n8n keeps a value only where the panel has a field of its name. Nobody sees these; they send what is set there, or
 * else the default, and an option that was added replaces it.
 */
export const storedLife: INodeProperties[] = life.map(
	({ displayName, name, typeOptions, default: byDefault, routing }) => ({
		displayName,
		name,
		type: 'hidden',
		typeOptions,
		default: byDefault,
		required: true,
		routing,
	}),
);

/** Seconds until a session that nobody uses ends by itself. */
export function idleSecondsOf({ activityTtl }: JsonObject): number {
	return typeof activityTtl === 'number' ? activityTtl : IDLE_SECONDS;
}

/** Options of a session, in the order of their use. */
export const sessionOptions: INodeProperties[] = [
	...life,
	groupField(
		'profile',
		'Profile',
		'Add profile option',
		'Cookies and storage to begin with, kept between sessions: log in only once',
		[
			textField('name', 'Name', 'Name of the profile, at most 128 characters. Sessions with the same name share it.', {
				typeOptions: { maxLength: 128, isNeeded: true },
				placeholder: 'e.g. shop-login',
			}),
			switchField(
				'saveChanges',
				'Save Changes',
				true,
				'Whether the profile keeps what this session changes, once it is closed. Only one session at a time can save a profile.',
			),
		],
		{ send: 'profile' },
	),
	switchField('streamWebView', 'Live View', true, 'Whether the session can be watched at its liveViewUrl'),
	switchField(
		'recordSession',
		'Record Session',
		true,
		'Whether Get Replay has the session for 30 days. Without this option: Firecrawl records it, other servers may not.',
	),
];

/** Options of many sessions at once; read by run/sessions/sessionSteps.ts. */
export const manySessionsOptions: INodeProperties[] = [
	numberField(
		'maxSessionsAtOnce',
		'Max Sessions at Once',
		5,
		'How many sessions of this node may be open at once, 1 to 100, or fewer if your plan allows fewer',
		{ min: 1, max: 100, send: false },
	),
	numberField('maxWait', 'Max Wait (Seconds)', 600, 'How long to wait for a free browser, 1 to 86400 seconds', {
		min: 1,
		max: 86_400,
		send: false,
	}),
];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The refusal of a server that has no browsers (recordings plain-05 and plain-12). */
export function withoutBrowsers({ httpCode, message, isMissingOnServer }: ServiceFailure): Explained | undefined {
	if (isMissingOnServer) return undefined;
	if (httpCode !== 501 && httpCode !== 503) return undefined;
	return {
		title: 'This server has no browsers to offer, or none is free',
		message: `This server has no browsers to offer, or none is free at the moment. ${message}`,
	};
}

/** The meaning of a refusal that is about one session. */
export function sessionRefusal(failure: ServiceFailure, id: string): Explained | undefined {
	const { httpCode, message } = failure;
	// To what is no UUID a server says that it failed (recordings browser-36 and browser-54).
	if (httpCode === 404 || (httpCode === 500 && !UUID.test(id))) {
		return {
			title: 'The service does not know this session',
			message: `The service does not know the session ${id}. Create Session and Get Many Sessions put out the right ID.${httpCode === 404 ? '' : ` ${message}`}`,
		};
	}
	if (httpCode === 410) {
		return {
			title: 'The session has ended',
			message: `The session ${id} has ended: it was closed, or its Lifetime or Idle Limit is over. Nothing was run. Create a new session.`,
		};
	}
	return withoutBrowsers(failure);
}

/** The meaning of a refusal that is about the interaction with a scraped page. */
export function interactionRefusal(failure: ServiceFailure, id: string): Explained | undefined {
	const { httpCode, message } = failure;
	if (httpCode === 404) {
		return {
			title: 'The service does not know this scrape',
			message: `The service does not know the scrape ${id}: the Scrape ID is wrong, or its result has expired. Scrape the page again, and use the scrapeId that comes out.`,
		};
	}
	if (httpCode === 410) {
		return {
			title: 'The interaction is over',
			message: `The interaction with the scrape ${id} was stopped or its time is over, and it cannot be taken up again. Scrape the page again, and use the new scrapeId.`,
		};
	}
	if (httpCode === 409) {
		return {
			title: 'The page cannot be shown again',
			message: `The service has not kept what it needs to show the page of the scrape ${id} again. Scrape the page again, and use the new scrapeId. ${message}`,
		};
	}
	return withoutBrowsers(failure);
}

/** All that is known of code whose answer cannot be read: the browser failed, or nothing came. */
export function unclearRun(
	{ httpCode, mayHaveExecuted, message }: ServiceFailure,
	next: string,
): Explained | undefined {
	if (!mayHaveExecuted) return undefined;
	const title = httpCode === 502 ? 'The browser failed' : 'The code may have run';
	return {
		title,
		message: `${message} Whether the code ran, and how far, is not known. ${next}`,
	};
}
