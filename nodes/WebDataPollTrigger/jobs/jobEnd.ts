import { NodeApiError } from 'n8n-workflow';
import type { INodeExecutionData } from 'n8n-workflow';
import type { AskedOperation } from '../../WebData/askedOperation';
import { resources } from '../../WebData/resources';
import type { ServiceClient } from '../../service/client';
import { ServiceFailure, failureOrThrow } from '../../service/http/failure';
import { PATIENCE } from '../../service/http/retry';
import { statusRequest } from '../../service/jobs/jobKinds';
import type { JobKind, JobReading } from '../../service/jobs/jobKinds';
import { readSettled } from '../../service/jobs/readEnd';
import { deniedSince, isGone, statusWordOf } from '../../service/jobs/wait';
import type { WaitingJob } from '../marks/jobMark';

/**
 * The longest time for which the state of a job may be unreadable before it is told without, in milliseconds: as the
 * list goes back.
 */
const MAX_FAILING_MS = 24 * 3_600_000;

/** A job that has ended, or that nothing more can be heard of. */
export interface EndedJob {
	job: WaitingJob;
	state: string;
	reason: string;
	isDone: boolean;
}

/**
 * The verdict of one answer about a job: its end, or that it is waited for, with what the next poll must know of this
 * one. A denial is an end only after a minute in which nothing else came.
 */
export function judgeJobEnd(checked: CheckedJob, nowMs: number): { ended: EndedJob } | { waiting: WaitingJob } {
	const { answer, kind, job } = checked;
	if (!(answer instanceof ServiceFailure)) {
		const { phase, state, reason } = answer;
		if (phase !== 'running') {
			return { ended: { job, state, reason, isDone: phase === 'done' } };
		}
		const { id, endpoint, target, startedAt } = job;
		return { waiting: { id, endpoint, target, startedAt, isChecked: true } };
	}
	const word = statusWordOf(kind, answer);
	const sinceMs = deniedSince(job.deniedSinceMs, word, nowMs);
	const { message: reason } = answer;
	if (isGone(word, sinceMs, nowMs)) {
		return { ended: { job, state: 'not found', reason, isDone: false } };
	}
	if (word === 'noWord') return { waiting: job };
	const { id, endpoint, target, startedAt, isOld, failingSinceMs = nowMs } = job;
	const waiting: WaitingJob = {
		...{ id, endpoint, target, startedAt },
		isChecked: true,
		...(isOld && { isOld }),
		...(sinceMs !== undefined && { deniedSinceMs: sinceMs }),
	};
	if (word === 'denied') return { waiting };
	if (nowMs - failingSinceMs >= MAX_FAILING_MS) {
		return { ended: { job, state: 'unknown', reason, isDone: false } };
	}
	return { waiting: { ...waiting, failingSinceMs } };
}

/** The number of polls that try to read a result before its job is told without it. */
const MAX_TRIES = 3;

/** A job as Output: Job shows it. */
export function jobItem({ job, state, reason }: Pick<EndedJob, 'job' | 'state' | 'reason'>): INodeExecutionData {
	const { id, endpoint, target, startedAt } = job;
	return {
		json: {
			id,
			kind: byEndpoint.get(endpoint)?.name ?? endpoint,
			status: state,
			...(target !== '' && { target }),
			...(startedAt !== '' && { startedAt }),
			...(reason !== '' && { reason }),
		},
	};
}

/**
 * The result of a job that has ended, as its Get puts it out; of one that has not ended well, the job.
 * Undefined when the result is to be read by a later poll; a result that cannot be read is told as the job
 * with the reason, so that no job holds up the others.
 */
export async function jobItems(
	items: (asked: AskedOperation) => Promise<INodeExecutionData[]>,
	ended: EndedJob,
): Promise<INodeExecutionData[] | undefined> {
	const { id, endpoint, tries = 0 } = ended.job;
	const { resource } = byEndpoint.get(endpoint) ?? {};
	if (!ended.isDone || resource === undefined) return [jobItem(ended)];
	try {
		return await items({ resource, operation: 'get', parameters: { jobId: id } });
	} catch (error) {
		if (mayPass(error) && tries + 1 < MAX_TRIES) return undefined;
		return [jobItem({ ...ended, reason: textOf(error) })];
	}
}

/** Whether a later try may find the result: not where the job itself has none. */
function mayPass(error: unknown): boolean {
	return !(error instanceof NodeApiError) || error.httpCode !== null;
}

function textOf(error: unknown): string {
	const { message } = error instanceof Error ? error : new Error(String(error));
	const description = error instanceof NodeApiError ? (error.description ?? '') : '';
	return [message, description].filter((text) => text !== '').join('. ');
}

/** Requests at the same time: a poll has seconds for some hundred of them. */
const CONCURRENT_CHECKS = 4;

/** A job with the answer of the service about it. */
export interface CheckedJob {
	job: WaitingJob;
	kind: JobKind;
	answer: JobReading | ServiceFailure;
}

/**
 * Asks for the state of the jobs, a few at a time and each once: the next poll is the next try. Ends at
 * `deadlineMs` (monotonic), and where the service refuses more requests for now; then the others are not
 * checked. The answers are in the order of the jobs. Never throws.
 */
export async function checkJobs(
	client: ServiceClient,
	jobs: readonly WaitingJob[],
	deadlineMs: number,
): Promise<CheckedJob[]> {
	const checked: Array<CheckedJob | undefined> = [];
	const queue = jobs.entries();
	let isRefused = false;
	const work = async (): Promise<void> => {
		for (const [at, job] of queue) {
			const { kind } = byEndpoint.get(job.endpoint) ?? {};
			if (!kind) continue;
			const freeMs = client.limits.freeAtMs(kind.statusBucket);
			if (isRefused || Math.max(freeMs, client.time.now()) >= deadlineMs) break;
			const patience = { ...PATIENCE.check, deadlineMs };
			const check = async () => (await client.receive(statusRequest(kind, job.id), patience)).body;
			// Whatever was checked by the poll before is older than its start takes.
			const ageMs = job.isChecked ? Infinity : client.time.wallClock() - Date.parse(job.startedAt);
			const bounds = { ageMs: Number.isNaN(ageMs) ? 0 : ageMs, untilMs: deadlineMs };
			const answer = await readSettled(kind, check, client.time, bounds).catch(failureOrThrow);
			checked[at] = { job, kind, answer };
			isRefused ||= answer instanceof ServiceFailure && answer.kind === 'rateLimited';
		}
	};
	await Promise.all(Array.from({ length: CONCURRENT_CHECKS }, work));
	return checked.filter((one) => one !== undefined);
}

/** A resource whose jobs the feed lists and Get collects. */
interface JobResource {
	resource: string;
	name: string;
	kind: JobKind;
}

const jobResources: JobResource[] = resources.flatMap(({ value, name, operations }) =>
	operations.flatMap((operation) =>
		operation.kind === 'getJob' && operation.job.listed ? [{ resource: value, name, kind: operation.job }] : [],
	),
);

/** By the name that the feed has for them; checks of monitors stand in a list of their own. */
export const byEndpoint = new Map(
	jobResources.flatMap((one) => {
		const { endpoint } = one.kind.listed?.started.query ?? {};
		return typeof endpoint === 'string' ? [[endpoint, one] as const] : [];
	}),
);
