import { AGENT_NODE, callAsTool, recoveredFromCrash, TOOL_NODE } from '../../../engine/index.ts';
import type { ToolCall } from '../../../engine/index.ts';
import type { FaultRule } from '../../../sandbox/control/faultBook.ts';
import { seededRandom } from '../../../sandbox/runtime/runtime.ts';
import { askedBy } from '../faultScript.ts';
import type { Asked } from '../faultScript.ts';
import { KINDS } from '../kinds.ts';
import type { ChaosKind } from '../kinds.ts';
import { builtPackage } from '../node.ts';
import type { Account } from '../node.ts';
import { endsJob } from './retried.ts';
import { MAX_WAIT_SECONDS } from './rounds.ts';
import type { StormsParts } from './storms.ts';

/** n8n calls tools in two ways: inside the agent (AI Agent 1 and 2), and as nodes (3). */
const PATHS = ['invoke', 'request'] as const;

const FIRST_NUMBER = 900_000;
const CALLS = 6;
/** Times that the model fails after its calls, and n8n's Retry is pressed. */
const FAILURES = 3;

export interface AgentsResult {
	agents: number;
	/** What their models asked for, and how much of it was asked more than once. */
	calls: number;
	starts: number;
	violations: string[];
}

interface AgentRun {
	path: (typeof PATHS)[number];
	asked: Asked[];
	kind: ChaosKind;
	account: Account;
	/** n8n is killed in its first execution, while the agent works. */
	isKilled: boolean;
	/** What a new process uses: it knows nothing of the other key. */
	accountAfterwards: Account;
}

/**
 * Agents of both ways to call a tool, whose model fails after its calls, again and again, or over which n8n
 * is killed; each time they ask for the same in another order. Nothing may be paid for twice.
 */
export async function runAgents({ servers, ...script }: StormsParts): Promise<AgentsResult> {
	const random = seededRandom(script.seed);
	const parts = { ...script, hangs: false };
	const runs = KINDS.flatMap((kind, index) =>
		PATHS.flatMap((path, way) =>
			[false, true].map((isKilled): AgentRun => {
				const numbers = Array.from({ length: CALLS }, (_unused, call) => call);
				const first = FIRST_NUMBER + index * 1000 + way * 100 + Number(isKilled) * 50;
				const asked = askedBy(
					index,
					numbers.map((call) => first + call),
					script.seed,
				);
				const account = servers.accountOf(index);
				const accountAfterwards = servers.accountAfterwards(index);
				servers.setFaults(index, asked, parts, isPassing);
				return { path, asked, kind, account, isKilled, accountAfterwards };
			}),
		),
	).filter(({ kind, isKilled }) => !kind.changes && (kind.isJob || !isKilled));
	const said = await Promise.all(runs.map(async (run) => await runAgent(run, random)));
	const { started } = servers.seen();
	const asked = runs.flatMap((run) => run.asked);
	const violations = asked.flatMap((one) => {
		const ids = started.get(one.question) ?? [];
		return ids.length > 1 ? [`${one.question}: an agent paid ${ids.length} times`] : [];
	});
	return {
		agents: runs.length,
		calls: asked.length,
		starts: asked.reduce((sum, { question }) => sum + (started.get(question)?.length ?? 0), 0),
		violations: [...violations, ...said.flat()],
	};
}

/** Runs one until its model no longer fails. Returns what is wrong with its end, one line each. */
async function runAgent(run: AgentRun, random: () => number): Promise<string[]> {
	let account = run.account;
	let last = await call(run, account, run.asked, { modelFails: true });
	if (run.isKilled) {
		const killed = [AGENT_NODE, TOOL_NODE].reduce(recoveredFromCrash, last.storedBefore);
		const { executionId } = last.execution;
		account = run.accountAfterwards;
		const retryOf = { executionId, stored: killed };
		last = await call(run, account, run.asked, { modelFails: true, retryOf });
	}
	for (let failure = 1; failure < FAILURES; failure++) {
		const again = [...run.asked].sort(() => random() - 0.5);
		last = await call(run, account, again, { modelFails: true, retryOf: last.execution });
	}
	const end = await call(run, account, run.asked, { retryOf: last.execution });
	const texts = end.texts.length;
	return texts === CALLS ? [] : [`an agent (${run.path}, ${run.kind.name}) got ${texts} answers: ${end.text}`];
}

async function call(
	{ path, kind }: AgentRun,
	{ sandbox, key }: Account,
	asked: readonly Asked[],
	more: { modelFails?: boolean; retryOf?: { executionId: string; stored: string } },
): Promise<ToolCall & { storedBefore: string }> {
	let storedBefore = '';
	const parameters = Object.fromEntries(
		Object.entries(kind.parameters).map(([name, value]) => [
			name,
			value === '={{ $json.q }}' ? "={{ $fromAI('q', 'what to ask for', 'string') }}" : value,
		]),
	);
	const tool = await callAsTool({
		package: await builtPackage(),
		credential: { baseUrl: sandbox.baseUrl, apiKey: key },
		nodeName: 'webData',
		parameters: {
			...parameters,
			...(kind.isJob && { options: { waitOptions: { maxWait: MAX_WAIT_SECONDS } } }),
		},
		args: asked.map(({ question }) => ({ q: question })),
		path,
		onProgress: (nodeName, stored) => {
			if (nodeName === 'Trigger') storedBefore = stored;
		},
		...more,
	});
	return { ...tool, storedBefore };
}

/** Faults that change nothing about how often a job may be started. */
function isPassing(fault: FaultRule): boolean {
	return !endsJob(fault) && (fault.step !== 'scrape' || fault.kind === 'slow');
}
