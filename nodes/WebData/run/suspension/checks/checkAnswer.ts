import { isJsonObject } from '../../../../service/http/answer';
import { ALL_ENDED, NOT_CHECKED, NOT_WAITING, RECEIVED, WRONG_SECRET } from '../answers';

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
export type CheckVerdict = 'running' | 'over' | 'unread' | 'busy' | 'stranger';

/** Reads an answer. `isStored`: an earlier answer or a call has shown that n8n has stored the execution. */
export function verdictOf({ status, message }: CheckAnswer, isStored: boolean): CheckVerdict {
	if (status === 200 && message === RECEIVED) return 'running';
	if (status === 200 && message === ALL_ENDED) return 'over';
	if (status === 503 && message === NOT_CHECKED) return 'unread';
	// Another suspension of the same node has a secret of its own, as in the next round of a loop.
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
export function readCheckAnswer(answer: unknown): CheckAnswer {
	const { statusCode, body } = isJsonObject(answer) ? answer : {};
	const message = isJsonObject(body) ? body.message : undefined;
	if (typeof message !== 'string') throw new Error('This is not n8n.');
	return { status: Number(statusCode), message };
}
