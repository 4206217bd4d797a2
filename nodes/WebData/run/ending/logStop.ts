import type { RunContext } from '../connection/runContext';
import { nodeContext } from '../memory/crashRecovery';
import { logForExecution } from '../output/hints';

/** By the node's context in an execution: what its log says already. */
const saidIn = new WeakMap<object, Set<string>>();

/**
 * Says in n8n's log what has become of the jobs of a stopped execution: n8n keeps nothing of what a stopped
 * node throws. n8n continues with the tries of Retry On Fail after Stop, and each of them comes here; the log
 * has each sentence once, and not from a later try that nothing was started.
 */
export function logStop(ctx: RunContext, sentences: readonly string[]): void {
	const context = nodeContext(ctx);
	const before = saidIn.get(context);
	const fresh = sentences.filter((sentence) => before?.has(sentence) !== true);
	saidIn.set(context, new Set([...(before ?? []), ...fresh]));
	if (fresh.length > 0) logForExecution(ctx, `stopped. ${fresh.join(' ')}`);
	else if (!before) logForExecution(ctx, 'stopped. It had started no job.');
}
