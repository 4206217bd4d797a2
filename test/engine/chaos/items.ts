import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { sourceItems } from '../run';
import type { ChaosKind } from './kinds';
import type { WorkOfOthers } from './others';

/** What should never be, one line each, and how often what else has happened. */
export interface Tally {
	violations: string[];
	counts: Record<string, number>;
}

export const newTally = (): Tally => ({ violations: [], counts: {} });

export function count({ counts }: Tally, what: string, times = 1): void {
	counts[what] = (counts[what] ?? 0) + times;
}

export const MAY_HAVE_BEEN_STARTED = /may have been started/;

/** What the service lists of a job differs: its address, its query. */
const BY_LIST_ONLY = /by (its|their) [\w ]+ and time only/;

/** What came out of the node, and what the service has started by question. */
export interface Ends {
	good: readonly INodeExecutionData[];
	bad: readonly INodeExecutionData[];
	/** What the hints of the execution say. */
	hints: string;
	started: ReadonlyMap<string, readonly string[]>;
	others: WorkOfOthers;
}

/**
 * Compares what the node says about each of its items with what the service knows of it: ended once,
 * paid once, and every job that was started is either put out, named in an error, or told to be possible.
 */
export function checkItems(kind: ChaosKind, questions: readonly string[], ends: Ends, tally: Tally): void {
	const { good, bad, hints, started, others } = ends;
	const all = [...good, ...bad];
	const sources = sourceItems(all);
	if (sources.includes(-1)) tally.violations.push('an output item does not say which item it comes from');
	questions.forEach((question, index) => {
		const [id, ...again] = started.get(question) ?? [];
		const complain = (what: string) => void tally.violations.push(`${question}: ${what}`);
		if (id !== undefined) count(tally, 'starts', 1 + again.length);
		if (again.length > 0) complain(`started ${1 + again.length} times`);
		const [end, ...more] = all.filter((_end, at) => sources[at] === index);
		if (!end) return complain('has no end');
		if (more.length > 0) complain(`ended ${more.length + 1} times`);
		const isResult = good.includes(end);
		const shownId = String(isResult ? end.json.id : detailsOf(end).jobId);
		if (id === undefined && others.has(shownId)) {
			// Its own start did not arrive, and the list shows no more than what somebody else's has, too.
			count(tally, 'read from others');
			if (!BY_LIST_ONLY.test(hints)) complain(`takes ${shownId} of somebody else, unsaid`);
			return;
		}
		if (isResult) count(tally, 'results');
		const what = isResult
			? checkResult(kind, end, question, id)
			: checkError(kind, end, id, others.hasAskedFor(question), tally);
		if (what !== undefined) complain(what);
	});
}

function checkResult(kind: ChaosKind, { json }: INodeExecutionData, question: string, id: string | undefined) {
	if (!kind.isJob) return id === undefined ? 'nobody has scraped it' : kind.faultOf(json, question);
	if (json.id !== id) return `its result has the id ${String(json.id)}, the service started ${id}`;
	if (json.status !== 'completed') return `its result is ${String(json.status)}`;
	return kind.faultOf(json, question);
}

/** Counts an error by what it says, and returns what is wrong about it. */
function checkError(
	{ isJob }: ChaosKind,
	end: INodeExecutionData,
	id: string | undefined,
	isBeside: boolean,
	tally: Tally,
) {
	const text = String(end.json.error);
	const { jobId } = detailsOf(end);
	if (!isJob) {
		count(tally, id === undefined ? 'scrapes failed' : 'scrapes failed though done');
		return text.length > 10 ? undefined : `says only "${text}"`;
	}
	if (MAY_HAVE_BEEN_STARTED.test(text)) {
		count(tally, 'may have been started');
		if (id !== undefined) count(tally, isBeside ? 'of these started beside others' : 'of these started');
		return jobId === undefined ? undefined : 'it may have been started, but its id is known';
	}
	if (id === undefined) {
		count(tally, 'refused');
		return jobId === undefined ? undefined : `names the job ${String(jobId)}, which nobody started`;
	}
	count(tally, 'errors with their job');
	return jobId === id && text.includes(id) ? undefined : `does not name its job ${id}: ${text}`;
}

/** The details of an item on the error output. */
function detailsOf({ json: { details } }: INodeExecutionData): IDataObject {
	return typeof details === 'object' && details !== null && !Array.isArray(details) ? (details as IDataObject) : {};
}
