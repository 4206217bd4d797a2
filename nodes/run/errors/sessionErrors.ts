import { named } from '../../operation/hint';
import type { Explained } from '../../operation/operation';
import type { ServiceFailure } from '../../service/http/failure';
import type { Closing } from '../../service/sessions';
import { count } from '../../text/amounts';
import type { ItemFailure } from '../output/itemError';

/** The end of the session of an item that failed. */
export function closedText(id: string, closing: Closing | undefined, idleSeconds: number): string {
	if (closing?.kind === 'closed') return 'The session was closed.';
	const why = closing ? ` ${closing.failure.message}` : '';
	return `The session ${id} could not be closed: it ends by itself when ${idleText(idleSeconds)}, and a retry closes it.${why}`;
}

/** The reason why the session of an item was not opened. */
export function openingFailed(
	failure: ServiceFailure,
	explained: Explained | undefined,
	isOverCap: boolean,
	idleSeconds: number,
): Omit<ItemFailure, 'item'> {
	const { kind, httpCode, message, mayHaveExecuted } = failure;
	const base = { kind, httpCode };
	if (!mayHaveExecuted) return { ...base, message, ...explained };
	const capped = isOverCap
		? ' No other was opened, because that could cost more than Max Credits (This Run) allows.'
		: '';
	return {
		...base,
		title: 'The session may have been opened',
		message: `${explained?.message ?? message} Nothing was run. If a session was opened, it ends by itself when ${idleText(idleSeconds)}.${capped}`,
	};
}

const idleText = (idleSeconds: number) => `nothing is done in it for ${count(idleSeconds, 'second')}`;

/** The step at which something went wrong; nothing where there is only one. */
export function atStep(index: number, steps: number, { title, message }: Explained): Explained {
	if (steps === 1) return { title, message };
	const where = `Step ${index + 1} of ${steps}`;
	return { title: `${where}: ${title}`, message: `${where}: ${message}` };
}

/** The message about the sessions of a stopped execution. */
export function stoppedText(closed: string[], open: string[], unclear: number): string {
	const sentences = [
		closed.length > 0 ? `Closed: ${named(closed)}.` : '',
		open.length > 0 ? `Could not be closed in time, and may still cost: ${named(open)}.` : '',
		unclear > 0
			? `${count(unclear, 'session')} may have been opened: Browser · Get Many Sessions lists what is open, and an unused session ends when its Idle Limit is over.`
			: '',
	];
	return sentences.map((text) => (text === '' ? '' : ` ${text}`)).join('');
}
