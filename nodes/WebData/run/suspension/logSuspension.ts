import type { RunContext } from '../connection/runContext';
import { count, named } from '../output/hintText';
import { logForExecution } from '../output/itemLog';

/** What an execution is suspended for. */
interface SuspendedFor {
	/** What one of its jobs is called: `crawl`. */
	label: string;
	ids: readonly string[];
	/** When n8n continues if no call comes. */
	until: Date;
}

/** A person finds in n8n's log what is waited for, and until when, whatever becomes of the wait. */
export function logSuspension(ctx: RunContext, { label, ids, until }: SuspendedFor): void {
	logForExecution(
		ctx,
		`suspended until the service calls or it is ${until.toISOString()}, for ${count(ids.length, label)}: ${named(ids)}`,
	);
}
