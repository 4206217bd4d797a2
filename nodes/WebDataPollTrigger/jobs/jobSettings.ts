import { refusedInput } from '../../service/http/failure';
import { readJobId } from '../../service/jobs/jobKinds';
import { byEndpoint } from './listedKinds';

/** Most IDs of a list. */
const MAX_IDS = 100;

/** What the panel says of the jobs whose end counts. */
export type JobSettings = { output: 'job' | 'result' } & (
	{ which: 'feed'; kinds: string[] } | { which: 'ids'; ids: string[]; kind: string }
);

/** Reads and checks the fields. Throws a ServiceFailure of kind badInput that names the wrong one. */
export function readJobSettings({
	which,
	kinds,
	kind,
	ids,
	output,
}: Record<string, unknown>): JobSettings {
	if (output !== 'job' && output !== 'result')
		throw refusedInput('"Output" must be Job or Result.');
	if (which === 'ids') {
		if (typeof kind !== 'string' || !byEndpoint.has(kind))
			throw refusedInput(`"Kind" must be ${KINDS}.`);
		return { output, which, kind, ids: readIds(ids) };
	}
	if (which !== 'feed') throw refusedInput('"Jobs" must be All of the Account or List of IDs.');
	const list: unknown[] | undefined = Array.isArray(kinds) ? kinds : undefined;
	const known = list?.filter((one) => typeof one === 'string' && byEndpoint.has(one));
	if (!list || known?.length !== list.length)
		throw refusedInput(`"Kinds" must be a list of ${KINDS}.`);
	return { output, which, kinds: list.map(String) };
}

const KINDS = [...byEndpoint.keys()].join(', ');

function readIds(given: unknown): string[] {
	const text = typeof given === 'string' ? given : '';
	const ids = [...new Set(text.split(/[\s,]+/))].filter((id) => id !== '');
	const noId = ids.find((id) => readJobId(id) === undefined);
	if (noId !== undefined) {
		throw refusedInput(`"Job IDs" holds something that is no ID: ${noId.slice(0, 60)}.`);
	}
	if (ids.length === 0 || ids.length > MAX_IDS) {
		throw refusedInput(`"Job IDs" must hold 1 to ${MAX_IDS} IDs, one per line.`);
	}
	return ids;
}
