import type { HttpCall, HttpOptions, HttpResponse } from '../../nodes/service/http/transport';
import { httpResponse } from './httpResponse.ts';
import { minuteWindow } from './minuteWindow.ts';
import { seededRandom } from './seededRandom.ts';
import type { VirtualTime } from './virtualTime.ts';

/** What the account may do. What is left out is unlimited. */
export interface SimulatedPlan {
	concurrency?: number;
	startsPerMinute?: number;
	pollsPerMinute?: number;
	/** Whether a 429 says in a header how long to wait. */
	retryAfter?: boolean;
	/** What it says when too many jobs run, in seconds: a guess, for nobody knows when one ends. */
	slotWaitSeconds?: number;
}

/** What goes wrong with one request. */
export interface Fault {
	/** Whether the service does its work before it goes wrong. */
	after: 'nothing' | 'work';
	/** System code of a broken connection. */
	code?: string;
	status?: number;
	text?: string;
	headers?: Record<string, string>;
	/** How much longer the answer takes, in milliseconds. */
	delayMs?: number;
}

export interface SeenRequest {
	kind: 'start' | 'poll';
	/** The query of the job that it starts or checks. */
	query: string;
	atMs: number;
	/** How many requests of this kind there were before. */
	count: number;
}

interface SimulatedJob {
	query: string;
	endsAtMs: number;
	state: string;
}

interface SimulatedAnswer {
	status: number;
	body: unknown;
	headers?: Record<string, string>;
}

export interface SimulatedServiceParts {
	time: VirtualTime;
	plan?: SimulatedPlan;
	/** Length of a job in milliseconds. */
	durationMs: (query: string) => number;
	/** State a job ends with; `completed` when left out. */
	endState?: (query: string) => string;
	fault?: (request: SeenRequest) => Fault | undefined;
	/** Milliseconds on the way, there and back each, at least and at most. */
	latencyMs?: [number, number];
	seed?: number;
}

const LIMIT_TEXT = 'Request rate limit exceeded. Please wait and try again later.';

/** The service in memory and in virtual time: deep research with the limits of a plan. */
export class SimulatedService {
	readonly seen: SeenRequest[] = [];

	readonly jobs = new Map<string, SimulatedJob>();

	/** How many requests there were. */
	readonly counts = { start: 0, poll: 0 };

	refusedStarts = 0;

	refusedPolls = 0;

	mostAtOnce = 0;

	private readonly random: () => number;

	private readonly startWindow: (nowMs: number) => number;

	private readonly pollWindow: (nowMs: number) => number;

	constructor(private readonly parts: SimulatedServiceParts) {
		const { plan = {}, seed = 1 } = parts;
		this.random = seededRandom(seed + 1);
		this.startWindow = minuteWindow(plan.startsPerMinute ?? Infinity);
		this.pollWindow = minuteWindow(plan.pollsPerMinute ?? Infinity);
	}

	/** Number of jobs that were started for this query. */
	startsOf(query: string): number {
		return [...this.jobs.values()].filter((job) => job.query === query).length;
	}

	/** A job that was started earlier and ends at the given time. */
	addJob(id: string, query: string, endsAtMs: number): void {
		this.jobs.set(id, { query, endsAtMs, state: this.parts.endState?.(query) ?? 'completed' });
	}

	/** The way to this service. With a signal, a request under way breaks off when it is aborted. */
	http(signal?: AbortSignal): HttpCall {
		const cut = signal && cutOff(signal);
		cut?.catch(() => undefined);
		return async (options) => {
			const answer = this.exchange(options);
			return await (cut ? Promise.race([answer, cut]) : answer);
		};
	}

	private async exchange(options: HttpOptions): Promise<HttpResponse> {
		const { time, fault } = this.parts;
		const kind = options.method === 'POST' ? 'start' : 'poll';
		const id = options.url.split('/').at(-1) ?? '';
		const query = kind === 'start' ? String(options.body?.query) : (this.jobs.get(id)?.query ?? '');
		const request = { kind, query, atMs: time.now(), count: this.counts[kind]++ } as const;
		this.seen.push(request);
		await time.sleep(this.latency());
		const wrong = fault?.(request);
		let answer: SimulatedAnswer | undefined;
		if (wrong?.after !== 'nothing') answer = kind === 'start' ? this.start(query) : this.look(id);
		await time.sleep(this.latency() + (wrong?.delayMs ?? 0));
		if (wrong?.code !== undefined) throw systemError(wrong.code);
		return httpResponse({
			status: wrong?.status ?? answer?.status ?? 200,
			text: wrong?.text ?? JSON.stringify(answer?.body ?? { error: 'Something went wrong' }),
			headers: wrong?.headers ?? answer?.headers ?? {},
		});
	}

	private start(query: string): SimulatedAnswer {
		const { time, plan = {}, durationMs, endState } = this.parts;
		const nowMs = time.now();
		const windowWaitMs = this.startWindow(nowMs);
		const running = this.running(nowMs);
		const isFull = running >= (plan.concurrency ?? Infinity);
		if (windowWaitMs > 0 || isFull) {
			this.refusedStarts += 1;
			return this.refuse(windowWaitMs > 0 ? windowWaitMs : (plan.slotWaitSeconds ?? 5) * 1000);
		}
		this.mostAtOnce = Math.max(this.mostAtOnce, running + 1);
		const again = this.startsOf(query);
		const id = query.replace(' ', '-') + (again > 0 ? `-${again + 1}` : '');
		const state = endState?.(query) ?? 'completed';
		this.jobs.set(id, { query, endsAtMs: nowMs + durationMs(query), state });
		return { status: 200, body: { success: true, id } };
	}

	private look(id: string): SimulatedAnswer {
		const nowMs = this.parts.time.now();
		const waitMs = this.pollWindow(nowMs);
		if (waitMs > 0) {
			this.refusedPolls += 1;
			return this.refuse(waitMs);
		}
		const job = this.jobs.get(id);
		if (!job) return { status: 404, body: { success: false, error: 'Deep research job not found' } };
		const isOver = nowMs >= job.endsAtMs;
		const status = isOver ? job.state : 'processing';
		const data = isOver ? { finalAnalysis: `About ${job.query}` } : {};
		return { status: 200, body: { success: status !== 'failed', status, data } };
	}

	private refuse(waitMs: number): SimulatedAnswer {
		const says = this.parts.plan?.retryAfter === true;
		const headers = says ? { headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) } } : {};
		return { status: 429, body: { success: false, error: LIMIT_TEXT }, ...headers };
	}

	private running(nowMs: number): number {
		let running = 0;
		for (const job of this.jobs.values()) if (job.endsAtMs > nowMs) running += 1;
		return running;
	}

	private latency(): number {
		const [least, most] = this.parts.latencyMs ?? [20, 80];
		return least + this.random() * (most - least);
	}
}

async function cutOff(signal: AbortSignal): Promise<never> {
	await new Promise<void>((resolve) => {
		if (signal.aborted) resolve();
		else signal.addEventListener('abort', () => resolve(), { once: true });
	});
	throw systemError('ERR_CANCELED');
}

function systemError(code: string): Error {
	return Object.assign(new Error(`The connection failed with ${code}`), { code });
}
