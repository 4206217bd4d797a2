import { count } from '../../text/amounts';
import type { ServiceClient } from '../../service/client';
import { ServiceFailure, executionStopped, failureOrThrow } from '../../service/http/failure';
import { Attempts, POLICIES } from '../../service/http/retry';
import type { RetryPolicy } from '../../service/http/retry';
import type { Time } from '../../service/http/time';
import type { JsonObject, ServiceRequest } from '../../service/http/transport';
import { readJobId } from '../../service/jobs/jobKinds';
import type { KnownBy, LostStart, LostStartFinding } from '../../service/jobs/jobOutcome';
import type { KnownIds, StartUnderWay } from '../../service/limits/knownIds';
import type { Lane, Lease } from '../../service/limits/limits';
import { asProof, decide } from './decide';
import type { Next, Open, Thing } from './decide';

/** Something that may cost, and is to be sent once: the start of a job, a call, the opening of a session. */
export interface Paid {
	/** The request: by that a lost one is found again. */
	request: ServiceRequest;
	/** The same as it is sent, with what only this try adds to it, such as a webhook. Default: as it is. */
	sent?: ServiceRequest;
	/** `starts`: what it starts holds a place of the plan. `calls`: it is over with its answer. */
	laneOf: Lane['of'];
	/** Aborted when it is not wanted any more: what is under way comes to its end. */
	over: AbortSignal;
	/** Since when it waits for its turn, monotonic, and how long while nothing moves, in milliseconds. */
	sinceMs: number;
	standstillMs: number;
	policy: RetryPolicy;
	/** Longest time for one attempt, in milliseconds. */
	timeoutMs?: number;
	/** The effect of Stop on a request under way: `finish`, since its answer has an id that is needed to cancel it. */
	onStop: 'cut' | 'finish';
	reads: Reads;
	journal: Journal;
	/** An earlier try may have sent it: it is looked for first. */
	past?: Earlier | undefined;
	/** Left out: nothing of its kind can be found. */
	lists?: Lists | undefined;
	uncertain: Uncertain;
}

/** What its answers mean. */
interface Reads {
	/** The id that an answer has of what it made or keeps; without one there, the start of a job is lost. */
	idOf?(answer: JsonObject): unknown;
	/** The meaning of a failure. Default: as it is. */
	readFailure?(failure: ServiceFailure): ServiceFailure;
	/** The id of what is at work already and as good, in a refusal. */
	insteadOf?(refusal: ServiceFailure): string | undefined;
	/** Whether a failure leaves open what has become of it. */
	isLost(failure: ServiceFailure): boolean;
}

/** Where it is found again. */
interface Lists {
	/** As others know it while it is on its way, so that nobody takes it for one that was lost. */
	shownAs: { register: KnownIds; start: StartUnderWay };
	/** Looks for a lost one in the service's lists. Never throws. */
	find(loss: Loss): Promise<LostStartFinding>;
	/** The answer that the service keeps by an id; undefined where it cannot be had. Never throws. */
	collect?(id: string): Promise<JsonObject | undefined>;
}

/** What is done where nobody knows what has become of it. */
interface Uncertain extends Thing {
	/** Asked before it is sent again, though it may be paid twice: true where Max Credits has no room for that. */
	refuses?(): boolean;
}

/**
 * An earlier try that has sent it, or may have: after `sinceMs`, and lost by `lostAt` at the latest, both in milliseconds
 * since 1970. `failure`: how it ends where it is neither found nor sent again.
 */
export interface Earlier extends Open {
	sinceMs: number;
	lostAt: number;
	failure: ServiceFailure;
}

/** Told as it happens, so that nothing is forgotten when the execution ends at any moment. */
export interface Journal {
	/** It is sent next; more than once when it is sent again. */
	sending?(): void;
	/** The request has provably begun nothing. `earlier`: one that was sent before it is lost, and may have. */
	refused?(earlier: Loss | undefined): void;
	/** Told before anything else is done with the id. */
	started?(id: string | undefined, answer: JsonObject, how: Started['how']): void;
	/** Its answer is lost. Times are monotonic. */
	lost?(loss: Loss): void;
	/** It is sent once more, though it may be paid twice. */
	repeated?(): void;
}

/** The times when it was sent, and when its answer was given up, monotonic. `isFresh`: by this process. */
export type Loss = Pick<LostStart, 'sentMs' | 'lostMs' | 'isFresh'>;

/** It has an answer, or the lists have shown its id. */
export interface Started {
	how: 'answered' | KnownBy;
	id: string | undefined;
	answer: JsonObject;
	/** How long it has been there, in milliseconds. */
	ageMs: number;
	/** The place that it holds, where an answer has told of it. */
	lease?: Lease;
}

export type Sent =
	| Started
	/** It was refused, or not sent: kind `aborted` and not executed where it was not wanted any more. */
	| { how: 'failed'; failure: ServiceFailure }
	| Unconfirmed;

/** Nobody knows whether it was done. */
interface Unconfirmed {
	how: 'unconfirmed';
	failure: ServiceFailure;
	finding?: LostStartFinding;
}

/**
 * Sends something that may cost, in its turn, and again only where `decide` says so. In this order: one that an earlier
 * try may have sent is looked for; else the journal is told, the request sent, the id noted before anything else. Where
 * the answer is lost, the journal is told that, and it is looked for. A refusal for the plan's limits is not a failure: it
 * keeps its place in the queue. Throws what is no ServiceFailure; it may have arrived then.
 */
export async function sendPaid(thing: Paid, client: ServiceClient): Promise<Sent> {
	const { past } = thing;
	const onItsWay: OnItsWay = { sentMs: 0, isSettled: () => undefined };
	try {
		if (past) {
			const lost = { loss: lossBefore(past, client.time), failure: past.failure, open: past };
			return await findOrSendAgain(thing, onItsWay, lost, client);
		}
		const sent = await sendInTurn(thing, onItsWay, client);
		if (!(sent instanceof ServiceFailure)) return sent;
		const left = leftBy(sent, thing, onItsWay, client, { isSecond: false });
		return 'open' in left ? await findOrSendAgain(thing, onItsWay, left, client) : left;
	} finally {
		onItsWay.isSettled();
	}
}

/** One whose answer was lost. `failure`: how it ends where it is neither found nor sent again. */
interface Lost {
	loss: Loss;
	failure: ServiceFailure;
	open: Open;
}

/** What was sent before, in this try or in an earlier one. `first`: it was lost, and is sent once more. */
interface SentBefore {
	isSecond: boolean;
	first?: Unconfirmed | undefined;
}

/** What the failure of a sending leaves: an end, or one that may have arrived. */
function leftBy(
	failure: ServiceFailure,
	{ reads, journal, over, past }: Paid,
	onItsWay: OnItsWay,
	client: ServiceClient,
	{ isSecond, first }: SentBefore,
): Lost | Sent {
	if (!reads.isLost(failure)) {
		if (!onItsWay.earlier) return { how: 'failed', failure };
		// A refusal says nothing of the one before it.
		if (first) return { ...first, failure: refusedAfter(first.failure, failure) };
	}
	const loss = lossNow(onItsWay, client.time);
	journal.lost?.(loss);
	if (over.aborted) return { how: 'unconfirmed', failure };
	const isOfOther = past?.isOfOther ?? (() => false);
	return { loss, failure, open: { kind: 'open', by: 'thisTry', isTraceable: true, isOfOther, isSecond } };
}

/** Looks for one that was lost, and sends it again as long as `decide` says so. */
async function findOrSendAgain(thing: Paid, onItsWay: OnItsWay, lost: Lost, client: ServiceClient): Promise<Sent> {
	const { journal, lists, over, uncertain } = thing;
	let first: Unconfirmed | undefined;
	for (let { open, failure, loss } = lost; ;) {
		const looking = lookFor(thing, open, loss);
		// From now on it is one of those that are looked for.
		onItsWay.isSettled();
		const looked = await looking;
		const { finding } = looked;
		let { next } = looked;
		if (next.do === 'take') {
			const { id, ageMs, evidence: how } = next.found;
			const answer = lists?.collect ? await lists.collect(id) : { success: true, id };
			if (answer) {
				journal.started?.(id, answer, how);
				return { how, id, answer, ageMs };
			}
			next = decide(uncertain, open, { ...next.found, hasNoAnswer: true });
		}
		const isRepeated = next.do === 'sendAgain' && !over.aborted && uncertain.refuses?.() !== true;
		const unconfirmed = { how: 'unconfirmed', failure, ...(finding && { finding }) } as const;
		if (over.aborted || (next.do !== 'send' && !isRepeated)) return unconfirmed;
		if (isRepeated) {
			journal.repeated?.();
			first = unconfirmed;
			onItsWay.earlier = loss;
		}
		if (!lists) {
			const again = new Attempts(POLICIES.onceMore, client.time).after(failure);
			if (typeof again !== 'string') await client.sleepUntil(again.atMs, over);
		}
		const sent = await sendInTurn(thing, onItsWay, client);
		if (!(sent instanceof ServiceFailure)) return sent;
		const left = leftBy(sent, thing, onItsWay, client, { isSecond: true, first });
		if (!('open' in left)) return left;
		({ open, failure, loss } = left);
	}
}

/** Looks for one of which nobody knows what has become, and decides. `finding`: left out where there is nothing to ask. */
export async function lookFor(
	{ lists, uncertain }: { lists?: Pick<Lists, 'find'> | undefined; uncertain: Thing },
	open: Open,
	loss: Loss,
): Promise<{ next: Next; finding?: LostStartFinding }> {
	if (!lists) return { next: decide(uncertain, open, { kind: 'unknown' }) };
	const finding = asProof(await lists.find(loss), open);
	return { next: decide(uncertain, open, finding), finding };
}

/** The queue in which a start of this request waits for its turn. */
export const startLane = ({ bucket }: ServiceRequest): Lane => ({ of: 'starts', bucket });

interface OnItsWay {
	/** The time when it was sent the latest time, monotonic. */
	sentMs: number;
	/** One before it whose answer was lost, when it was sent again: a refusal of a later one says nothing of that. */
	earlier?: Loss;
	/** Tells others that what has become of it is known, or looked for. Once more is no harm. */
	isSettled: () => void;
}

async function sendInTurn(thing: Paid, onItsWay: OnItsWay, client: ServiceClient): Promise<Started | ServiceFailure> {
	const { laneOf: of, request, over, sinceMs, standstillMs, policy } = thing;
	const { time, limits, throttled: meter, execution: owner } = client;
	const attempts = new Attempts(policy, time);
	const ask = { owner, over, meter, sinceMs, standstillMs };
	const ran = await limits.run<Started | ServiceFailure>({ of, bucket: request.bucket }, ask, async () => {
		const result = await sendOnce(thing, onItsWay, client).catch(failureOrThrow);
		if (!(result instanceof ServiceFailure)) return { kind: of === 'starts' ? 'holds' : 'done', value: result };
		if (result.kind === 'rateLimited') return { kind: 'refused', failure: result };
		if (result.kind === 'aborted') return { kind: 'lost', value: result };
		const { unansweredSinceMs } = client;
		const next = attempts.after(result, { unansweredSinceMs });
		if (typeof next !== 'string') {
			if (thing.reads.isLost(result)) onItsWay.earlier ??= lossNow(onItsWay, time);
			return { kind: 'again', atMs: next.atMs, failure: result };
		}
		if (of === 'calls' && result.httpCode !== undefined) return { kind: 'done', value: result };
		return { kind: 'lost', value: result, failure: result };
	});
	if ('value' in ran) {
		const { value, lease } = ran;
		return value instanceof ServiceFailure || !lease ? value : { ...value, lease };
	}
	const { noTurn, last } = ran;
	if (noTurn === 'over') return executionStopped({ mayHaveExecuted: false });
	return of === 'calls' && last ? last : notStarted(standstillMs, last);
}

async function sendOnce(thing: Paid, onItsWay: OnItsWay, client: ServiceClient): Promise<Started> {
	const { request, sent = request, laneOf: lane, timeoutMs, journal, lists, onStop, reads } = thing;
	const shownAs = lists?.shownAs;
	const { time } = client;
	journal.sending?.();
	onItsWay.sentMs = time.now();
	onItsWay.isSettled = shownAs?.register.begin(shownAs.start) ?? (() => undefined);
	let how = 'answered' as Started['how'];
	const received = client.send(sent, timeoutMs, onStop).then(({ body }) => body);
	const answer = await received.catch((error: unknown): JsonObject => {
		const failure = failureOrThrow(error);
		const read = reads.readFailure?.(failure) ?? failure;
		const id = reads.insteadOf?.(read);
		if (id !== undefined) {
			how = 'joined';
			return { success: true, id };
		}
		// If it may have arrived, it counts as on its way until somebody looks for it.
		if (!read.mayHaveExecuted) {
			onItsWay.isSettled();
			journal.refused?.(onItsWay.earlier);
		}
		throw read;
	});
	const given = how === 'joined' ? answer.id : reads.idOf?.(answer);
	const id = readJobId(given);
	if (id === undefined && lane === 'starts') throw withoutId(given);
	if (id !== undefined) shownAs?.register.startedAs(id, time.now());
	onItsWay.isSettled();
	journal.started?.(id, answer, how);
	return { how, id, answer, ageMs: 0 };
}

const lossNow = ({ sentMs }: OnItsWay, time: Time): Loss => ({ sentMs, lostMs: time.now(), isFresh: true });

/** Of a second one that was refused, after the first was lost. */
function refusedAfter(first: ServiceFailure, second: ServiceFailure): ServiceFailure {
	const { kind, httpCode } = second;
	return new ServiceFailure({
		kind,
		mayHaveExecuted: true,
		...(httpCode !== undefined && { httpCode }),
		message: `${first.message} It was sent once more, and refused: ${second.message}`,
	});
}

/** One of an earlier try, by the clock of this process; times are given in milliseconds since 1970. */
export function lossBefore({ sinceMs, lostAt }: Pick<Earlier, 'sinceMs' | 'lostAt'>, time: Time): Loss {
	const monotonic = (atMs: number) => Math.min(time.now(), time.now() - (time.wallClock() - atMs));
	return { sentMs: monotonic(sinceMs), lostMs: monotonic(lostAt), isFresh: false };
}

/** The times when one was sent and its answer given up, in milliseconds since 1970: for what outlives this process. */
export function spanOf({ sentMs, lostMs }: Loss, time: Time): { startedAt: number; lostAt: number } {
	const lostAt = time.wallClock() - (time.now() - lostMs);
	return { startedAt: lostAt - (lostMs - sentMs), lostAt };
}

function withoutId(given: unknown): ServiceFailure {
	const shown = JSON.stringify(given ?? null).slice(0, 80);
	return new ServiceFailure({
		kind: 'notJson',
		mayHaveExecuted: true,
		message: `The service accepted the start but its answer contains no usable job ID (${shown}).`,
	});
}

/** Of a start that was not sent, or provably never arrived. `last`: the latest trouble that is known. */
function notStarted(maxWaitMs: number, last: ServiceFailure | undefined): ServiceFailure {
	const { kind = 'timeout', httpCode } = last ?? {};
	return new ServiceFailure({
		kind,
		mayHaveExecuted: false,
		...(httpCode !== undefined && { httpCode }),
		message: notStartedText(`for ${count(Math.round(maxWaitMs / 1000), 'second')}`, last),
	});
}

function notStartedText(span: string, last: ServiceFailure | undefined): string {
	const nothing = 'so this one was not started and costs nothing';
	const advice = 'raise Max Wait, or run it later.';
	if (!last) return `The starts before this one were not answered ${span}, ${nothing}: ${advice}`;
	if (last.kind !== 'rateLimited') {
		return `No new job could be started ${span}, ${nothing}. ${last.message}`;
	}
	return `The service took no new job ${span} because of its limits, ${nothing}: ${advice} ${last.message}`;
}
