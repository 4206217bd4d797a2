import type { JobKind } from '../../../service/jobs/jobKinds';

/** What to do about a start that nobody knows the end of. */
export function uncertainText(kind: JobKind): string {
	return `The ${kind.label} may have been started, and may be paid for. It is not started again by a retry, so that it is not paid twice: look in the account's activity, then change the request or run the workflow anew.`;
}

/** What to do about a start that n8n may have died over. */
export function afterCrashText(kind: JobKind): string {
	return `n8n was ended while this node ran, so the ${kind.label} of this item may have been started, and may be paid for. It is not started yet, so that it is not paid twice: n8n's log says what was started for which item, and Get collects it. To start all items anew, retry this execution.`;
}
