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

/** How often the schedule is read, in milliseconds. */
const TICK_MS = 500;
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
	time: Pick<Time, 'now' | 'random'> & { sleep(ms: number): Promise<void> };
	/** Calls the execution, which checks its jobs; throws where nothing answers as n8n does. */
	check(target: CheckTarget): Promise<CheckAnswer>;
	/** Told once for each execution, when n8n does not answer there. */
	onSilence(target: CheckTarget): void;
}

interface Entry {
	target: CheckTarget;
	/** Checks since the suspension or the latest call, and when the next one is due. */
	made: number;
	dueMs: number;
	/** n8n has stored the execution, as far as is known. */
	isStored: boolean;
	isUnderWay: boolean;
	/** Calls in a row that n8n has not answered. */
	silences: number;
	isTold: boolean;
}

/**
 * When this process checks the jobs of the executions that it has suspended or whose calls it has received: so
 * a lost call, or one that comes before the status shows the end, costs minutes and not all of Max Wait.
 */
export class CheckSchedule {
	/** By secret. */
	private readonly entries = new Map<string, Entry>();

	/** Checks that were due at the latest tick and have not been started. */
	private due: Entry[] = [];

	private underWay = 0;

	private isTicking = false;

	constructor(private readonly parts: CheckParts) {}

	/** To be called when an execution is suspended. */
	suspended(target: CheckTarget): void {
		this.plan(this.add(target, false), FIRST_AFTER_SUSPENSION);
	}

	/** To be called when the service has called an execution and that did not resume it. */
	called(target: CheckTarget): void {
		const entry = this.entries.get(target.secret) ?? this.add(target, true);
		entry.isStored = true;
		this.plan(entry, 0);
	}

	/** To be called when an execution is resumed: it is checked no more. */
	resumed(secret: string): void {
		this.entries.delete(secret);
	}

	private plan(entry: Entry, made: number): void {
		const { time } = this.parts;
		entry.made = made;
		entry.dueMs = time.now() + pauseMs(made, time.random());
	}

	private add(target: CheckTarget, isStored: boolean): Entry {
		const entry: Entry = {
			target,
			made: 0,
			dueMs: 0,
			isStored,
			isUnderWay: false,
			silences: 0,
			isTold: false,
		};
		this.entries.set(target.secret, entry);
		for (const [oldest] of this.entries) {
			if (this.entries.size <= MAX_EXECUTIONS) break;
			this.entries.delete(oldest);
		}
		if (!this.isTicking) void this.tick();
		return entry;
	}

	/** Runs while there is something to check. Never throws. */
	private async tick(): Promise<void> {
		this.isTicking = true;
		while (this.entries.size > 0) {
			await this.parts.time.sleep(TICK_MS);
			this.due = this.findDue();
			this.startDue();
		}
		this.isTicking = false;
	}

	/** The executions whose check is due, the longest due first. Forgets those whose Max Wait has passed. */
	private findDue(): Entry[] {
		const nowMs = this.parts.time.now();
		const due: Entry[] = [];
		for (const [secret, entry] of this.entries) {
			if (entry.isUnderWay) continue;
			const { untilMs } = entry.target;
			if (Math.max(nowMs, entry.dueMs) >= untilMs) this.entries.delete(secret);
			else if (entry.dueMs <= nowMs) due.push(entry);
		}
		return due.sort((one, other) => one.dueMs - other.dueMs);
	}

	/** Starts as many of the checks that are due as there is room for. */
	private startDue(): void {
		while (this.underWay < MAX_AT_ONCE) {
			const entry = this.due.shift();
			if (!entry) return;
			if (!entry.isUnderWay && this.isKept(entry)) void this.check(entry);
		}
	}

	private isKept(entry: Entry): boolean {
		return this.entries.get(entry.target.secret) === entry;
	}

	private async check(entry: Entry): Promise<void> {
		const { parts } = this;
		const { target } = entry;
		entry.isUnderWay = true;
		this.underWay += 1;
		const answer = await parts.check(target).catch(() => undefined);
		const verdict = answer ? verdictOf(answer, entry.isStored) : 'stranger';
		entry.isUnderWay = false;
		this.underWay -= 1;
		if (this.isKept(entry)) {
			if (verdict === 'over') this.entries.delete(target.secret);
			if (verdict === 'running' || verdict === 'unread') entry.isStored = true;
			this.plan(entry, entry.made + 1);
			entry.silences = verdict === 'stranger' ? entry.silences + 1 : 0;
			if (entry.silences >= SILENCE && !entry.isTold) {
				entry.isTold = true;
				parts.onSilence(target);
			}
		}
		this.startDue();
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
