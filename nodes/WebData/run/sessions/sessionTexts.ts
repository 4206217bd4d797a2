import type { ServiceFailure } from '../../../service/http/failure';
import type { Closing } from '../../../service/sessions/closeSession';
import type { StrayFinding } from '../../../service/sessions/findStray';
import type { Explained } from '../../operation/operation';
import { count, MOST_NAMED, named } from '../output/hintText';
import type { ItemFailure } from '../output/itemError';

/** When a session ends by itself that nobody closes. */
const byItself = (idleSeconds: number) =>
	`it ends by itself when nothing was done in it for ${count(idleSeconds, 'second')}`;

/** What became of the session of an item that failed. */
export function closedText(id: string, closing: Closing | undefined, idleSeconds: number): string {
	if (closing?.kind === 'closed') return 'The session was closed.';
	const why = closing ? ` ${closing.failure.message}` : '';
	return `The session ${id} could not be closed: ${byItself(idleSeconds)}, and a retry closes it.${why}`;
}

/** Why the session of an item was not opened, and what may be open all the same. */
export function openingFailed(
	failure: ServiceFailure,
	finding: StrayFinding | undefined,
	explained: Explained | undefined,
	idleSeconds: number,
): Omit<ItemFailure, 'item'> {
	const { kind, httpCode, message, reached } = failure;
	const base = { kind, httpCode };
	if (reached === 'no') return { ...base, message, ...explained };
	const ids = finding && 'ids' in finding ? finding.ids : [];
	return {
		...base,
		title: 'The session may have been opened',
		message: `${explained?.message ?? message} ${findingText(finding, idleSeconds)}`,
		...(ids.length > 0 && { candidates: ids.slice(0, MOST_NAMED) }),
	};
}

function findingText(finding: StrayFinding | undefined, idleSeconds: number): string {
	switch (finding?.kind) {
		case 'none':
			return "The service's list of open sessions has none that it may have opened. Nothing was run.";
		case 'found':
			return `Nothing was run. The session that it may have opened is ${named(finding.ids)}.`;
		case 'several':
		case 'doubt':
			return `Nothing was run. The service lists open sessions of which one may be it: ${named(finding.ids)}. None was closed, because they may be in use: ${byItself(idleSeconds)}.`;
		default:
			return `Nothing was run. The service's list of open sessions could not be had: if a session was opened, ${byItself(idleSeconds)}. A retry looks for it and closes it.`;
	}
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
			? `${count(unclear, 'session')} may have been opened: a retry looks for it and closes it.`
			: '',
	];
	return sentences.map((text) => (text === '' ? '' : ` ${text}`)).join('');
}
