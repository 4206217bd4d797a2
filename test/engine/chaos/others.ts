import type { Sandbox } from '../../../sandbox/server.ts';
import { seededRandom } from '../../../sandbox/runtime/runtime.ts';
import { after } from '../run';
import type { Asked } from './faults';

/** Share of the jobs of an execution that somebody else of the account starts, too, with other settings. */
const SHARE = 0.1;
/** They are started at any time within so many milliseconds after the execution began. */
const WITHIN_MS = 2000;

/**
 * Work of somebody else with the same key: jobs that ask for the same address or question at the same moment
 * with other settings, and open browser sessions. It suffers no fault, and nobody but its owner may end it.
 */
export class WorkOfOthers {
	private readonly sandbox: Sandbox;
	private readonly jobs: Array<{ id: string; question: string }> = [];
	private readonly sessions: Array<{ id: string; key: string }> = [];

	constructor(sandbox: Sandbox) {
		this.sandbox = sandbox;
	}

	/** Starts jobs beside some of those of an execution, and opens a session. Resolves when all are there. */
	async startBeside(key: string, asked: readonly Asked[], seed: number): Promise<void> {
		const random = seededRandom(seed * 7 + (asked[0]?.number ?? 0));
		const jobs = asked.map(async ({ kind: { byOthers }, question }) => {
			const atMs = WITHIN_MS * random();
			if (random() >= SHARE || !byOthers) return;
			await after(atMs);
			const { id } = await this.ask(key, 'POST', byOthers.path, byOthers.bodyOf(question));
			this.jobs.push({ id: String(id), question });
		});
		await Promise.all(jobs);
		const { id } = await this.ask(key, 'POST', '/v2/interact', { ttl: 3600, activityTtl: 3600 });
		this.sessions.push({ id: String(id), key });
	}

	has(id: string): boolean {
		return this.jobs.some((job) => job.id === id);
	}

	/** True where somebody else asked for it as well, so that a lost start may not be told from theirs. */
	hasAskedFor(question: string): boolean {
		return this.jobs.some((job) => job.question === question);
	}

	get count(): number {
		return this.jobs.length + this.sessions.length;
	}

	/** What was done to it that should not have been, one line each. */
	async check(): Promise<string[]> {
		const { cancels } = this.sandbox.stats();
		const cancelled = this.jobs.filter(({ id }) => cancels.includes(id));
		const lists = new Map<string, string>();
		for (const { key } of this.sessions) {
			lists.set(key, JSON.stringify(await this.ask(key, 'GET', '/v2/interact?status=active')));
		}
		const closed = this.sessions.filter(({ id, key }) => !lists.get(key)?.includes(id));
		return [
			...cancelled.map(({ id }) => `the job ${id} of somebody else was cancelled`),
			...closed.map(({ id }) => `the session ${id} of somebody else was closed`),
		];
	}

	private async ask(key: string, method: string, path: string, body?: object): Promise<Record<string, unknown>> {
		const headers = {
			Authorization: `Bearer ${key}`,
			'Content-Type': 'application/json',
			'X-Sandbox-No-Faults': '1',
			Connection: 'close',
		};
		const response = await fetch(`${this.sandbox.baseUrl}${path}`, {
			method,
			headers,
			...(body && { body: JSON.stringify(body) }),
		});
		expect(response.ok).toBe(true);
		return (await response.json()) as Record<string, unknown>;
	}
}
