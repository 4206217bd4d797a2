import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../sandbox/runtime/runtime.ts';
import type { Asked } from './faultScript.ts';
import type { ForeignStart } from './kinds.ts';
import type { Account } from './node.ts';

/** Share of the jobs of an execution that somebody else of the account starts, too, with other settings. */
const SHARE = 0.1;

/** They are started at any time within so many milliseconds after the execution began. */
const WITHIN_MS = 2000;

/** Most times that somebody else tries to connect. */
const MAX_TRIES = 5;

interface ForeignJob {
	id: string;
	question: string;
}

interface ForeignSession {
	id: string;
	account: Account;
}

/**
 * Work of somebody else with the same key: jobs that ask for the same address or question at the same moment
 * with other settings, and open browser sessions. It suffers no fault, and nobody but its owner may end it.
 */
export class ForeignWork {
	private jobs: ForeignJob[] = [];

	private sessions: ForeignSession[] = [];

	/** Starts jobs beside some of those of an execution, and opens a session. Resolves when all are there. */
	async startBeside(account: Account, asked: readonly Asked[], seed: number): Promise<void> {
		const random = seededRandom(seed * 7 + (asked[0]?.number ?? 0));
		const jobs = asked.flatMap(({ kind, question }) => {
			const atMs = WITHIN_MS * random();
			const isTaken = random() < SHARE && kind.foreign !== undefined;
			return isTaken ? [this.startJob(account, kind.foreign, question, atMs)] : [];
		});
		await Promise.all([...jobs, this.openSession(account, WITHIN_MS * random())]);
	}

	isForeign(id: string): boolean {
		return this.jobs.some((job) => job.id === id);
	}

	/** True where somebody else asked for it as well, so that a lost start may not be told from theirs. */
	isAsked(question: string): boolean {
		return this.jobs.some((job) => job.question === question);
	}

	get count(): number {
		return this.jobs.length + this.sessions.length;
	}

	/** What was done to it that should not have been, one line each; what belongs to a service is forgotten then. */
	async check(cancels: readonly string[]): Promise<string[]> {
		const cancelled = this.jobs
			.filter(({ id }) => cancels.includes(id))
			.map(({ id }) => `the job ${id} of somebody else was cancelled`);
		const closed = await Promise.all(
			this.sessions.map(async ({ id, account }) => {
				const { sessions } = await ask(account, 'GET', '/v2/interact?status=active');
				const isOpen = Array.isArray(sessions) && JSON.stringify(sessions).includes(id);
				return isOpen ? [] : [`the session ${id} of somebody else was closed`];
			}),
		);
		this.jobs = [];
		this.sessions = [];
		return [...cancelled, ...closed.flat()];
	}

	private async startJob(
		account: Account,
		foreign: ForeignStart | undefined,
		question: string,
		atMs: number,
	): Promise<void> {
		if (!foreign) return;
		await sleep(atMs);
		const { id } = await ask(account, 'POST', foreign.path, foreign.bodyOf(question));
		this.jobs.push({ id: String(id), question });
	}

	private async openSession(account: Account, atMs: number): Promise<void> {
		await sleep(atMs);
		const { id } = await ask(account, 'POST', '/v2/interact', { ttl: 3600, activityTtl: 3600 });
		this.sessions.push({ id: String(id), account });
	}
}

async function ask(
	{ sandbox, key }: Account,
	method: string,
	path: string,
	body?: object,
): Promise<Record<string, unknown>> {
	const response = await connected(`${sandbox.baseUrl}${path}`, {
		method,
		headers: {
			Authorization: `Bearer ${key}`,
			'Content-Type': 'application/json',
			'X-Sandbox-No-Faults': '1',
			// A connection that the sandbox closes at this moment would fail what only it knows the end of.
			Connection: 'close',
		},
		...(body && { body: JSON.stringify(body) }),
	});
	const answer: unknown = await response.json();
	if (!response.ok || typeof answer !== 'object' || answer === null) {
		throw new Error(`The sandbox refused somebody else's ${method} ${path}: ${response.status}.`);
	}
	return { ...answer };
}

/** A machine that stands still for a while makes connections time out; what was never sent may be sent again. */
async function connected(url: string, init: RequestInit): Promise<Response> {
	for (let tries = 1; ; tries++) {
		try {
			return await fetch(url, init);
		} catch (error) {
			const cause = error instanceof Error ? error.cause : undefined;
			const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
			if (code !== 'UND_ERR_CONNECT_TIMEOUT' || tries >= MAX_TRIES) {
				throw new Error(`Somebody else's call of ${url} failed.`, { cause: error });
			}
		}
	}
}
