import { flowNodes, retryFromStored, runWorkflow } from '../../../tools/n8n-engine/index.ts';
import type { Execution } from '../../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../../sandbox/server.ts';
import { executionOptions, inLoop, NODE, sourceItems, workflowWith } from '../run';
import { faultsOf } from './faults';
import type { Asked, FaultParts } from './faults';
import { count, MAY_HAVE_BEEN_STARTED } from './items';
import type { Tally } from './items';

/** Shorter than what faults can keep a job for, so that waits end before their jobs. No job lasts 3 s. */
const MAX_WAIT_SECONDS = 10;
/** Times that a person presses n8n's Retry. */
const MAX_RETRIES = 10;
/** Between the questions of an item, one for each round of a loop. */
const BETWEEN = '|';

/** How an execution has ended, and every id that an error has named, or that came out. */
interface End {
	last: Execution;
	named: Set<string>;
}

/**
 * Runs the node on these questions, once for each round, with Retry On Fail, stops at the first error, and then
 * presses n8n's Retry until it succeeds or nothing more helps.
 */
export async function runUntilDone(
	sandbox: Sandbox,
	apiKey: string,
	rounds: readonly Asked[][],
	signal: AbortSignal,
	tally: Tally,
): Promise<Set<string>> {
	const [first = []] = rounds;
	const { isJob = true, parameters = {} } = first[0]?.kind ?? {};
	const waits = { options: { waitOptions: { maxJobsAtOnce: 1000, maxWait: MAX_WAIT_SECONDS } } };
	// In a loop the node is given its own output again, so that it asks the first items.
	const question = `$("Items").all()[$itemIndex].json.q.split("${BETWEEN}")[$runIndex]`;
	const asks = Object.entries(parameters).map(([name, value]) => [
		name,
		typeof value === 'string' ? value.replace('$json.q', question) : value,
	]);
	const workflow = workflowWith({ ...Object.fromEntries(asks), ...(isJob && waits) });
	const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
	const credential = { baseUrl: sandbox.baseUrl, apiKey };
	const options = {
		...(await executionOptions(sandbox, {}, { node, credential, signal })),
		workflow: rounds.length > 1 ? inLoop(workflow, rounds.length) : workflow,
		otherNodeTypes: flowNodes,
	};
	const items = first.map((_one, item) => ({
		json: { q: rounds.map((asked) => asked[item]?.question).join(BETWEEN) },
	}));
	const end: End = { last: await runWorkflow({ ...options, pinData: { Items: items } }), named: new Set() };
	for (let retries = 0; end.last.error && retries < MAX_RETRIES; retries++) {
		noteError(end);
		count(tally, 'retries');
		end.last = await retryFromStored(end.last, options);
	}
	const { error, run } = end.last;
	if (error) noteError(end);
	else count(tally, 'retried to a good end');
	if (run.status === 'canceled') tally.violations.push('a retried execution hung');
	else if (error && !MAY_HAVE_BEEN_STARTED.test(error.message)) {
		// The faults of a job are a dozen at most: what is left by now is not passing.
		tally.violations.push(`retries never ended: ${error.message}`);
	}
	rounds.forEach((asked, round) => checkOutput(end, asked, round, tally));
	return end.named;
}

function noteError({ last: { error }, named }: End): void {
	const details = error && 'context' in error ? error.context.details : undefined;
	const { jobs } = (details ?? {}) as { jobs?: Array<{ id: string }> };
	for (const { id } of jobs ?? []) named.add(id);
}

/** Each item of a round that came to its end has the result of what it asked for. */
function checkOutput({ last, named }: End, asked: Asked[], round: number, { violations }: Tally): void {
	if (last.run.data.resultData.runData[NODE]?.[round]?.data === undefined) {
		if (!last.error) violations.push(`round ${round} of a loop is missing`);
		return;
	}
	const results = last.items(NODE, 0, round);
	const sources = sourceItems(results);
	for (const { json } of results) named.add(String(json.id));
	asked.forEach(({ question, kind }, item) => {
		const own = results.filter((_result, at) => sources[at] === item);
		const what = own.length === 1 ? kind.faultOf(own[0]?.json ?? {}, question) : `has ${own.length} results`;
		if (what !== undefined) violations.push(`${question}, round ${round}: ${what}`);
	});
}

/** A job may be started again only where it is known to have failed or to be gone. */
export function checkStarts(
	asked: Asked,
	ids: readonly string[],
	named: ReadonlySet<string>,
	parts: FaultParts,
	tally: Tally,
): void {
	const { question, kind } = asked;
	const again = faultsOf(asked, parts).filter(kind.isJob ? endsJob : losesAnswer).length;
	count(tally, 'retried starts', ids.length);
	if (ids.length > 1 + again) tally.violations.push(`${question}: paid ${ids.length} times`);
	// Of those that nobody named, one at most may be: the start whose answer was lost.
	const unnamed = kind.isJob ? ids.filter((id) => !named.has(id)) : [];
	if (unnamed.length > 1) tally.violations.push(`${question}: lost ${unnamed.join(', ')}`);
}

/** A fault after which a job may be started again. */
const endsJob = ({ kind }: { kind: string }) => kind === 'failJob' || kind === 'expire';

/** Nobody can take up a scrape by an id that was not read. */
const losesAnswer = ({ when }: { when?: string | undefined }) => when === 'after';
