import { isJsonObject } from '../../../service/http/answer';
import type { Secrets } from '../../../service/secrets/secrets';

/** More than n8n ever nests; the bound keeps a circular chain from hanging. */
const MAX_CAUSES = 5;

/** What n8n stores and shows of an error besides its message and its stack. */
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
