import { isJsonObject } from '../../service/http/answer';
import { POLICIES, nextAttempt, noTries } from '../../service/http/retry';
import { SECRET_HEADER } from '../../service/webhooks';
import { unnoticedClock } from '../connection/processClock';
import type { RunContext } from '../connection/runContext';
import type { StoredCall } from './suspendedRecord';

/** The answer to a call of a suspended execution, in the `message` of JSON. */
export const RECEIVED = 'Received.';
export const ALL_ENDED = 'All jobs have ended.';
export const NOT_WAITING = 'This execution does not wait for a job.';
export const NOT_CHECKED = 'The jobs could not be checked.';
export const WRONG_SECRET = `The header ${SECRET_HEADER} is missing or wrong.`;

/**
 * Sent with the node's own calls: where the jobs cannot be read, the execution is not resumed for that, since
 * the node calls again.
 */
export const OWN_CALL_HEADER = 'x-web-data-patient';

/** So many calls in a row that nobody answers are more than a connection that broke. */
const SILENCE = 2;
/** Executions that one process checks; the one that was added first goes first, and waits for its call alone. */
const MAX_EXECUTIONS = 10_000;
/** A status check of a service that is in trouble takes half a minute. */
const TIMEOUT_MS = 60_000;

/** The part of n8n's context that the calls need: an execution has it, and so has what receives the service's calls. */
type CallContext = Pick<RunContext, 'getExecutionId' | 'getNode' | 'logger'> & {
	helpers: Pick<RunContext['helpers'], 'httpRequest'>;
};

/**
 * The helpers of n8n by which calls are made and logged. Only the latest is kept, for the calls of all: each holds the
 * data of its execution, which would stay in memory until Max Wait.
 */
let latest: { request: CallContext['helpers']['httpRequest']; logger: CallContext['logger'] };

/** The controllers that end the checks of each execution that this process checks, by the secret of its suspension. */
const watched = new Map<string, AbortController>();

/**
 * Checks the jobs of an execution that is being suspended: soon, since the service's call may come before n8n
 * has stored the execution (most often it has after 2 s), and now and then until Max Wait, since the call may get
 * lost. Keeps no worker.
 */
export function checkSuspended(ctx: CallContext, call: StoredCall, secret: string): void {
	begin(ctx, call, secret, { pauses: 1, isStored: false });
}

/** Checks an execution again that the service has called: its job's status may show the end later than the call. */
export function checkAgain(ctx: CallContext, call: StoredCall, secret: string): void {
	begin(ctx, call, secret, { pauses: 0, isStored: true });
}

/** Ends the checks of an execution that is resumed. */
export function checkNoMore(secret: string): void {
	watched.get(secret)?.abort();
	watched.delete(secret);
}

/** The progress of the checks of an execution. */
interface Progress {
	/** Pauses since the suspension or the latest call. */
	pauses: number;
	/** n8n has stored the execution, as far as is known. */
	isStored: boolean;
}

/** Takes the place of checks that are under way. */
function begin(ctx: CallContext, { url, untilMs }: StoredCall, secret: string, progress: Progress): void {
	latest = { request: ctx.helpers.httpRequest, logger: ctx.logger };
	checkNoMore(secret);
	const stop = new AbortController();
	watched.set(secret, stop);
	for (const oldest of watched.keys()) {
		if (watched.size <= MAX_EXECUTIONS) break;
		checkNoMore(oldest);
	}
	const where = `Execution ${ctx.getExecutionId()}, node "${ctx.getNode().name}"`;
	const endMs = unnoticedClock.now() + untilMs - unnoticedClock.wallClock();
	void watch({ secret, url, where, endMs }, progress, stop.signal);
}

/** A suspended execution, and what calling it takes. */
interface Target {
	secret: string;
	url: string;
	/** Names the execution and the node in a log. */
	where: string;
	/** Monotonic time at which Max Wait has passed. */
	endMs: number;
}

/** A job that runs on is checked as what was unanswered is asked again. */
const NOT_ENDED = { kind: 'timeout', mayHaveExecuted: true } as const;

/** Checks an execution after each pause, until its wait is over. Never throws. */
async function watch(target: Target, { pauses, isStored }: Progress, stop: AbortSignal): Promise<void> {
	const { now, random, sleep } = unnoticedClock;
	let silences = 0;
	for (let made = pauses; ; made += 1) {
		const tries = { ...noTries(now()), failures: made + 1 };
		const moment = { ms: now(), random: random(), deadlineMs: target.endMs };
		const next = nextAttempt(NOT_ENDED, tries, POLICIES.suspended, moment);
		if (typeof next === 'string') break;
		await sleep(next.atMs - now(), stop);
		if (stop.aborted) return;
		const verdict = await check(target, isStored);
		if (stop.aborted) return;
		if (verdict === 'over') break;
		isStored ||= verdict === 'running' || verdict === 'unread';
		silences = verdict === 'stranger' ? silences + 1 : 0;
		if (silences === SILENCE) tellOfSilence(target);
	}
	checkNoMore(target.secret);
}

async function check({ secret, url }: Target, isStored: boolean): Promise<CheckVerdict> {
	try {
		const answer: unknown = await latest.request({
			method: 'POST',
			url,
			headers: { [SECRET_HEADER]: secret, [OWN_CALL_HEADER]: 'yes' },
			body: {},
			json: true,
			timeout: TIMEOUT_MS,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		});
		return verdictOf(answer, isStored);
	} catch {
		return 'stranger';
	}
}

function tellOfSilence({ url, where }: Target): void {
	latest.logger.warn(
		`${where}: n8n's main process does not answer at ${new URL(url).origin}, where the service is to call it. If the service does not reach it there either, the execution waits until Max Wait: set N8N_WEBHOOK_URL (in older versions WEBHOOK_URL), for workers too, to the main process's address.`,
	);
}

/**
 * The meaning of an answer. `running`: a job runs on; `over`: the execution does not wait for these jobs any more;
 * `unread`: n8n has the execution, but its jobs could not be read; `busy`: n8n cannot take the call now, or has not
 * stored the execution yet; `stranger`: what answered is not the n8n that has the execution, but a worker, which has a
 * web server for its health alone, or what stands before n8n.
 */
type CheckVerdict = 'running' | 'over' | 'unread' | 'busy' | 'stranger';

/** Reads an answer. `isStored`: an earlier answer or a call has shown that n8n has stored the execution. */
function verdictOf(answer: unknown, isStored: boolean): CheckVerdict {
	const { statusCode: status, body } = isJsonObject(answer) ? answer : {};
	const message = isJsonObject(body) ? body.message : undefined;
	if (typeof message !== 'string' || typeof status !== 'number') return 'stranger';
	if (status === 200 && message === RECEIVED) return 'running';
	if (status === 503 && message === NOT_CHECKED) return 'unread';
	if (status === 200 && message === ALL_ENDED) return 'over';
	// Another suspension of the same node has another secret, as in the next round of a loop.
	if (status === 401 && message === WRONG_SECRET) return 'over';
	if (status === 409) return isOver(message, isStored) ? 'over' : 'busy';
	// The execution was deleted, or another of its nodes waits now. Before it was stored, this is another n8n.
	if (status === 404 && isStored && message.includes('execution "')) return 'over';
	return status >= 500 || status === 429 ? 'busy' : 'stranger';
}

/**
 * n8n refuses an execution that has ended or was stopped in the same way as one that it has not stored
 * (waiting-webhooks.js, n8n 1.123 and 2.40).
 */
function isOver(message: string, isStored: boolean): boolean {
	if (message === NOT_WAITING || message.includes('finished')) return true;
	return isStored && message.includes('running');
}
