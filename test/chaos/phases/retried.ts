import { retryFromStored } from '../../../engine/index.ts';
import type { Execution } from '../../../engine/index.ts';
import { faultsOf } from '../faultScript.ts';
import type { Asked, ScriptParts } from '../faultScript.ts';
import { MAY_HAVE_BEEN_STARTED } from '../invariants.ts';
import { kindOf } from '../kinds.ts';
import { NODE, optionsOf, runNode, sourceOf } from '../node.ts';
import type { Servers } from '../servers.ts';
import { EXECUTION_MS } from './rounds.ts';

/** Shorter than what faults can keep a job for, so that waits end before their jobs. No job lasts 3 s. */
const MAX_WAIT_SECONDS = 10;
/** Times that a person presses n8n's Retry. */
const MAX_RETRIES = 10;

/** An execution that stops at the first error, and what each of its items asks for, round by round. */
export interface Ride {
	/** Its number: the kind, the service and the account. */
	execution: number;
	rounds: Asked[][];
}

export interface RideEnd {
	last: Execution;
	/** Times that n8n's Retry was pressed. */
	retries: number;
	/** Every id that an error has named, or that came out. */
	named: Set<string>;
	/** What should never be, one line each. */
	violations: string[];
}

/** Runs it with Retry On Fail, and then presses n8n's Retry until it succeeds or nothing more helps. */
export async function ride({ execution, rounds }: Ride, servers: Servers): Promise<RideEnd> {
	const kind = kindOf(execution);
	const run = {
		account: servers.accountOf(execution),
		kind,
		rounds: rounds.map((asked) => asked.map(({ question }) => question)),
		node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
		options: { waitOptions: { maxJobsAtOnce: 1000, maxWait: MAX_WAIT_SECONDS } },
		signal: AbortSignal.timeout(EXECUTION_MS),
	};
	const last = await runNode(run);
	const end: RideEnd = { last, retries: 0, named: new Set(), violations: [] };
	while (end.last.error && end.retries < MAX_RETRIES) {
		noteError(end);
		end.retries += 1;
		end.last = await retryFromStored(end.last, await optionsOf(run));
	}
	if (end.last.error) noteError(end);
	checkEnd(end);
	rounds.forEach((asked, round) => checkOutput(end, asked, round));
	return end;
}

function noteError({ last, named }: RideEnd): void {
	const { error } = last;
	const details = error && 'context' in error ? error.context.details : undefined;
	const { jobs } = (details ?? {}) as { jobs?: Array<{ id: string }> };
	for (const { id } of jobs ?? []) named.add(id);
}

function checkEnd({ last, violations }: RideEnd): void {
	if (last.run.status === 'canceled') violations.push('a retried execution hung');
	else if (last.error && !MAY_HAVE_BEEN_STARTED.test(last.error.message)) {
		// The faults of a job are a dozen at most: what is left by now is not passing.
		violations.push(`retries never ended: ${last.error.message}`);
	}
}

/** Each item of a round that came to its end has the result of what it asked for. */
function checkOutput({ last, named, violations }: RideEnd, asked: Asked[], round: number): void {
	const { runData } = last.run.data.resultData;
	if (runData[NODE]?.[round]?.data === undefined) {
		if (!last.error) violations.push(`round ${round} of a loop is missing`);
		return;
	}
	const results = last.items(NODE, 0, round);
	for (const { json } of results) named.add(String(json.id));
	asked.forEach(({ question, kind }, item) => {
		const own = results.filter((result) => sourceOf(result) === item);
		const what = own.length === 1 ? kind.faultOf(own[0]?.json ?? {}, question) : `has ${own.length} results`;
		if (what !== undefined) violations.push(`${question}, round ${round}: ${what}`);
	});
}

/** How often the jobs of a retried execution were started. */
export interface Starts {
	/** More than once because the earlier ones had failed or were gone at the service, or were scrapes whose answer was lost. */
	again: number;
	violations: string[];
}

/** A job may be started again only where it is known to have failed or to be gone. */
export function checkStarts(
	{ rounds }: Ride,
	named: ReadonlySet<string>,
	started: ReadonlyMap<string, readonly string[]>,
	parts: ScriptParts,
): Starts {
	const starts: Starts = { again: 0, violations: [] };
	for (const asked of rounds.flat()) {
		const { question, kind } = asked;
		const ids = started.get(question) ?? [];
		const again = faultsOf(asked, parts).filter(kind.isJob ? endsJob : losesAnswer).length;
		starts.again += Math.max(0, ids.length - 1);
		if (ids.length > 1 + again) starts.violations.push(`${question}: paid ${ids.length} times`);
		// Of those that nobody named, one at most may be: the start whose answer was lost.
		const unnamed = kind.isJob ? ids.filter((id) => !named.has(id)) : [];
		if (unnamed.length > 1) starts.violations.push(`${question}: lost ${unnamed.join(', ')}`);
	}
	return starts;
}

/** A fault after which a job may be started again. */
export const endsJob = ({ kind }: { kind: string }) => kind === 'failJob' || kind === 'expire';

/** Nobody can take up a scrape by an id that was not read. */
const losesAnswer = ({ when }: { when?: string | undefined }) => when === 'after';
