import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { sessionPrice } from '../../../cost/prices';
import { additionalFields, costLimits, optionList } from '../../../fields/basic';
import { choiceField, numberField } from '../../../fields/field';
import type {
	CallAnswer,
	CallOperation,
	Explained,
	ItemDraft,
	SessionOperation,
	SessionStep,
	SessionStory,
} from '../../../operation/operation';
import { isJsonObject } from '../../../service/http/answer';
import { MAX_NESTING, isNestedDeeper } from '../../../service/http/answerBody';
import { shorten } from '../../../service/http/failure';
import type { JsonObject } from '../../../service/http/transport';
import { count } from '../../../text/amounts';
import { trimEnd } from '../../../text/ends';
import {
	closedUsage,
	endOf,
	idleSecondsOf,
	manySessionsOptions,
	sessionId,
	sessionOptions,
	sessionRefusal,
	storedLife,
	unclearRun,
	withoutBrowsers,
} from './session';

/**
 * In what the code is written. Always sent: what a server takes without it differs
 * (docs/reference/service-notes.md#where-servers-differ).
 */
export const language: INodeProperties = choiceField(
	'language',
	'Language',
	'node',
	'What the code is written in',
	[
		['Bash', 'bash', 'Commands of agent-browser, such as snapshot'],
		['JavaScript', 'node', 'Playwright; the page is in `page`'],
		['Python', 'python', 'Playwright; the page is in `page`'],
	],
	{ required: true },
);

const MAX_CHARACTERS = 100_000;

/**
 * The code: JavaScript in n8n's editor for it, the other languages as plain text. n8n shows both fields of a
 * pair that waits for different values when Language is an expression; the second hides instead.
 */
export function codeFields(changes: Partial<INodeProperties> = {}): INodeProperties[] {
	const field: INodeProperties = {
		displayName: 'Code',
		name: 'code',
		type: 'string',
		default: '',
		required: true,
		description: 'Code to run, at most 100,000 characters. What it prints is returned.',
		routing: { send: { type: 'body', property: 'code' } },
		...changes,
	};
	const { show } = field.displayOptions ?? {};
	const typeOptions = { rows: 6, maxLength: MAX_CHARACTERS, ...field.typeOptions };
	return [
		{
			...field,
			typeOptions: { ...typeOptions, editor: 'jsEditor' },
			// The editor shows no placeholder.
			hint: "e.g. await page.goto('https://example.com'); console.log(await page.title())",
			displayOptions: { show: { ...show, language: ['node'] } },
		},
		{
			...field,
			typeOptions,
			placeholder: 'e.g. agent-browser snapshot',
			displayOptions: { ...(show && { show }), hide: { language: ['node'] } },
		},
	];
}

/** Seconds that code gets when the user set none. */
const USUAL_TIME_LIMIT_SECONDS = 30;

export const timeLimit: INodeProperties = numberField(
	'timeout',
	'Time Limit (Seconds)',
	USUAL_TIME_LIMIT_SECONDS,
	'How long it may run, 1 to 300 seconds',
	{ min: 1, max: 300, required: true },
);

/** A server need not keep to the limit itself (recording browser-20), and needs time to answer. */
const ANSWER_MARGIN_MS = 30_000;

/** How long to wait for the answer of code with this time limit, in milliseconds. */
export function codeTimeoutMs({ timeout }: JsonObject): number {
	const seconds = typeof timeout === 'number' ? timeout : USUAL_TIME_LIMIT_SECONDS;
	return seconds * 1000 + ANSWER_MARGIN_MS;
}

const OUTPUTS = ['output', 'result', 'stdout', 'stderr', 'exitCode', 'truncated'];

/**
 * The output of code that ran well (shape browserExecution); undefined for an answer that is none of code. What it
 * printed or returned as JSON, a list or an object, is also there as `data`. `stdout` is left out where it says the
 * same as `result`, as the service does for code that only prints.
 */
export function codeOutput(body: JsonObject): IDataObject | undefined {
	const known = OUTPUTS.filter((name) => body[name] !== undefined && body[name] !== null);
	if (known.length === 0) return undefined;
	const data = parsed(body.result) ?? parsed(body.stdout);
	const told = known.filter((name) => name !== 'stdout' || body.stdout !== body.result);
	const output = Object.fromEntries(told.map((name) => [name, body[name]]));
	return { ...(data && { data }), ...output } as IDataObject;
}

/** A list or an object, or undefined: a text that happens to be a number is not meant as JSON. */
function parsed(text: unknown): object | undefined {
	if (typeof text !== 'string' || !/^\s*[[{]/.test(text)) return undefined;
	try {
		const value: unknown = JSON.parse(text);
		const isStorable = typeof value === 'object' && !isNestedDeeper(value, MAX_NESTING);
		return isStorable && value !== null ? value : undefined;
	} catch {
		return undefined;
	}
}

const MAX_CODE_CHARACTERS = 300;

/**
 * The reason why code is no success although the service answers with HTTP 200: it failed, or it was ended when its
 * time was over (recordings browser-14, browser-15, interact-06, interact-11). `where` names the session, `next` says
 * what to do then.
 */
export function codeFailure(
	{ body, sent }: Pick<CallAnswer, 'body' | 'sent'>,
	where: string,
	next: string,
): Explained | undefined {
	const { success, stdout, stderr, result, exitCode, killed, error } = body;
	const isKilled = killed === true;
	const isFailed = isKilled || success === false || isText(error) || (isNumber(exitCode) && exitCode !== 0);
	if (!isFailed) return undefined;
	const what = isText(sent.prompt) ? 'The task' : 'The code';
	const said = [error, stderr].find(isText) ?? 'the service gives no reason';
	const why = trimEnd(shorten(String(said), MAX_CODE_CHARACTERS), /[.\s]/);
	const title = isKilled ? `${what} ran into its time limit` : `${what} failed`;
	const after = isNumber(sent.timeout) ? ` after ${count(sent.timeout, 'second')}` : '';
	const exit = isNumber(exitCode) ? `exit code ${exitCode}, ` : '';
	return {
		title,
		message: isKilled
			? `${title}: it was ended${after}, ${where} (${why}). What it had done until then stays done. Raise Time Limit, or do less at once. ${next}`
			: `${title}: ${why} (${exit}${where}). ${next}`,
		details: { stdout, stderr, result, exitCode, killed: isKilled } as IDataObject,
	};
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

function isNumber(value: unknown): value is number {
	return typeof value === 'number';
}

const STILL_OPEN = 'The session is still open, and costs until Close Session or its Idle Limit.';

function codeItems({ body, values }: CallAnswer): ItemDraft[] | undefined {
	const output = codeOutput(body);
	return output && [{ json: { sessionId: String(values.sessionId), ...output } }];
}

export const runCode: CallOperation = {
	kind: 'call',
	value: 'runCode',
	name: 'Run Code',
	action: 'Run code in browser session',
	description: 'Run JavaScript, Python or Bash in an open session',
	request: {
		method: 'POST',
		path: '/v2/interact/{sessionId}/execute',
		bucket: 'interactExecute',
	},
	toItems: codeItems,
	failureIn: (answer) => codeFailure(answer, `in session ${String(answer.values.sessionId)}`, STILL_OPEN),
	explain: (failure, values) => sessionRefusal(failure, String(values.sessionId)) ?? unclearRun(failure, STILL_OPEN),
	timeoutMs: codeTimeoutMs,
	fields: [sessionId, language, ...codeFields(), timeLimit, optionList(additionalFields)],
};

/** A field of a step is no part of the request that opens the session. */
function withoutRouting(field: INodeProperties): INodeProperties {
	const ofStep = { ...field };
	delete ofStep.routing;
	return ofStep;
}

const steps: INodeProperties = {
	displayName: 'Steps',
	name: 'steps',
	type: 'fixedCollection',
	typeOptions: {
		multipleValues: true,
		sortable: true,
		isNeeded: true,
		maxItems: 50,
		shorthand: 'code',
	},
	placeholder: 'Add step',
	default: { step: [{ language: 'node', code: '', timeout: 30 }] },
	description:
		'What to run, one step after the other in the same browser, at most 50. If one fails, the rest do not run.',
	options: [
		{
			displayName: 'Step',
			name: 'step',
			values: [language, ...codeFields(), timeLimit].map(withoutRouting),
		},
	],
};

function stepsOf({ steps: given }: JsonObject): SessionStep[] {
	if (!Array.isArray(given)) return [];
	return given.filter(isJsonObject).map((step) => {
		const { language: writtenIn, code: text, timeout } = step;
		const body = { code: text, language: writtenIn, timeout };
		return { body, timeoutMs: codeTimeoutMs(body) };
	});
}

/** The output of the last step, and where there are several, of each. */
function toItem({ id, answers, closed = {}, steps: sent }: SessionStory): ItemDraft | undefined {
	const outputs = answers.map((answer) => codeOutput(answer));
	const last = outputs.at(-1);
	if (!last) return undefined;
	const each = outputs.map((output, index): IDataObject => {
		return { language: String(sent[index]?.body.language), ...output };
	});
	return {
		json: {
			sessionId: id,
			...last,
			...(each.length > 1 && { steps: each }),
			...endOf(closed),
		},
	};
}

const MAY_HAVE_ENDED =
	'A session ends when its Lifetime or its Idle Limit is over, also while rate limits hold a step back.';

export const runInNewSession: SessionOperation = {
	kind: 'session',
	value: 'runInNewSession',
	name: 'Run in a New Session',
	action: 'Run code in new browser',
	description: 'Open a browser, run one or more steps of code in it, and always close it',
	request: { method: 'POST', path: '/v2/interact', bucket: 'interact' },
	steps: {
		of: stepsOf,
		request: {
			method: 'POST',
			path: '/v2/interact/{sessionId}/execute',
			bucket: 'interactExecute',
		},
		failureIn: (answer, { body }, id) => codeFailure({ body: answer, sent: body }, `in session ${id}`, ''),
		explain: (failure, id) => {
			const refused = sessionRefusal(failure, id) ?? unclearRun(failure, '');
			if (refused === undefined || failure.httpCode !== 410) return refused;
			return { ...refused, message: `The session ${id} has ended. ${MAY_HAVE_ENDED}` };
		},
		toOutput: codeOutput,
	},
	toItem,
	explain: withoutBrowsers,
	idleSeconds: idleSecondsOf,
	usage: closedUsage,
	worstCase: sessionPrice,
	fields: [
		steps,
		...storedLife,
		optionList(...sessionOptions, ...manySessionsOptions, ...costLimits, additionalFields),
	],
};
