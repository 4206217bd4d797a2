import { closeSession } from '../../../service/sessions/closeSession';
import type { SessionRun } from './sessionRun';

/** Closes the sessions with an id that an earlier try has left open, before this one opens others. Throws no ServiceFailure. */
export async function closeEarlier({
	memory,
	register,
	client,
	totals,
}: SessionRun): Promise<void> {
	await Promise.all(
		memory.left.map(async ({ key, id }) => {
			register.know(id, client.time.now());
			const closing = await closeSession(id, client);
			if (closing.kind === 'closed') {
				totals.noteClosed(id, closing.answer, totals.earlierIds);
				memory.forget(key);
			} else {
				totals.openIds.push(id);
			}
		}),
	);
}
