import { ServiceFailure } from '../../service/http/failure';
import { deniedSince, isGone, isLongDenied, statusWordOf } from '../../service/jobs/jobAbsence';
import type { ListWord } from '../../service/jobs/jobAbsence';
import type { WaitingJob } from '../marks/newJobs';
import type { CheckedJob } from './checkJobs';

/** How long the state of a job may not be read before it is told without, in milliseconds: as the list goes back. */
const MAX_FAILING_MS = 24 * 3_600_000;

/** A job that has ended, or that nothing more can be heard of. */
export interface EndedJob {
	job: WaitingJob;
	state: string;
	reason: string;
	isDone: boolean;
}

/** True for a job that the service has denied for so long that its list is worth asking. */
export function isWorthLookingUp(checked: CheckedJob, nowMs: number): boolean {
	return isLongDenied(deniedSinceOf(checked, nowMs), nowMs);
}

/**
 * What one answer says of a job: its end, or that it is waited for, with what the next poll must know of
 * this one. A denial is an end only after a minute in which nothing else came, and only where the service's
 * list of what was started does not have the job (`list`, asked for where isWorthLookingUp).
 */
export function judge(
	checked: CheckedJob,
	nowMs: number,
	list: ListWord = 'unread',
): { ended: EndedJob } | { waiting: WaitingJob } {
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
	const sinceMs = deniedSinceOf(checked, nowMs);
	const { message: reason } = answer;
	if (isGone({ word, sinceMs, nowMs }, list)) {
		return { ended: { job, state: 'not found', reason, isDone: false } };
	}
	if (word === 'noWord') return { waiting: job };
	const { id, endpoint, target, startedAt, isOld, failingSinceMs = nowMs, failures = 0 } = job;
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
	return { waiting: { ...waiting, failingSinceMs, failures: failures + 1 } };
}

function deniedSinceOf({ answer, kind, job }: CheckedJob, nowMs: number): number | undefined {
	const word = statusWordOf(kind, answer instanceof ServiceFailure ? answer : undefined);
	return deniedSince(job.deniedSinceMs, word, nowMs);
}
