import { seededRandom } from '../../../sandbox/runtime/runtime.ts';
import type { ListState } from '../../../sandbox/service/serverKind.ts';
import { STAGES, stoppableKinds } from './stages.ts';
import type { Stage, StoppableKind } from './stages.ts';
import { stopOnce } from './stopOnce.ts';
import type { StopEnd } from './stopOnce.ts';

/** Executions that run at once; few, since it is checked how soon they end. */
const AT_ONCE = 4;
/** Stops at any time besides, within this many milliseconds. */
const ANYWHERE = 12;
const LATEST_STOP_MS = 3000;

export interface StopsResult {
	executions: number;
	/** Those that Stop still found running. */
	stopped: number;
	starts: number;
	/** How often each stage was met. */
	stages: Map<string, number>;
	violations: string[];
}

/**
 * Presses Stop in every stage of each kind of job, and at any time: the execution ends at once, nothing is
 * sent after that, and every job that the service has started is named in the error, or its item is told
 * to have been under way. n8n stores nothing that a Retry of a stopped execution could go on from.
 */
export async function runStops(seed: number, lists: ListState): Promise<StopsResult> {
	const random = seededRandom(seed);
	const anywhere = Array.from({ length: ANYWHERE }, (_unused, index): [Stage, StoppableKind] => {
		const afterMs = Math.ceil(random() * LATEST_STOP_MS);
		const stage = { name: 'at any time', afterMs, isReached: () => true, mayEndBefore: true };
		return [stage, stoppableKinds[index % stoppableKinds.length] ?? 'deepResearch'];
	});
	const staged = STAGES.filter(({ needsLists }) => !needsLists || lists === 'present').flatMap((stage) =>
		(stage.kinds ?? stoppableKinds).map((kind): [Stage, StoppableKind] => [stage, kind]),
	);
	const all = [...staged, ...anywhere];
	const result: StopsResult = {
		executions: all.length,
		stopped: 0,
		starts: 0,
		stages: new Map(),
		violations: [],
	};
	const waiting = [...all.entries()];
	const lane = async (): Promise<void> => {
		for (let next = waiting.shift(); next; next = waiting.shift()) {
			const [number, [stage, kind]] = next;
			add(await stopOnce({ seed: seed + number, lists, stage, kind, number }), stage, result);
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, lane));
	return result;
}

function add(end: StopEnd, { name }: Stage, result: StopsResult): void {
	result.starts += end.starts;
	result.violations.push(...end.violations);
	if (!end.wasStopped) return;
	result.stopped += 1;
	result.stages.set(name, (result.stages.get(name) ?? 0) + 1);
}
