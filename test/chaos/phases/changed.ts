import { retryFromStored } from '../../../engine/index.ts';
import type { Execution } from '../../../engine/index.ts';
import { askedBy } from '../faultScript.ts';
import type { Asked } from '../faultScript.ts';
import { KINDS, kindOf } from '../kinds.ts';
import { NODE, optionsOf, runNode } from '../node.ts';
import type { RunParts } from '../node.ts';
import type { Servers } from '../servers.ts';
import { endsJob } from './retried.ts';
import { EXECUTION_MS, WAIT_OPTIONS } from './rounds.ts';
import type { StormsParts } from './storms.ts';

const FIRST_NUMBER = 700_000;
const JOBS = 6;
/** Somebody changes the settings before the first Retry, back before the second, and once more. */
const RETRIES = 3;
/** Times that Retry is pressed after that, until nothing fails any more. */
const MAX_MORE = 10;

export interface ChangedResult {
	executions: number;
	jobs: number;
	/** With the settings of the first try, and with the changed ones. */
	starts: number;
	violations: string[];
}

/**
 * Executions that one refused start lets fail, and that are retried with other settings, then with those of
 * before: each job is paid for once with each settings, and the last Retry has what its settings ask for.
 */
export async function runChanged({ servers, ...script }: StormsParts): Promise<ChangedResult> {
	const parts = { ...script, hangs: false };
	const rides = Array.from({ length: 2 * KINDS.length }, (_unused, execution) => {
		const numbers = Array.from(
			{ length: JOBS },
			(_one, job) => FIRST_NUMBER + execution * 100 + job,
		);
		return { execution, asked: askedBy(execution, numbers, script.seed) };
	}).filter(({ execution }) => kindOf(execution).changed !== undefined);
	for (const { execution, asked } of rides) {
		servers.setFaults(
			execution,
			asked,
			parts,
			(fault) => !endsJob(fault) && fault.step !== 'start',
		);
	}
	const ends = await Promise.all(
		rides.map(async ({ execution, asked }) => await ride(execution, asked, servers)),
	);
	const { started } = servers.seen();
	const all = rides.flatMap(({ asked }) => asked);
	const paid = all.map(({ question }) => ({ question, ids: started.get(question) ?? [] }));
	const twice = paid.filter(({ ids }) => ids.length > 2);
	return {
		executions: rides.length,
		jobs: all.length,
		starts: paid.reduce((sum, { ids }) => sum + ids.length, 0),
		violations: [
			...ends.flat(),
			...twice.map(({ question, ids }) => `${question}: paid ${ids.length} times for two settings`),
		],
	};
}

/** Runs one to its end. Returns what is wrong with it, one line each. */
async function ride(
	execution: number,
	asked: readonly Asked[],
	servers: Servers,
): Promise<string[]> {
	const kind = kindOf(execution);
	const account = servers.accountOf(execution);
	const run = (isChanged: boolean): RunParts => ({
		account,
		kind: isChanged
			? { ...kind, parameters: { ...kind.parameters, ...kind.changed?.parameters } }
			: kind,
		rounds: [asked.map(({ question }) => question)],
		node: {},
		options: { ...WAIT_OPTIONS, ...(isChanged && kind.changed?.options) },
		signal: AbortSignal.timeout(EXECUTION_MS),
	});
	const accept = account.sandbox.faults.add({
		kind: 'status',
		httpStatus: 403,
		error: 'Not now',
		step: 'start',
		query: asked.at(-1)?.question ?? '',
	});
	let last: Execution = await runNode(run(false));
	for (let retry = 1; retry <= RETRIES; retry++) {
		if (retry === RETRIES) accept();
		last = await retryFromStored(last, await optionsOf(run(retry % 2 === 1)));
	}
	// The faults of a job are a dozen at most: with the same settings they come to an end.
	for (let more = 0; last.error && more < MAX_MORE; more++) {
		last = await retryFromStored(last, await optionsOf(run(RETRIES % 2 === 1)));
	}
	if (last.error) return [`a retry with other settings failed: ${last.error.message}`];
	const ends = last.items(NODE, 0);
	return asked.flatMap(({ question }, item) => {
		const what = ends[item] ? kind.faultOf(ends[item].json, question) : 'has no result';
		return what === undefined ? [] : [`${question}, with other settings: ${what}`];
	});
}
