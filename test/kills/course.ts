import type { N8nClient } from '../../tools/n8n/client.ts';
import { RestError } from '../../tools/n8n/rest.ts';
import { TRIGGER } from './durable.ts';
import { readLog } from './stored.ts';
import type { Stored } from './stored.ts';

/**
 * What the person at this n8n does with a crashed execution. `careful`, as the README says: looks into
 * the log first; where it tells of starts that n8n has not stored, collects their jobs and does not press
 * Retry. `hasty`: presses Retry, and looks into the log when the node says so.
 */
type Habit = 'careful' | 'hasty';

/** One workflow, and all that became of its questions. */
export interface Course {
	number: number;
	habit: Habit;
	/** n8n's "Save execution progress", which is off by default. */
	savesProgress: boolean;
	questions: readonly string[];
	workflowId: string;
	/** Executions of which it is known that they crashed. */
	crashed: Set<string>;
	/** Executions that are not retried, because the log tells of their starts. */
	left: Set<string>;
	/** Executions that n8n refused to retry, with what it said: it had not stored where they began. */
	withoutRetry: Map<string, string>;
	retries: number;
	/** The executions as they were last read. */
	executions: Stored[];
}

/** What the node says in the first retry after n8n died in it. */
export const ASKS_TO_LOOK = /n8n was ended while this node ran/;

/** What n8n says of some retries of an execution that it was killed in: its own code fails, the node is not run. */
const FAILED_IN_N8N = /^Cannot read properties of undefined/;

/** A retry that fails in any other way twice is not retried for ever. */
const MAX_RETRIES = 25;

/** A course that nothing has happened to. In four, each habit comes with and without saved progress. */
export function newCourse(number: number, questions: readonly string[]): Course {
	return {
		number,
		habit: number % 2 === 0 ? 'hasty' : 'careful',
		savesProgress: number % 4 < 2,
		questions,
		workflowId: '',
		crashed: new Set(),
		left: new Set(),
		withoutRetry: new Map(),
		retries: 0,
		executions: [],
	};
}

/** What to call a course in what is printed. */
export function nameOf({ number, habit, savesProgress }: Course): string {
	return `Kill ${number} (${habit}${savesProgress ? ', progress saved' : ''})`;
}

/** Whether nothing more is to be expected, or done, for this course. */
export function isOver({ executions, left }: Course): boolean {
	const last = executions.at(-1);
	return last !== undefined && (last.status === 'success' || left.has(last.id));
}

/** Does what the person does after a restart. Does not wait for what comes of it: the next kill may come first. */
export function act(client: N8nClient, course: Course, logFile: string): void {
	const last = course.executions.at(-1);
	const runAnew = () => ignoreKill(client.run({ id: course.workflowId, name: '' }, TRIGGER));
	// n8n was killed before it had noted that the button was pressed.
	if (last === undefined) return runAnew();
	if (!['crashed', 'error'].includes(last.status) || isOver(course)) return;
	const asksToLook = ASKS_TO_LOOK.test(last.error ?? '');
	const target = retriable(course);
	const died = asksToLook ? (last.retryOf ?? last.id) : (target ?? last).id;
	const looks = course.habit === 'careful' || asksToLook || !target;
	if (looks && hasSent([died], target ?? last, logFile)) return void course.left.add(last.id);
	// What n8n fails to run itself, in a retry as in the retry of that, cannot be gone on with.
	const ids = course.executions.map(({ id }) => id);
	if (FAILED_IN_N8N.test(last.error ?? '') && hasSent(ids, last, logFile)) return void course.left.add(last.id);
	if (!target) return runAnew();
	if (course.retries >= MAX_RETRIES) return;
	course.retries += 1;
	client.retry(target.id).catch((error: unknown) => {
		if (error instanceof RestError) course.withoutRetry.set(target.id, error.message);
	});
}

/** The latest execution that n8n may retry: where it refuses one that had not begun, the one that this was to retry. */
function retriable({ executions, withoutRetry }: Course): Stored | undefined {
	let one = executions.at(-1);
	while (one && withoutRetry.has(one.id)) {
		const { retryOf } = one;
		one = executions.find(({ id }) => id === retryOf);
	}
	return one;
}

/** Whether the log tells of starts of these executions that n8n has not stored. */
function hasSent(ids: readonly string[], { startedIds }: Stored, logFile: string): boolean {
	return startedIds.length === 0 && readLog(logFile).sent.some(({ executionId }) => ids.includes(executionId));
}

/** n8n may be killed before it answers; what became of it is read from its database. */
export function ignoreKill(call: Promise<unknown>): void {
	call.catch(() => undefined);
}
