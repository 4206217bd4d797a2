import type { INodeExecutionData } from 'n8n-workflow';
import type { ForeignWork } from './foreign.ts';
import type { ChaosKind } from './kinds.ts';
import { detailsOf, sourceOf } from './node.ts';

/** How the items of one or more executions have ended. */
export interface Tally {
	items: number;
	results: number;
	/** Errors of jobs that are known to have been started. */
	jobErrors: number;
	/** Starts that the service refused. */
	refused: number;
	/** Starts reported as "may have been started", and how many of them the service has. */
	uncertain: number;
	uncertainStarted: number;
	/** Those of them where somebody else had asked for the same, so that nobody can tell the two apart. */
	uncertainBeside: number;
	/** Jobs of others that came out by their address and time, where the item's own start had not arrived. */
	foreignRead: number;
	/** Jobs and sessions of others, at the same time. */
	foreign: number;
	/** Scrapes that failed, and how many of them the service has done although its answer was spoiled. */
	failedScrapes: number;
	lostScrapes: number;
	/** Jobs that the service has started, and pages that it has scraped. */
	starts: number;
	/** What should never be, one line each. */
	violations: string[];
}

const COUNTS = {
	items: 0,
	results: 0,
	jobErrors: 0,
	refused: 0,
	uncertain: 0,
	uncertainStarted: 0,
	uncertainBeside: 0,
	foreignRead: 0,
	foreign: 0,
	failedScrapes: 0,
	lostScrapes: 0,
	starts: 0,
};

export const emptyTally = (): Tally => ({ ...COUNTS, violations: [] });

export function addTally(sum: Tally, part: Tally): Tally {
	const total = { ...sum, violations: [...sum.violations, ...part.violations] };
	for (const name of Object.keys(COUNTS) as Array<keyof typeof COUNTS>) total[name] += part[name];
	return total;
}

export const MAY_HAVE_BEEN_STARTED = /may have been started/;

/** What came out of the node, and what the service has started by question. */
export interface Ends {
	good: readonly INodeExecutionData[];
	bad: readonly INodeExecutionData[];
	/** What the hints of the execution say. */
	hints: string;
	started: ReadonlyMap<string, readonly string[]>;
	foreign: ForeignWork;
}

/** What the service lists of a job differs: its address, its query. */
const BY_LIST_ONLY = /by (its|their) [\w ]+ and time only/;

/**
 * Compares what the node says about each of its items with what the service knows of it: ended once,
 * paid once, and every job that was started is either put out, named in an error, or told to be possible.
 */
export function checkItems(kind: ChaosKind, questions: readonly string[], ends: Ends): Tally {
	const { good, bad, started, foreign } = ends;
	const tally = { ...emptyTally(), items: questions.length };
	const results = new Set(good);
	const endsOf = new Map<number, INodeExecutionData[]>();
	for (const end of [...good, ...bad]) {
		endsOf.set(sourceOf(end), [...(endsOf.get(sourceOf(end)) ?? []), end]);
	}
	if (endsOf.has(-1)) tally.violations.push('an output item does not say which item it comes from');
	questions.forEach((question, index) => {
		const ids = started.get(question) ?? [];
		tally.starts += ids.length;
		const complain = (what: string) => tally.violations.push(`${question}: ${what}`);
		if (ids.length > 1) complain(`started ${ids.length} times`);
		const [end, ...more] = endsOf.get(index) ?? [];
		if (!end) return complain('has no end');
		if (more.length > 0) complain(`ended ${more.length + 1} times`);
		const isResult = results.has(end);
		const shownId = String(isResult ? end.json.id : detailsOf(end).jobId);
		if (ids.length === 0 && foreign.isForeign(shownId)) {
			// Its own start did not arrive, and the list shows no more than what somebody else's has, too.
			tally.foreignRead += 1;
			if (!BY_LIST_ONLY.test(ends.hints)) complain(`takes ${shownId} of somebody else, unsaid`);
			return;
		}
		const what = isResult
			? checkResult(kind, end, question, ids[0])
			: checkError(kind, end, { id: ids[0], isBeside: foreign.isAsked(question) }, tally);
		if (isResult) tally.results += 1;
		if (what !== undefined) complain(what);
	});
	return tally;
}

function checkResult(kind: ChaosKind, { json }: INodeExecutionData, question: string, id: string | undefined) {
	if (!kind.isJob) return id === undefined ? 'nobody has scraped it' : kind.faultOf(json, question);
	if (json.id !== id) return `its result has the id ${String(json.id)}, the service started ${id}`;
	if (json.status !== 'completed') return `its result is ${String(json.status)}`;
	return kind.faultOf(json, question);
}

/** Counts an error by what it says, and returns what is wrong about it. */
function checkError(
	kind: ChaosKind,
	end: INodeExecutionData,
	{ id, isBeside }: { id: string | undefined; isBeside: boolean },
	tally: Tally,
) {
	const text = String(end.json.error);
	const { jobId } = detailsOf(end);
	if (!kind.isJob) {
		tally.failedScrapes += 1;
		if (id !== undefined) tally.lostScrapes += 1;
		return text.length > 10 ? undefined : `says only "${text}"`;
	}
	if (MAY_HAVE_BEEN_STARTED.test(text)) {
		tally.uncertain += 1;
		if (id !== undefined) tally[isBeside ? 'uncertainBeside' : 'uncertainStarted'] += 1;
		return jobId === undefined ? undefined : 'it may have been started, but its id is known';
	}
	if (id === undefined) {
		tally.refused += 1;
		return jobId === undefined ? undefined : `names the job ${String(jobId)}, which nobody started`;
	}
	tally.jobErrors += 1;
	if (jobId !== id || !text.includes(id)) return `does not name its job ${id}: ${text}`;
	return undefined;
}
