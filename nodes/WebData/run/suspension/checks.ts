import { isJsonObject } from '../../../service/http/answer';
import type { Time } from '../../../service/http/time';
import { SECRET_HEADER } from '../../../service/webhooks';
import { unnoticedClock } from '../connection/processClock';
import type { RunContext } from '../connection/runContext';
import type { StoredCall } from './suspendedRecord';

/** What a call of a suspended execution is answered with, in the `message` of JSON. */
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

/** The first pause after a call whose jobs still run: their status may show the end later than the call. */
const FIRST_PAUSE_MS = 1000;
/** Each pause is twice as long as the one before, up to this. */
const MAX_PAUSE_MS = 300_000;
/** A suspended execution is checked after the pause of this number first: n8n has stored it by then most often. */
const FIRST_AFTER_SUSPENSION = 1;
/** A pause is shorter by up to this share, so that executions suspended together are not checked together. */
const SPREAD = 0.1;

/** The pause before a check, of which so many were made since the call, in milliseconds. `random` is in [0, 1). */
function pauseMs(made: number, random: number): number {
	return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** made) * (1 - SPREAD * random);
}

/** Checks at the same moment: each of them makes n8n read an execution from its database. */
const MAX_AT_ONCE = 5;
/** So many calls in a row that nobody answers are more than a connection that broke. */
const SILENCE = 2;
/** Executions that one process checks; the one that was added first goes first, and waits for its call alone. */
const MAX_EXECUTIONS = 10_000;

/** A suspended execution, and what calling it takes. */
export interface CheckTarget {
	/** The secret of this suspension: each has one of its own. */
	secret: string;
	url: string;
	/** Names the execution and the node in a log. */
	where: string;
	/** Monotonic time at which Max Wait has passed. */
	untilMs: number;
}

/** What the schedule needs of the world. */
interface CheckParts {
	time: Pick<Time, 'now' | 'random' | 'sleep'>;
	/** Calls the execution, which checks its jobs; throws where nothing answers as n8n does. */
	check(target: CheckTarget): Promise<CheckAnswer>;
	/** Told once for each execution, when n8n does not answer there. */
	onSilence(target: CheckTarget): void;
}

interface Entry {
	readonly target: CheckTarget;
	/** Pauses since the suspension or the latest call. */
	pauses: number;
	/** n8n has stored the execution, as far as is known. */
	isStored: boolean;
	/** Aborted to end the pause: it begins again, or nothing is left to check. */
	wake: AbortController;
}

/**
 * When this process checks the jobs of the executions that it has suspended or whose calls it has received: so
 * a lost call, or one that comes before the status shows the end, costs minutes and not all of Max Wait.
 */
export class CheckSchedule {
	/** By secret. */
	private readonly entries = new Map<string, Entry>();

	private underWay = 0;

	/** Checks that are due and have to wait for one that is under way. */
	private readonly due: Array<() => void> = [];

	constructor(private readonly parts: CheckParts) {}

	/** To be called when an execution is suspended. */
	suspended(target: CheckTarget): void {
		this.add(target, FIRST_AFTER_SUSPENSION, false);
	}

	/** To be called when the service has called an execution and that did not resume it. */
	called(target: CheckTarget): void {
		const entry = this.entries.get(target.secret);
		if (!entry) return this.add(target, 0, true);
		Object.assign(entry, { pauses: 0, isStored: true });
		entry.wake.abort();
	}

	/** To be called when an execution is resumed: it is checked no more. */
	resumed(secret: string): void {
		this.entries.get(secret)?.wake.abort();
		this.entries.delete(secret);
	}

	private add(target: CheckTarget, pauses: number, isStored: boolean): void {
		const entry: Entry = { target, pauses, isStored, wake: new AbortController() };
		this.entries.set(target.secret, entry);
		for (const [oldest] of this.entries) {
			if (this.entries.size <= MAX_EXECUTIONS) break;
			this.resumed(oldest);
		}
		void this.watch(entry);
	}

	private isKept({ target: { secret } }: Entry): boolean {
		return this.entries.has(secret);
	}

	/** Checks an execution after each pause, until its wait is over. Never throws. */
	private async watch(entry: Entry): Promise<void> {
		const { time, onSilence } = this.parts;
		const { target } = entry;
		let silences = 0;
		while (this.isKept(entry)) {
			entry.wake = new AbortController();
			const ms = pauseMs(entry.pauses, time.random());
			entry.pauses += 1;
			await time.sleep(Math.min(ms, target.untilMs - time.now()), entry.wake.signal);
			if (entry.wake.signal.aborted) continue;
			if (time.now() >= target.untilMs) break;
			const answer = await this.check(entry);
			const verdict = answer ? verdictOf(answer, entry.isStored) : 'stranger';
			if (verdict === 'over') break;
			if (verdict === 'running' || verdict === 'unread') entry.isStored = true;
			silences = verdict === 'stranger' ? silences + 1 : 0;
			if (silences === SILENCE && this.isKept(entry)) onSilence(target);
		}
		this.resumed(target.secret);
	}

	/** Takes its turn; undefined where nothing answers as n8n does. */
	private async check(entry: Entry): Promise<CheckAnswer | undefined> {
		if (this.underWay < MAX_AT_ONCE) this.underWay += 1;
		else await new Promise<void>((resolve) => this.due.push(resolve));
		try {
			return this.isKept(entry) ? await this.parts.check(entry.target) : undefined;
		} catch {
			return undefined;
		} finally {
			const next = this.due.shift();
			if (next) next();
			else this.underWay -= 1;
		}
	}
}

/** What came of one call of the node's own. */
export interface CheckAnswer {
	status: number;
	/** What n8n or this node says of it. */
	message: string;
}

/**
 * What an answer means. `running`: a job runs on; `over`: the execution does not wait for these jobs any more;
 * `unread`: n8n has the execution, but its jobs could not be read; `busy`: n8n cannot take the call now, or has
 * not stored the execution yet; `stranger`: what answered is not the n8n that has the execution.
 */
type CheckVerdict = 'running' | 'over' | 'unread' | 'busy' | 'stranger';

/** Reads an answer. `isStored`: an earlier answer or a call has shown that n8n has stored the execution. */
function verdictOf({ status, message }: CheckAnswer, isStored: boolean): CheckVerdict {
	if (status === 200 && message === RECEIVED) return 'running';
	if (status === 200 && message === ALL_ENDED) return 'over';
	if (status === 503 && message === NOT_CHECKED) return 'unread';
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

/**
 * n8n's answers and those of resume.ts are JSON with a message. Throws for what has none: from a worker, which
 * has a web server for its health alone, or from what stands before n8n.
 */
function readCheckAnswer(answer: unknown): CheckAnswer {
	const { statusCode, body } = isJsonObject(answer) ? answer : {};
	const message = isJsonObject(body) ? body.message : undefined;
	if (typeof message !== 'string') throw new Error('This is not n8n.');
	return { status: Number(statusCode), message };
}

/** A status check of a service that is in trouble takes half a minute. */
const TIMEOUT_MS = 60_000;

/** What is needed of n8n for the calls: an execution has it, and so has what receives the service's calls. */
type CallContext = Pick<RunContext, 'getExecutionId' | 'getNode' | 'logger'> & {
	helpers: Pick<RunContext['helpers'], 'httpRequest'>;
};

/**
 * What n8n gives to make a call and to log with. Only the latest is kept, for the calls of all: each holds the
 * data of its execution, which would stay in memory until Max Wait.
 */
let latest: { request: CallContext['helpers']['httpRequest']; logger: CallContext['logger'] };

const schedule = new CheckSchedule({
	time: unnoticedClock,
	async check({ url, secret }) {
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
		return readCheckAnswer(answer);
	},
	onSilence({ url, where }) {
		latest.logger.warn(
			`${where}: n8n's main process does not answer at ${new URL(url).origin}, where the service is to call it. If the service does not reach it there either, the execution waits until Max Wait: set WEBHOOK_URL, for workers too, to the main process's address.`,
		);
	},
});

/**
 * Checks the jobs of an execution that is being suspended: soon, since the service's call may come before n8n
 * has stored the execution, and now and then until Max Wait, since the call may get lost. Keeps no worker.
 */
export function checkSuspended(ctx: CallContext, call: StoredCall, secret: string): void {
	schedule.suspended(targetOf(ctx, call, secret));
}

/** Checks the jobs of an execution again that the service has called while a job still ran. */
export function checkAgain(ctx: CallContext, call: StoredCall, secret: string): void {
	schedule.called(targetOf(ctx, call, secret));
}

/** Ends the checks of an execution that is resumed. */
export function checkNoMore(secret: string): void {
	schedule.resumed(secret);
}

function targetOf(ctx: CallContext, { url, untilMs }: StoredCall, secret: string): CheckTarget {
	latest = { request: ctx.helpers.httpRequest, logger: ctx.logger };
	return {
		secret,
		url,
		where: `Execution ${ctx.getExecutionId()}, node "${ctx.getNode().name}"`,
		untilMs: unnoticedClock.now() + untilMs - unnoticedClock.wallClock(),
	};
}
