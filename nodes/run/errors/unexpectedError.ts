import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { INode, INodeExecutionData } from 'n8n-workflow';
import { escapeHtml } from '../../operation/hint';
import { isJsonObject } from '../../service/http/answer';
import { mistakeIn, reasonOf } from '../../service/http/failure';
import type { Secrets } from '../../service/secrets';
import type { RunContext } from '../connection/runContext';
import { nodeContext } from '../connection/runContext';
import { logForExecution, sentences } from '../output/hints';
import { describeJobs, errorItem, jobDetails } from '../output/itemError';
import type { JobOnRecord } from '../output/itemError';

/** Jobs and sessions of a run that ends early, of which a person must know. */
interface LeftBehind {
	jobs?: JobOnRecord[];
	/** The same of what is no job, in sentences. */
	text?: string;
}

/**
 * The error of the node for something unexpected that ended a run: n8n's own as it is, a mistake in this package under
 * its own name and with its own stack. Both say what was `left` behind. An error that was made for the node already is
 * returned as it is.
 */
export function unexpectedError(node: INode, error: unknown, left: LeftBehind = {}): Error {
	if (isTold(error)) return error;
	const mistake = mistakeIn(error);
	const shown = mistake ? mistakeError(node, mistake) : thrownError(error);
	const { jobs = [], text = '' } = left;
	const description = sentences([
		'description' in shown ? String(shown.description ?? '') : '',
		escapeHtml(sentences([describeJobs(jobs), text])),
	]);
	if (description !== '') Object.assign(shown, { description });
	if (isNodeError(shown)) shown.context.details = jobDetails(jobs);
	return shown;
}

/**
 * The same where an item that fails becomes an item with its error: one for each item of the input, since
 * nobody knows what would have become of them. The first has the details.
 */
export function unexpectedItems(ctx: RunContext, error: Error): INodeExecutionData[] {
	const plain = 'description' in error ? plainText(String(error.description ?? '')) : '';
	const message = sentences([reasonOf(error), plain]);
	const { name, stack = '' } = error;
	const own = isTold(error) ? error.context.details : {};
	const details = { ...(isJsonObject(own) && own), name, ...(mistakeIn(error) && { stack }) };
	return ctx.getInputData().map((_item, item) => {
		const shown = item === 0 ? { details } : {};
		return errorItem(ctx, { item, kind: 'job', message, ...shown });
	});
}

function isNodeError(error: unknown): error is NodeApiError | NodeOperationError {
	return error instanceof NodeApiError || error instanceof NodeOperationError;
}

function isTold(error: unknown): error is NodeApiError | NodeOperationError {
	return isNodeError(error) && isJsonObject(error.context.details);
}

function mistakeError(node: INode, { name, message, stack }: Error): NodeOperationError {
	const told = new NodeOperationError(node, name, {
		description:
			'This is a mistake in the package of this node, not in your workflow. Please report it with its stack trace.',
	});
	// n8n replaces messages that contain the name of a system error, so it is set last.
	told.message = `${name}: ${message}`;
	told.name = name;
	if (stack !== undefined) told.stack = stack;
	return told;
}

function thrownError(error: unknown): Error {
	return error instanceof Error ? error : new Error(reasonOf(error));
}

function plainText(html: string): string {
	return html.replace(/&#(\d+);/g, (_whole, code: string) => String.fromCharCode(Number(code)));
}

/** More than n8n ever nests; the bound keeps a circular chain from hanging. */
const MAX_CAUSES = 5;

/** The fields of an error that n8n stores and shows besides its message and its stack. */
interface ShownError extends Error {
	description?: unknown;
	messages?: unknown;
	context?: unknown;
}

/** Takes the secrets out of all that n8n stores and shows of an error. It stays the same object. */
export function redactError(error: Error, secrets: Secrets): Error {
	let current: unknown = error;
	for (let level = 0; level < MAX_CAUSES && current instanceof Error; level++) {
		redactOne(current, secrets);
		current = current.cause;
	}
	return error;
}

function redactOne(error: ShownError, secrets: Secrets): void {
	const { message, stack, description, messages, context } = error;
	const shown = secrets.inMessage(message);
	if (shown !== message) error.message = shown;
	const shownStack = stack === undefined ? undefined : secrets.inMessage(stack);
	if (shownStack !== undefined && shownStack !== stack) error.stack = shownStack;
	if (typeof description === 'string') error.description = secrets.inMessage(description);
	if (Array.isArray(messages)) error.messages = secrets.inSaid(messages);
	if (isJsonObject(context)) Object.assign(context, secrets.inSaid(context));
}

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
