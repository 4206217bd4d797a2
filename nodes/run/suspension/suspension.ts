import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { randomBytes } from 'node:crypto';
import { named } from '../../operation/hint';
import type { ServiceClient } from '../../service/client';
import { shorten } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import type { JobOutcome } from '../../service/jobs/jobOutcome';
import { checkStatuses } from '../../service/results/statusChecks';
import { SECRET_HEADER } from '../../service/webhooks';
import { count } from '../../text/amounts';
import { trimEnd } from '../../text/ends';
import { processClock } from '../connection/processClock';
import type { RunContext } from '../connection/runContext';
import { executionIdOf, nodeContext, runIndexOf } from '../connection/runContext';
import { isToolCall } from '../input/readFields';
import { itemsOf } from '../job/jobPlan';
import type { JobOperation, JobPlan } from '../job/jobPlan';
import type { Job } from '../job/jobRecords';
import { logForExecution } from '../output/hints';
import type { ItemFailure } from '../output/itemError';
import { isPublicHost } from '../../text/publicAddress';
import { checkSuspended } from './checks';
import { refusesCalls } from './resume';
import {
	forgetSuspended,
	noteWoken,
	ownSuspendedJob,
	readSuspended,
	readWoken,
	withSuspendedJob,
	writeSuspended,
} from './suspendedRecord';
import type { SuspendedJob, SuspendedRecord, SuspendedRun } from './suspendedRecord';

/** No job ends sooner after its start: a server tells of an end a second after the last page at the earliest. */
const SHORTEST_JOB_MS = 1000;

/** The reason why an item has no job that n8n passes on with the others. */
const UNUSED = 'This node has Execute Once: it uses the first item only.';

/**
 * Suspends the execution of one run of the node in n8n's database while its jobs run, so that no worker is held
 * (docs/reference/n8n-internals.md#suspended-executions). The starts tell the service to call n8n; resume.ts receives the
 * calls.
 */
export class Suspension {
	/** The record from before n8n suspended this execution; undefined in one that was not woken. */
	readonly woken: SuspendedRecord | undefined;

	/** True in a try of Retry On Fail after the one that n8n has woken. */
	private readonly isFurtherTry: boolean;

	/** The reason why the execution is held although it was to be suspended. */
	held: string | undefined;

	private readonly secret = randomBytes(24).toString('base64url');

	/** By item: its job, or why it has none. */
	private suspended = new Map<number, SuspendedJob>();

	constructor(
		private readonly ctx: RunContext,
		private readonly operation: JobOperation,
		private readonly client: ServiceClient,
	) {
		const context = nodeContext(ctx);
		const isOwn = (one: SuspendedRun | undefined) =>
			one?.execution === executionIdOf(ctx) && one.run === runIndexOf(ctx);
		const record = readSuspended(context);
		this.woken = isOwn(record) ? record : undefined;
		this.isFurtherTry = isOwn(readWoken(context));
	}

	/** To be called when what was suspended goes on: a further try knows that it was, and nothing else. */
	noteWoken(): void {
		if (this.woken) noteWoken(nodeContext(this.ctx), this.woken);
	}

	/** Whether to start everything now and suspend. Sends nothing. */
	isWanted(plans: JobPlan[]): boolean {
		// Once is enough: what n8n has woken comes to its end.
		if (this.woken || !plans.some(({ frees }) => frees)) return false;
		const why = suspensionBlocker(this.operation, plans, {
			isTool: isToolCall(this.ctx),
			isFurtherTry: this.isFurtherTry,
			resumeUrl: this.resumeUrl,
			serviceUrl: this.client.baseUrl,
		});
		if (why === undefined) return true;
		this.hold(why);
		return false;
	}

	/** The parameters that go along with each start, so that the service calls when the job ends. */
	get along(): JsonObject {
		const headers = { [SECRET_HEADER]: this.secret };
		return { webhook: { url: this.callUrl, headers, events: this.operation.job.endEvents } };
	}

	/** True for a start that the service has refused because it makes no such calls: it is sent without. */
	isRefused({ start }: JobPlan, outcome: JobOutcome): boolean {
		if (outcome.kind !== 'error' || outcome.uncertain) return false;
		const isRefused = refusesCalls(outcome.failure, start?.body);
		const said = shorten(outcome.failure.message, 200);
		if (isRefused) this.hold(`the service refuses to call n8n (${said})`);
		return isRefused;
	}

	/**
	 * Whether it can be suspended for these jobs: not when all of them have ended by now, since their calls may have
	 * come before n8n could take them (409). Throws only when the execution was stopped.
	 */
	async isPossible(awaited: readonly Job[]): Promise<boolean> {
		if (this.woken || this.held !== undefined || !this.ctx.putExecutionToWait) return false;
		const isYoung = awaited.some(({ sentMs = 0 }) => processClock.wallClock() < sentMs + SHORTEST_JOB_MS);
		return isYoung || !(await this.haveEnded(idsOf(awaited)));
	}

	/**
	 * Suspends the execution until the `watched` jobs have ended, which the ledger has noted. `others`: of which nothing
	 * more is wanted. `left`: why items have none.
	 */
	async suspend(watched: readonly Job[], others: readonly Job[], left: readonly ItemFailure[]): Promise<void> {
		const { ctx, operation } = this;
		const awaited = watched.filter((job) => job.awaited !== undefined);
		const sinceMs = processClock.wallClock();
		const until = new Date(sinceMs + awaited.reduce((longest, { plan }) => Math.max(longest, plan.maxWaitMs), 0));
		const call = { url: this.callUrl, sinceMs, untilMs: until.getTime() };
		writeSuspended(nodeContext(ctx), {
			execution: executionIdOf(ctx),
			run: runIndexOf(ctx),
			isWoken: false,
			secret: this.secret,
			throttledSeconds: this.client.throttled.seconds,
			call,
			hidden: this.passedOn.flatMap((given, item): Array<[number, IDataObject[string]]> => {
				const own = ownSuspendedJob(given);
				return own === undefined ? [] : [[item, own]];
			}),
		});
		logSuspension(ctx, { label: operation.job.label, ids: idsOf(watched), until });
		this.suspended = this.jobsByItem([...watched, ...others], left);
		this.markInput();
		await ctx.putExecutionToWait?.(until);
		checkSuspended(ctx, call, this.secret);
	}

	/** The output of the node while it is suspended. n8n replaces it by what comes out in the end. */
	get output(): INodeExecutionData[] {
		return this.ctx.getInputData().map((_item, item) => ({
			...this.marked(item, { json: {} }),
			pairedItem: { item },
		}));
	}

	/** To be called when what was noted has been returned. */
	forget(): void {
		forgetSuspended(nodeContext(this.ctx));
	}

	private async haveEnded(ids: readonly string[]): Promise<boolean> {
		const { running, unread } = await checkStatuses(ids, this.operation.job, this.client);
		return running === undefined && unread.length === 0;
	}

	/** Keeps the execution from being suspended. The first reason is reported. */
	hold(why: string): void {
		this.held ??= why;
	}

	/** Of an execution that can be called: isWanted has seen to that. */
	private get callUrl(): string {
		return resumeUrlOf(this.resumeUrl);
	}

	/** Empty where n8n has none: without an id of the execution it gives an address that leads nowhere. */
	private get resumeUrl(): string {
		const { resumeUrl } = this.ctx.getWorkflowDataProxy(0).$execution as { resumeUrl: string };
		const isResumable = executionIdOf(this.ctx) !== '' && this.ctx.putExecutionToWait !== undefined;
		return isResumable ? resumeUrl : '';
	}

	private jobsByItem(all: readonly Job[], failures: readonly ItemFailure[]): Map<number, SuspendedJob> {
		const { collectWith } = this.operation.result;
		const jobs = all.flatMap(({ plan, id: jobId }) =>
			jobId === undefined ? [] : itemsOf(plan).map((item): [number, SuspendedJob] => [item, { jobId, collectWith }]),
		);
		const failed = failures.map(({ item, message }): [number, SuspendedJob] => {
			return [item, { reason: message }];
		});
		const unused = [...this.passedOn.keys()].slice(this.ctx.getInputData().length);
		const left = unused.map((item): [number, SuspendedJob] => [item, { reason: UNUSED }]);
		return new Map([...jobs, ...failed, ...left]);
	}

	/**
	 * If no call comes in time, n8n passes the node's input on (docs/reference/n8n-internals.md#deadline-of-a-wait):
	 * each item says which job is its own. The list is this run's copy (n8n-core 1.123 and 2.41, workflow-execute.js),
	 * so no other node sees that; its items are not touched.
	 */
	private markInput(): void {
		const input = this.passedOn;
		for (const [item, given] of input.entries()) input[item] = this.marked(item, given);
	}

	/** The item with its job, or with the reason why it has none. */
	private marked(item: number, given: INodeExecutionData): INodeExecutionData {
		const job = this.suspended.get(item);
		return job ? withSuspendedJob(given, job) : given;
	}

	/** All items, also where Execute Once gives the node the first alone (handleExecuteOnce in workflow-execute.js). */
	private get passedOn(): INodeExecutionData[] {
		const { ctx } = this;
		return ctx.getExecuteData?.().data.main?.[0] ?? ctx.getInputData();
	}
}

const idsOf = (jobs: readonly Job[]): string[] => jobs.flatMap(({ id }) => id ?? []);

/** The facts that are known before the first start. */
export interface SuspensionContext {
	/**
	 * An AI agent waits for its tool in the same process: suspension would free nothing
	 * (docs/reference/n8n-internals.md#tools-of-an-agent).
	 */
	isTool: boolean;
	/** n8n counts the tries of a node from the beginning each time it wakes an execution: freed again, it would try for ever. */
	isFurtherTry: boolean;
	/** The address that n8n wants to be called at; empty when the execution has no such address. */
	resumeUrl: string;
	/** Address of the service. */
	serviceUrl: string;
}

/**
 * The reason why an execution cannot be suspended while its jobs run, as the end of a sentence; undefined when it can.
 * Asked before anything is paid for.
 */
export function suspensionBlocker(
	operation: JobOperation,
	plans: JobPlan[],
	{ isTool, isFurtherTry, resumeUrl, serviceUrl }: SuspensionContext,
): string | undefined {
	const addsTo = operation.kind === 'startJob' ? operation.addsTo : undefined;
	if (isTool) return 'an AI agent waits for its tool';
	if (isFurtherTry) {
		return 'this is a further try of Retry On Fail, whose tries n8n counts again after each wait';
	}
	const holding = plans.find(({ watched, frees }) => watched && !frees);
	if (holding) return `item ${holding.item} asks to hold it`;
	// The service calls no webhook for such a start a second time (docs/reference/service-notes.md#webhooks).
	const adding = plans.find(({ sent }) => addsTo !== undefined && sent?.[addsTo] !== undefined);
	if (adding) {
		return `the service makes no call for what is added to a job (item ${itemsOf(adding)[0]})`;
	}
	// The calls of its jobs go to the execution or the try that has started them.
	if (plans.some(({ known, past }) => known ?? past)) {
		return 'jobs of an earlier try report to that try';
	}
	return whyNotCalled(resumeUrl, serviceUrl);
}

function whyNotCalled(resumeUrl: string, serviceUrl: string): string | undefined {
	if (!URL.canParse(resumeUrl)) {
		return 'n8n has no address at which this execution can be called';
	}
	const { protocol, hostname, origin } = new URL(resumeUrl);
	// A service of one's own may reach whatever n8n takes for its address.
	if (!isPublicHost(new URL(serviceUrl).hostname)) return undefined;
	const advice = 'set N8N_WEBHOOK_URL (in older versions WEBHOOK_URL) of n8n to its public https address';
	if (!isPublicHost(hostname)) return `the service cannot call n8n at ${origin}: ${advice}`;
	return protocol === 'https:'
		? undefined
		: `the service calls https addresses only, and n8n is at ${origin}: ${advice}`;
}

/** The jobs that an execution is suspended for. */
interface SuspendedFor {
	/** The noun for one of its jobs: `crawl`. */
	label: string;
	ids: readonly string[];
	/** The time when n8n continues if no call comes. */
	until: Date;
}

/** A person finds in n8n's log what is waited for, and until when, whatever becomes of the wait. */
function logSuspension(ctx: RunContext, { label, ids, until }: SuspendedFor): void {
	logForExecution(
		ctx,
		`suspended until the service calls or it is ${until.toISOString()}, for ${count(ids.length, label)}: ${named(ids)}`,
	);
}

/**
 * The path of the service's calls below the address of an execution. Other nodes that wait in the same execution are
 * called at that address itself: a late call of a job must not wake an n8n Wait node
 * (docs/reference/n8n-internals.md#resume-address).
 */
const CALL_PATH = 'job-ended';

/** The address to call for `resumeUrl`, which may have n8n's signature behind it. */
function resumeUrlOf(resumeUrl: string): string {
	const url = new URL(resumeUrl);
	url.pathname = `${trimEnd(url.pathname, /\//)}/${CALL_PATH}`;
	return url.href;
}
