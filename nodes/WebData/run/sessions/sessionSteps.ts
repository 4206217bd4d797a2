import { executionStopped, ServiceFailure } from '../../../service/http/failure';
import type { JsonObject } from '../../../service/http/transport';
import { runCalls } from '../../../service/limits/runCalls';
import { SESSION_ABSENCE_MS } from '../../../service/sessions/closeSession';
import type { SessionOperation, SessionStep } from '../../operation/operation';
import { requestOf } from '../input/requestOf';
import type { ItemFailure } from '../output/itemError';
import type { SessionRun } from './sessionRun';
import { atStep } from './sessionTexts';

/** Between two tries of a step in a session that the service denies, in milliseconds. */
const BETWEEN_DENIALS_MS = 1000;

/**
 * Does one step after the other in an open session. Adds the answers as they come. Undefined when all went
 * well. Throws no ServiceFailure.
 */
export async function doSteps(
	id: string,
	steps: SessionStep[],
	answers: JsonObject[],
	run: SessionRun,
): Promise<Omit<ItemFailure, 'item'> | 'left' | undefined> {
	const { operation, abandoned } = run;
	for (const [index, step] of steps.entries()) {
		const answer = await doStepOnceKnown(id, step, run);
		if (abandoned.aborted) return 'left';
		const failed = failureOf(answer, step, id, operation);
		if (failed) {
			const done = answers.map((one) => operation.steps?.toOutput(one) ?? {});
			const { details } = failed;
			return {
				...failed,
				...atStep(index, steps.length, { title: failed.title ?? '', message: failed.message }),
				details: {
					sessionId: id,
					...(steps.length > 1 && { step: index + 1, stepsBefore: done }),
					...details,
				},
			};
		}
		if (!(answer instanceof ServiceFailure)) answers.push(answer);
	}
	return undefined;
}

function failureOf(
	answer: JsonObject | ServiceFailure,
	step: SessionStep,
	id: string,
	{ steps }: SessionOperation,
): Omit<ItemFailure, 'item'> | undefined {
	if (answer instanceof ServiceFailure) {
		const { kind, httpCode, message } = answer;
		const explained = steps?.explain(answer, id) ?? { title: 'The step has no result', message };
		return { kind, httpCode, ...explained };
	}
	const failed = steps?.failureIn(answer, step, id);
	if (failed) return { kind: 'job', ...failed };
	if (steps?.toOutput(answer)) return undefined;
	return {
		kind: 'notJson',
		title: 'The service answered without a result',
		message: `The service answered without a result of the code, in session ${id}.`,
	};
}

/**
 * The same again while the service denies the session: it was opened, nothing has run in what is not known, and
 * machines that do not know it yet answer 404 for seconds.
 */
async function doStepOnceKnown(
	id: string,
	step: SessionStep,
	run: SessionRun,
): Promise<JsonObject | ServiceFailure> {
	const { client, abandoned } = run;
	let answer = await doStep(id, step, run);
	const untilMs = client.time.now() + SESSION_ABSENCE_MS;
	while (answer instanceof ServiceFailure && answer.notFound) {
		if (abandoned.aborted || client.time.now() >= untilMs) break;
		await client.pause(BETWEEN_DENIALS_MS);
		answer = await doStep(id, step, run);
	}
	return answer;
}

/** One request, when it is its turn among all of the credential. Ends when nothing more is wanted. */
async function doStep(
	id: string,
	step: SessionStep,
	{ client, operation, abandoned }: SessionRun,
): Promise<JsonObject | ServiceFailure> {
	const { request: line = operation.request } = operation.steps ?? {};
	const request = requestOf(line, {
		values: { sessionId: id },
		body: step.body,
		query: {},
		replaced: [],
	});
	let result: JsonObject | ServiceFailure = executionStopped('maybe');
	let crash: { error: unknown } | undefined;
	const sent = runCalls(
		[{ request, timeoutMs: step.timeoutMs }],
		{
			answered: (_index, body) => void (result = body),
			failed: (_index, failure) => {
				result = failure;
				return true;
			},
			isOver: () => abandoned.aborted,
		},
		client,
	).catch((error: unknown) => {
		if (error instanceof ServiceFailure) result = error;
		else crash = { error };
	});
	let giveUp: () => void = () => undefined;
	const ended = new Promise<void>((resolve) => {
		giveUp = resolve;
	});
	abandoned.addEventListener('abort', giveUp, { once: true });
	if (!abandoned.aborted) await Promise.race([sent, ended]);
	abandoned.removeEventListener('abort', giveUp);
	if (crash) throw crash.error;
	return result;
}
