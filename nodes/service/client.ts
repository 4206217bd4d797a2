import { readAnswer } from './http/answer';
import { ServiceFailure, executionStopped, failureOrThrow } from './http/failure';
import { Attempts, PATIENCE, policyFor } from './http/retry';
import type { Patience } from './http/retry';
import { MAX_SLEEP_MS, Sleeps, sleep } from './http/time';
import type { Time } from './http/time';
import { REQUEST_TIMEOUT_MS, sendRequest } from './http/transport';
import type { HttpCall, JsonObject, ServiceRequest } from './http/transport';
import { isWithoutKey, missingKeyText, refusedWithoutKey } from './http/withoutKey';
import { KnownIds } from './limits/knownIds';
import { Limits } from './limits/limits';
import type { Ask } from './limits/limits';
import type { Secrets } from './secrets';

interface ClientParts {
	http: HttpCall;
	/** The same, but not cut off when the execution is stopped. */
	httpThroughStop?: HttpCall;
	/** Normalized (see normalizeBaseUrl). */
	baseUrl: string;
	time: Time;
	/** The secrets that must not be seen of the answers. */
	secrets: Secrets;
	/** As it is sent: empty without one, as a self-hosted service takes it and the hosted one for some requests. */
	key: string;
	/** The panel's names for the parameters that a refusal names: a sentence after a blank, or nothing. */
	namesInPanel?: (said: string) => string;
	shared: SharedState;
	/** Tells the key apart from others in what is stored; empty where nothing is. */
	account?: string;
	/** Names the execution, so that each gets its fair share of turns; empty where it has no id. */
	execution?: string | undefined;
	/** Aborted when the execution is stopped. */
	signal?: AbortSignal | undefined;
}

/** One execution's way to the service: sends, repeats, and keeps the shared pauses. */
export class ServiceClient {
	readonly baseUrl: string;

	/** Tells the key apart from others in what is stored. */
	readonly account: string;

	readonly execution: Ask['owner'];

	readonly limits: Limits;

	/** The jobs of this credential that are known, with their owners. */
	readonly register: KnownIds;

	/** The same of calls whose answers are kept: these are many, and must not push out the ids of jobs. */
	readonly callRegister: KnownIds;

	readonly time: Time;

	readonly throttled: ThrottleMeter;

	/** It is the hosted service, asked without a key. */
	readonly isWithoutKey: boolean;

	/** The secrets that must not be seen anywhere. */
	readonly secrets: Secrets;

	/** Aborted when the execution is stopped. */
	readonly stopSignal: AbortSignal;

	private readonly sleeps: Sleeps;

	private readonly over = new AbortController();

	/** Ends every pause: the execution is stopped, or the run is over. */
	private readonly endSignal: AbortSignal;

	/** The time when this run has sent its first request, monotonic. */
	private firstTryMs: number | undefined;

	/** The service has answered anything in this run. */
	private wasAnswered = false;

	/** An answer was a good one. */
	private hasServed = false;

	/** Set once this address is refused whatever it asks for without a key: nothing more is sent in this run. */
	private refused: ServiceFailure | undefined;

	constructor(private readonly parts: ClientParts) {
		this.baseUrl = parts.baseUrl;
		this.account = parts.account ?? '';
		this.execution = parts.execution || this;
		({ limits: this.limits, register: this.register, callRegister: this.callRegister } = parts.shared);
		this.time = parts.time;
		this.secrets = parts.secrets;
		this.throttled = new ThrottleMeter(parts.time);
		this.stopSignal = parts.signal ?? new AbortController().signal;
		this.endSignal = AbortSignal.any([this.stopSignal, this.over.signal]);
		this.isWithoutKey = isWithoutKey(parts.baseUrl, parts.key);
		this.sleeps = new Sleeps(parts.time);
	}

	/** True once the service has given a good answer without a key. */
	get wasServedWithoutKey(): boolean {
		return this.isWithoutKey && this.hasServed;
	}

	/** The run is over, whatever its end: what is still repeated or paused for it ends, and sends nothing more. */
	close(): void {
		this.over.abort();
	}

	get stopped(): boolean {
		return this.stopSignal.aborted;
	}

	/** The execution was stopped, or the run is over: pauses end at once. */
	get isOver(): boolean {
		return this.endSignal.aborted;
	}

	/** Throws when the execution was stopped or the run is over: nothing may be sent after that. */
	throwIfStopped(): void {
		if (this.isOver) throw executionStopped({ mayHaveExecuted: false });
	}

	/** The time when this run has sent its first request, monotonic; undefined once anything has answered. */
	get unansweredSinceMs(): number | undefined {
		return this.wasAnswered ? undefined : this.firstTryMs;
	}

	/**
	 * One try, no pause kept and none waited for, but a 429 is noted for everybody. `onStop`: whether it is cut off when the
	 * execution is stopped, or comes to its end. Throws ServiceFailure.
	 */
	async send(
		request: ServiceRequest,
		timeoutMs: number = REQUEST_TIMEOUT_MS,
		onStop: 'cut' | 'finish' = 'cut',
	): Promise<Received> {
		this.throwIfStopped();
		const { http, httpThroughStop = http } = this.parts;
		const end = this.limits.sending(request.bucket);
		try {
			const received = await this.exchange(onStop === 'cut' ? http : httpThroughStop, request, timeoutMs);
			end();
			return received;
		} catch (error) {
			const failure = failureOrThrow(error);
			if (failure.kind === 'rateLimited') end(failure);
			throw failure;
		}
	}

	/** One request after the execution was stopped: to clean up what it started. Throws ServiceFailure. */
	async sendAfterStop(request: ServiceRequest, timeoutMs: number): Promise<JsonObject> {
		const { http, httpThroughStop = http } = this.parts;
		return (await this.exchange(httpThroughStop, request, timeoutMs)).body;
	}

	/** Sends once and judges the answer. Throws ServiceFailure. */
	private async exchange(http: HttpCall, request: ServiceRequest, timeoutMs: number): Promise<Received> {
		const { baseUrl, secrets, time } = this.parts;
		if (this.refused) throw this.refused;
		this.firstTryMs ??= time.now();
		try {
			const answer = await sendRequest({ http, baseUrl, secrets }, request, timeoutMs);
			this.wasAnswered = true;
			const receivedMs = time.now();
			const body = readAnswer(answer, request, baseUrl, time.wallClock());
			this.hasServed = true;
			return { body, headers: answer.headers, receivedMs, length: answer.text.length };
		} catch (error) {
			throw this.explained(failureOrThrow(error));
		}
	}

	/** What a person can do about it, with the names of the panel, and what becomes of a run without a key. */
	private explained(failure: ServiceFailure): ServiceFailure {
		const { baseUrl, key, secrets, namesInPanel } = this.parts;
		failure.message = secrets.inMessage(failure.message);
		if (isAboutParameters(failure)) failure.message += namesInPanel?.(failure.message) ?? '';
		const refused = this.isWithoutKey ? refusedWithoutKey(failure) : undefined;
		if (refused?.isLasting) this.refused ??= refused.failure;
		if (refused) return this.refused ?? refused.failure;
		if (failure.httpCode === 401 && key === '') failure.message = missingKeyText(baseUrl);
		return failure;
	}

	/** Sends and repeats as the method allows, keeping the shared pauses. */
	async call(request: ServiceRequest): Promise<JsonObject> {
		return (await this.receive(request)).body;
	}

	/** The same, with the headers of the answer, and as patiently as is said. */
	async receive(request: ServiceRequest, patience: Partial<Patience> = {}): Promise<Received> {
		const { policy = policyFor(request), timeoutMs = REQUEST_TIMEOUT_MS, deadlineMs } = patience;
		const { time, limits } = this;
		const beganMs = time.now();
		const attempts = new Attempts(policy, time);
		for (;;) {
			await this.waitForPause(request);
			const result = await this.send(request, timeoutMs).catch(failureOrThrow);
			if (!(result instanceof ServiceFailure)) return result;
			const { unansweredSinceMs } = this;
			const next = attempts.after(result, {
				deadlineMs,
				freeAtMs: limits.freeAtMs(request.bucket),
				lastActivityMs: limits.lastActivityMs(beganMs),
				unansweredSinceMs,
			});
			if (next === 'giveUp') throw result;
			if (next !== 'whenFree') await this.pause(next.atMs - time.now());
		}
	}

	/** The answer to a read that can be done without; undefined where there is none. Throws no ServiceFailure. */
	async lookUp(request: ServiceRequest): Promise<JsonObject | undefined> {
		const received = await this.receive(request, PATIENCE.lookUp).catch(failureOrThrow);
		return received instanceof ServiceFailure ? undefined : received.body;
	}

	private async waitForPause(request: ServiceRequest): Promise<void> {
		this.throttled.hold(request);
		await this.pause(this.limits.freeAtMs(request.bucket) - this.time.now());
		this.throttled.release(request);
	}

	/** Sleeps for a moment. Throws when the execution was stopped by then. */
	async pauseOrStop(): Promise<void> {
		await this.pause(MAX_SLEEP_MS);
		this.throwIfStopped();
	}

	/** Sleeps until the time is over, the execution is stopped or the run is over. */
	async pause(ms: number): Promise<void> {
		await sleep(this.time, ms, this.endSignal);
	}

	/** Sleeps until this monotonic time, or until one of these is aborted, whatever becomes of the execution. */
	async sleepUntil(atMs: number, ...wakes: AbortSignal[]): Promise<void> {
		await this.sleeps.until(atMs, ...wakes);
	}
}

/** A good answer, and when it came. */
export interface Received {
	body: JsonObject;
	headers: JsonObject;
	/** Monotonic milliseconds. */
	receivedMs: number;
	/** Characters of the body. */
	length: number;
}

/** True for a refusal of the request as such: the service could not read it, or not take what it says. */
function isAboutParameters({ httpCode, isMissingOnServer }: ServiceFailure): boolean {
	return (httpCode === 400 || httpCode === 422) && !isMissingOnServer;
}

/** Adds up the time in which at least one thing was held back by a rate limit, in milliseconds. */
class ThrottleMeter {
	private readonly held = new Set<object>();

	private sinceMs = 0;

	private totalMs = 0;

	constructor(private readonly time: Time) {}

	hold(holder: object): void {
		if (this.held.size === 0) this.sinceMs = this.time.now();
		this.held.add(holder);
	}

	release(holder: object): void {
		if (!this.held.delete(holder) || this.held.size > 0) return;
		this.totalMs += this.time.now() - this.sinceMs;
	}

	/** Whole seconds so far. */
	get seconds(): number {
		const running = this.held.size > 0 ? this.time.now() - this.sinceMs : 0;
		return Math.round((this.totalMs + running) / 1000);
	}
}

/** The state that all executions of this process share for one credential. */
export interface SharedState {
	limits: Limits;
	register: KnownIds;
	callRegister: KnownIds;
}

/** Ids of answers that are kept: those of some minutes, in which one of them may be lost. */
const MAX_KNOWN_CALLS = 10_000;

/**
 * More credentials than this are not kept when they are idle, the longest unused go first. What is lost is a learned
 * limit and whose the jobs are, never a pause.
 */
const MAX_KEPT = 5000;

/** The one that was used latest comes last. */
const byCredential = new Map<string, SharedState>();

/** Of a credential of which nothing is known yet. */
export function newSharedState(time: Time): SharedState {
	const callRegister = new KnownIds(MAX_KNOWN_CALLS);
	return { limits: new Limits(time), register: new KnownIds(), callRegister };
}

/** The shared state for one credential. `credentialHash` must not be the key itself. */
export function sharedState(credentialHash: string, time: Time): SharedState {
	const shared = byCredential.get(credentialHash) ?? newSharedState(time);
	byCredential.delete(credentialHash);
	byCredential.set(credentialHash, shared);
	for (const [hash, one] of byCredential) {
		if (byCredential.size <= MAX_KEPT) break;
		if (one !== shared && one.limits.isIdle) byCredential.delete(hash);
	}
	return shared;
}
