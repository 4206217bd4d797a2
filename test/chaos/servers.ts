import type { FaultRule } from '../../sandbox/control/faultBook.ts';
import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { seededRandom } from '../../sandbox/runtime/runtime.ts';
import type { ChaosArguments } from './arguments.ts';
import { faultsOf } from './faultScript.ts';
import type { Asked, ScriptParts } from './faultScript.ts';
import { ForeignWork } from './foreign.ts';
import { questionIn } from './kinds.ts';
import type { Account } from './node.ts';

/** Accounts: what one learns about limits must not slow the others down. */
const KEYS = ['fc-chaos-1', 'fc-chaos-2', 'fc-chaos-3', 'fc-chaos-4'];
/** The account that is used after a death of n8n: a process that was started again knows nothing of it. */
const KEY_AFTERWARDS = 'fc-chaos-afterwards';

/** What the services have seen since the latest clear(). */
export interface Seen {
	/** Ids of the jobs that were started and the pages that were scraped, by question. */
	started: Map<string, string[]>;
	starts: number;
	requests: number;
	faults: Record<string, number>;
}

/**
 * Two services alike: executions with even numbers use the one, those with odd numbers the other.
 */
export class Servers {
	/** What somebody else of the same accounts does meanwhile. */
	readonly foreign = new ForeignWork();

	private readonly all: readonly [Sandbox, Sandbox];

	private constructor(all: readonly [Sandbox, Sandbox]) {
		this.all = all;
	}

	/** `lagMs`: how far status and lists are behind at most; each request meets another machine. */
	static async start({ seed, lists, lagMs }: ChaosArguments): Promise<Servers> {
		const keys = [...KEYS, KEY_AFTERWARDS];
		const random = seededRandom(seed);
		const lag = () => lagMs * random();
		const options = {
			lightWork: true,
			seed,
			keys,
			lists,
			statusLagMs: lag,
			listsLagMs: lag,
		};
		return new Servers([await startSandbox(options), await startSandbox({ ...options, seed: seed + 1 })]);
	}

	/** What the execution with this number uses. */
	accountOf(execution: number): Account {
		return { sandbox: this.sandboxOf(execution), key: KEYS[execution % KEYS.length] ?? '' };
	}

	/** The same, where n8n was killed and started again in between. */
	accountAfterwards(execution: number): Account {
		return { sandbox: this.sandboxOf(execution), key: KEY_AFTERWARDS };
	}

	/** As freshly started, without faults. */
	clear(): void {
		for (const sandbox of this.all) {
			sandbox.reset();
			sandbox.faults.clear();
		}
	}

	/** Sets the faults of these jobs where the execution looks for them. */
	setFaults(
		execution: number,
		asked: readonly Asked[],
		parts: ScriptParts,
		isWanted: (fault: FaultRule) => boolean = () => true,
	): void {
		const { faults } = this.sandboxOf(execution);
		for (const fault of asked.flatMap((one) => faultsOf(one, parts)).filter(isWanted)) {
			faults.add(fault);
		}
	}

	seen(): Seen {
		const seen: Seen = { started: new Map(), starts: 0, requests: 0, faults: {} };
		for (const sandbox of this.all) {
			const { starts, scrapes, requests, faults } = sandbox.stats();
			seen.starts += starts.total + scrapes.length;
			seen.requests += requests;
			const own = starts.list.filter(({ id }) => !this.foreign.isForeign(id));
			seen.starts -= starts.list.length - own.length;
			for (const { query, id } of own) note(seen.started, query, id);
			for (const { url, scrapeId } of scrapes) note(seen.started, url, scrapeId);
			for (const [kind, count] of Object.entries(faults)) {
				seen.faults[kind] = (seen.faults[kind] ?? 0) + count;
			}
		}
		return seen;
	}

	/** What was done to the work of others that should not have been, one line each. */
	async checkForeign(): Promise<string[]> {
		return await this.foreign.check(this.all.flatMap((sandbox) => sandbox.stats().cancels));
	}

	async stop(): Promise<void> {
		await Promise.all(this.all.map(async (sandbox) => await sandbox.stop()));
	}

	private sandboxOf(execution: number): Sandbox {
		return this.all[execution % 2 === 0 ? 0 : 1];
	}
}

function note(started: Map<string, string[]>, query: string, id: string): void {
	const question = questionIn(query);
	started.set(question, [...(started.get(question) ?? []), id]);
}
