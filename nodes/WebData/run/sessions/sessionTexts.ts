import type { ServiceFailure } from '../../../service/http/failure';
import type { Closing } from '../../../service/sessions/closeSession';
import type { PossibleOrphan } from '../../../service/sessions/orphanedSessions';
import type { Explained } from '../../operation/operation';
import { count, named } from '../output/hintText';
import type { ItemFailure } from '../output/itemError';

/** What became of the session of an item that failed. */
export function closedText(id: string, closing: Closing | undefined, idleSeconds: number): string {
	if (closing?.kind === 'closed') return 'The session was closed.';
	const why = closing ? ` ${closing.failure.message}` : '';
	return `The session ${id} could not be closed: it ends by itself when ${idleText(idleSeconds)}, and a retry closes it.${why}`;
}

/** Why the session of an item was not opened. */
export function openingFailed(
	failure: ServiceFailure,
	explained: Explained | undefined,
	isOverCap: boolean,
): Omit<ItemFailure, 'item'> {
	const { kind, httpCode, message, reached } = failure;
	const base = { kind, httpCode };
	if (reached === 'no') return { ...base, message, ...explained };
	const capped = isOverCap
		? ' No other was opened, because that could cost more than Max Credits (This Run) allows.'
		: '';
	return {
		...base,
		title: 'The session may have been opened',
		message: `${explained?.message ?? message} Nothing was run.${capped}`,
	};
}

/**
 * Which sessions may be those of openings whose end nobody knows; undefined: the list could not be read.
 * None of them is proven ours, so that closing them is for a person.
 */
export function orphansText(
	orphans: readonly PossibleOrphan[] | undefined,
	idleSeconds: number | undefined,
): string {
	const end =
		idleSeconds === undefined ? 'when its Idle Limit is over' : `when ${idleText(idleSeconds)}`;
	if (!orphans) {
		return `The list of open sessions could not be read: if one was opened, it ends by itself ${end}.`;
	}
	const [first, ...more] = orphans;
	if (!first) return 'The service lists no session that it may have opened.';
	if (more.length === 0) {
		return `Session ${first.id}, ${ageText(first)}, may be yours: close it with Browser · Close Session if so. It ends by itself ${end}.`;
	}
	const shown = named(orphans.map((one) => `${one.id} (${ageText(one)})`));
	return `Sessions ${shown} may be yours: close them with Browser · Close Session if so. Each ends by itself ${end}.`;
}

const idleText = (idleSeconds: number) =>
	`nothing is done in it for ${count(idleSeconds, 'second')}`;

function ageText({ ageMs }: PossibleOrphan): string {
	if (ageMs === undefined) return 'opened at an unknown time';
	const seconds = Math.round(ageMs / 1000);
	return seconds < 120
		? `opened ${seconds} s ago`
		: `opened ${Math.round(seconds / 60).toLocaleString('en-US')} min ago`;
}

/** Where among the steps something went wrong; nothing where there is only one. */
export function atStep(index: number, steps: number, { title, message }: Explained): Explained {
	if (steps === 1) return { title, message };
	const where = `Step ${index + 1} of ${steps}`;
	return { title: `${where}: ${title}`, message: `${where}: ${message}` };
}

/** What a stopped execution leaves. */
export function stoppedText(closed: string[], open: string[], unclear: number): string {
	const sentences = [
		closed.length > 0 ? `Closed: ${named(closed)}.` : '',
		open.length > 0 ? `Could not be closed in time, and may still cost: ${named(open)}.` : '',
		unclear > 0
			? `${count(unclear, 'session')} may have been opened: Browser · Get Many Sessions lists what is open, and what nothing is done in ends when its Idle Limit is over.`
			: '',
	];
	return sentences.map((text) => (text === '' ? '' : ` ${text}`)).join('');
}
