import { executionStopped, ServiceFailure } from '../../../service/http/failure';
import type { JsonObject } from '../../../service/http/transport';
import { runCalls } from '../../../service/limits/runCalls';
import { SESSION_ABSENCE_MS } from '../../../service/sessions/closeSession';
import type { SessionOperation, SessionStep } from '../../operation/operation';
import { requestOf } from '../input/requestOf';
import type { ItemFailure } from '../output/itemError';
import type { SessionRun } from './sessionRun';
import { atStep } from './sessionTexts';

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
		const answer = await doStep(id, step, run);
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
 * One request, when it is its turn among all of the credential, and again while machines of the service do not
 * know the session yet. Ends when nothing more is wanted.
 */
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
		[{ request, timeoutMs: step.timeoutMs, deniedMs: SESSION_ABSENCE_MS }],
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
