import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { isJsonObject } from './http/answer';
import type { JsonObject } from './http/transport';
import type { DeniedSince } from './results/unreadJobs';

/** One event as the service tells it (docs/service-notes.md#webhooks). */
export interface Delivery {
	/** `crawl.completed` */
	type: string;
	/** Id of the job; of a monitor's event, that of the check. Empty where the call has none. */
	id: string;
	/** The same on each repetition; servers of 2025 have none. */
	webhookId: string | undefined;
	success: boolean;
	/** Always a list: an object alone counts as one. */
	data: JsonObject[];
	metadata: JsonObject;
	error: string | undefined;
}

/** The event in a body; undefined for bytes that are none. Never throws. */
export function readDelivery(rawBody: Buffer): Delivery | undefined {
	const body = parsed(rawBody);
	if (!isJsonObject(body) || typeof body.type !== 'string' || body.type === '') return undefined;
	const { type, id, webhookId, success, data, metadata, error } = body;
	const list: unknown[] = Array.isArray(data) ? data : [data];
	return {
		type,
		id: typeof id === 'string' ? id : '',
		webhookId: typeof webhookId === 'string' && webhookId !== '' ? webhookId : undefined,
		success: success !== false,
		data: list.filter(isJsonObject),
		metadata: isJsonObject(metadata) ? metadata : {},
		error: typeof error === 'string' ? error : undefined,
	};
}

function parsed(rawBody: Buffer): unknown {
	try {
		return JSON.parse(rawBody.toString('utf8'));
	} catch {
		return undefined;
	}
}

/** Letters of a key: far from any chance of two alike, and short enough to store hundreds of them. */
const KEY_LENGTH = 24;

/**
 * What repetitions of an event have in common: its `webhookId`, else its bytes, which hold its id and type.
 * No timestamp is signed, so this is all that tells a repetition (docs/service-notes.md#webhook-signature).
 */
export function deliveryKey({ webhookId }: Delivery, rawBody: Buffer): string {
	const told = webhookId === undefined ? rawBody : JSON.stringify(webhookId);
	return createHash('sha256').update(told).digest('hex').slice(0, KEY_LENGTH);
}

/** The header that carries the signature, in small letters as Node has it (docs/service-notes.md#webhook-signature). */
export const SIGNATURE_HEADER = 'x-firecrawl-signature';

/** What the service puts into that header: HMAC-SHA256 over the bytes of the body, in hexadecimal. */
export function signatureOf(secret: string, rawBody: Buffer): string {
	return `sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`;
}

/**
 * Whether the value of a header is this text. Takes as long for a value that is wrong in its first letter
 * as for one that is wrong in its last. Anything that is no text is not it; never throws.
 */
export function isSecret(given: unknown, expected: string): boolean {
	if (typeof given !== 'string' || expected === '') return false;
	const [left, right] = [Buffer.from(given), Buffer.from(expected)];
	return left.length === right.length && timingSafeEqual(left, right);
}

/**
 * Whether the header is the signature of these bytes. It must be checked on the bytes as they came: JSON
 * that is written again differs. Never throws.
 */
export function isSigned(secret: string, rawBody: Buffer, header: unknown): boolean {
	return secret !== '' && isSecret(header, signatureOf(secret, rawBody));
}

/** The header with the secret that this package gives to monitors and starts, where nothing is signed. */
export const SECRET_HEADER = 'x-web-data-secret';

/** A call as it came. */
interface ReceivedCall {
	rawBody: Buffer;
	/** Names in small letters. */
	headers: Record<string, unknown>;
}

/** What a call must prove itself with; empty or left out where there is none. */
export interface CallSecrets {
	/** The account's webhook secret, which signs the body. With it, nothing else counts. */
	webhookSecret?: string | undefined;
	/** The value of SECRET_HEADER. */
	headerSecret?: string | undefined;
}

/**
 * Why a call is not to be believed, in a sentence for the service's log; undefined for one that is. Without
 * any secret all are, since only the service was told the address. Never throws.
 */
export function signatureProblem(
	{ rawBody, headers }: ReceivedCall,
	{ webhookSecret = '', headerSecret = '' }: CallSecrets,
): string | undefined {
	if (webhookSecret !== '') {
		const given = headers[SIGNATURE_HEADER];
		if (given === undefined) {
			return 'The call is not signed, but the credential has a webhook secret: give the same secret to the service, or empty that field.';
		}
		return isSigned(webhookSecret, rawBody, given)
			? undefined
			: 'The signature does not fit: the webhook secret in the credential is not the one of the service, or the call is forged.';
	}
	if (headerSecret === '' || isSecret(headers[SECRET_HEADER], headerSecret)) return undefined;
	return `The header ${SECRET_HEADER} is missing or wrong.`;
}

/** Events that one receiver remembers: days of most workflows, and 15 KB of what n8n stores with them. */
const MAX_SEEN = 500;
/** Receivers that one process remembers; the one that was called longest ago goes first. */
const MAX_RECEIVERS = 1000;

/**
 * Which events have come already, in bounds. What is stored with a workflow survives a restart, but calls
 * at the same moment overwrite each other's there (docs/n8n-internals.md#static-data-of-a-trigger): this is the
 * set in the process beside it.
 */
export class SeenDeliveries {
	private readonly receivers = new Map<string, Set<string>>();

	constructor(
		private readonly mostSeen = MAX_SEEN,
		private readonly mostReceivers = MAX_RECEIVERS,
	) {}

	/**
	 * Notes an event. True when it is new, also to what was `stored`: the caller alone may act on it then.
	 * `receiver` names who was called.
	 */
	isNew(receiver: string, key: string, stored: unknown): boolean {
		const seen = this.receivers.get(receiver) ?? new Set<string>();
		this.receivers.delete(receiver);
		this.receivers.set(receiver, seen);
		dropOldest(this.receivers, this.mostReceivers);
		if (seen.has(key) || storedKeys(stored).includes(key)) return false;
		seen.add(key);
		dropOldest(seen, this.mostSeen);
		return true;
	}

	/** What is to be stored: what was, and what this process has seen, the newest at the end. */
	toStore(receiver: string, stored: unknown): string[] {
		const all = new Set([...storedKeys(stored), ...(this.receivers.get(receiver) ?? [])]);
		return [...all].slice(-this.mostSeen);
	}

	/** Takes an event back that could not be acted on, so that a repetition is not refused. */
	forget(receiver: string, key: string): void {
		this.receivers.get(receiver)?.delete(key);
	}
}

/** Whatever was stored: other than a list of texts counts as nothing. */
function storedKeys(stored: unknown): string[] {
	return Array.isArray(stored) ? stored.filter((key) => typeof key === 'string') : [];
}

function dropOldest(row: Map<string, unknown> | Set<string>, most: number): void {
	for (const oldest of row.keys()) {
		if (row.size <= most) return;
		row.delete(oldest);
	}
}

/** At most one check a second, so 60 a minute, whoever calls and how often. */
const BETWEEN_CHECKS_MS = 1000;
/** So long after its end no call wakes an execution again: n8n may still list it as waiting. */
const AWAKE_MS = 10_000;
/** Executions that one process remembers; the one that was called longest ago goes first. */
const MAX_EXECUTIONS = 10_000;
/**
 * So long after its latest check an execution is remembered: nobody tells when one was stopped. If it waits all
 * the same, the next call checks all of its jobs.
 */
const REMEMBERED_MS = 24 * 3_600_000;

/**
 * What one call comes to: it wakes the execution, leaves it waiting, or has nothing to do, because another
 * call is at it or has woken it.
 */
export type WakeUpResult = 'wake' | 'wait' | 'alreadyHandled';

/** A clock in milliseconds, and a sleep by it. */
interface WakeUpClock {
	now(): number;
	sleep(ms: number): Promise<void>;
}

interface WaitingExecution {
	isChecking: boolean;
	/** Another call has come since the check began: it may know of what that check could not see. */
	calledAgain: boolean;
	/** True while all calls of this checking can wait for another one where a job cannot be checked. */
	isOwnCall: boolean;
	/** When the latest check began, and when the execution was woken. */
	checkedMs: number;
	wokenMs: number;
	/** Ids of jobs that have ended: they need no further check. */
	ended: Set<string>;
	/** Since when jobs cannot be read, by id. */
	unread: DeniedSince;
}

/**
 * The calls of jobs that have ended, by the execution that waits for them. A call is only a execution: it says that
 * it is worth looking. Calls at the same moment make one check, one that comes during a check makes one more
 * after it, and one of them alone wakes the execution.
 */
export class WakeUpCalls {
	private readonly wakeUpCalls = new Map<string, WaitingExecution>();

	constructor(
		private readonly time: WakeUpClock,
		private readonly most = MAX_EXECUTIONS,
	) {}

	/**
	 * `check` tells whether all jobs have ended; it notes in `ended` those it need not check again, and in `unread`
	 * since when it cannot read others. Throws what it throws: then the next call checks again. A call that is not
	 * patient makes the check that is under way so, too: it may be the last of its kind.
	 */
	async notify(
		name: string,
		check: (ended: Set<string>, isOwnCall: () => boolean, unread: DeniedSince) => Promise<boolean>,
		isOwnCall = false,
	): Promise<WakeUpResult> {
		const { time } = this;
		const execution = this.resumeCallOf(name);
		if (execution.isChecking || time.now() < execution.wokenMs + AWAKE_MS) {
			execution.calledAgain = true;
			execution.isOwnCall &&= isOwnCall;
			return 'alreadyHandled';
		}
		execution.isChecking = true;
		execution.isOwnCall = isOwnCall;
		try {
			do {
				const earlyMs = execution.checkedMs + BETWEEN_CHECKS_MS - time.now();
				if (earlyMs > 0) await time.sleep(earlyMs);
				execution.calledAgain = false;
				execution.checkedMs = time.now();
				if (await check(execution.ended, () => execution.isOwnCall, execution.unread)) {
					execution.wokenMs = time.now();
					execution.ended.clear();
					return 'wake';
				}
			} while (execution.calledAgain);
			return 'wait';
		} finally {
			execution.isChecking = false;
		}
	}

	private resumeCallOf(name: string): WaitingExecution {
		const execution = this.wakeUpCalls.get(name) ?? {
			isChecking: false,
			calledAgain: false,
			isOwnCall: false,
			checkedMs: -Infinity,
			wokenMs: -Infinity,
			ended: new Set<string>(),
			unread: new Map(),
		};
		this.wakeUpCalls.delete(name);
		this.wakeUpCalls.set(name, execution);
		const since = this.time.now() - REMEMBERED_MS;
		for (const [oldest, { isChecking, checkedMs }] of this.wakeUpCalls) {
			if (oldest === name || (this.wakeUpCalls.size <= this.most && checkedMs >= since)) break;
			if (!isChecking) this.wakeUpCalls.delete(oldest);
		}
		return execution;
	}
}
