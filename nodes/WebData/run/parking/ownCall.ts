import type { IExecuteFunctions } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import { ALL_ENDED, NOT_WAITING, PATIENT_HEADER, RECEIVED } from './answers';

/** Pauses before the calls. n8n has stored an execution within the first most often, under load within seconds. */
const PAUSES_MS = [2000, 4000, 8000, 16_000, 30_000, 60_000];
/** So many calls in a row that nobody answers are more than a connection that broke. */
const SILENCE = 2;
/** A look at a service that is in trouble takes half a minute. */
const TIMEOUT_MS = 60_000;

/** Where the service is to call a parked execution, and what it proves itself with. */
export interface Bell {
	url: string;
	headers: Record<string, string>;
}

/** What came of one call. */
interface Answer {
	status: number;
	/** What n8n says of it. */
	message: string;
}

/** What the calls need of the world. */
export interface OwnCallParts {
	/** Makes one call; throws where nothing answers as n8n does. */
	call(isLast: boolean): Promise<Answer>;
	sleep(ms: number): Promise<void>;
	/** Told once, when it does not. */
	onSilence(): void;
}

/**
 * Makes the call that the service may have made too early. One that comes between the node's last look and
 * n8n's storing of the parked execution is refused with 409, and a self-hosted service makes no other. n8n
 * refuses this one, too, until it has stored the execution, so it is made again until it is answered in
 * another way. Never throws: nobody waits for it.
 */
export async function callUntilStored(parts: OwnCallParts): Promise<void> {
	let silences = 0;
	let isTold = false;
	for (const [index, ms] of PAUSES_MS.entries()) {
		await parts.sleep(ms);
		const isLast = index === PAUSES_MS.length - 1;
		const answer = await parts.call(isLast).catch(() => undefined);
		if (answer && isHeard(answer)) return;
		silences = answer && isTooEarly(answer) ? 0 : silences + 1;
		if (silences < SILENCE || isTold) continue;
		isTold = true;
		parts.onSilence();
	}
}

/** True when the jobs were looked at, and when the execution waits no more. */
function isHeard({ status, message }: Answer): boolean {
	if (status === 200) return message === RECEIVED || message === ALL_ENDED;
	// One that is over is refused as one that is not stored is (waiting-webhooks.js, n8n 1.123 and 2.40).
	return status === 409 && (message.includes('finished') || message === NOT_WAITING);
}

/** True while n8n has not stored the execution, and when its jobs could not be looked at. */
function isTooEarly({ status }: Answer): boolean {
	return status >= 500 || status === 429 || status === 409;
}

/**
 * n8n's answers and those of wakeUp.ts are JSON with a message. Throws for what has none: from a worker, which
 * has a web server for its health alone, or from what stands before n8n.
 */
function readAnswer(answer: unknown): Answer {
	const { statusCode, body } = isJsonObject(answer) ? answer : {};
	const message = isJsonObject(body) ? body.message : undefined;
	if (typeof message !== 'string') throw new Error('This is not n8n.');
	return { status: Number(statusCode), message };
}

/** Keeps no process from ending, unlike n8n's. */
async function sleepUnnoticed(ms: number): Promise<void> {
	const signal = AbortSignal.timeout(ms);
	await new Promise<void>((resolve) => {
		signal.addEventListener('abort', () => resolve(), { once: true });
	});
}

/** Calls an execution that is being parked, in a while and without keeping its worker. */
export function callSoon(ctx: IExecuteFunctions, { url, headers }: Bell): void {
	const where = `Execution ${ctx.getExecutionId()}, node "${ctx.getNode().name}"`;
	void callUntilStored({
		sleep: sleepUnnoticed,
		async call(isLast) {
			const answer: unknown = await ctx.helpers.httpRequest({
				method: 'POST',
				url,
				headers: isLast ? headers : { ...headers, [PATIENT_HEADER]: 'yes' },
				body: {},
				json: true,
				timeout: TIMEOUT_MS,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
			});
			return readAnswer(answer);
		},
		onSilence() {
			ctx.logger.warn(
				`${where}: n8n's main process does not answer at ${new URL(url).origin}, where the service is to call it. If the service does not reach it there either, the execution waits until Max Wait: set WEBHOOK_URL, for workers too, to the main process's address.`,
			);
		},
	});
}
