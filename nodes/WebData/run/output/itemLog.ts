import { hideCredentials } from '../../../service/secrets/credentialText';
import type { RunContext } from '../connection/runContext';

/**
 * Writes into n8n's log what happens for an item. When a worker is killed, n8n throws away all it knew about
 * the execution (n8n 2.40, processError in workflow-runner.js): its log is then the only place that names
 * what was started. What is sent stands there before its answer comes, so that no line means: nothing was
 * started.
 */
export function logForItem(ctx: RunContext, item: number, what: string): void {
	ctx.logger.info(`${placeOf(ctx)}, item ${item}: ${hideCredentials(what)}`);
}

/** The same for what happens to all items at once. */
export function logForExecution(ctx: RunContext, what: string): void {
	ctx.logger.info(`${placeOf(ctx)}: ${hideCredentials(what)}`);
}

function placeOf(ctx: RunContext): string {
	return `Execution ${ctx.getExecutionId()}, node "${ctx.getNode().name}"`;
}
