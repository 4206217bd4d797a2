import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { packWebData } from '../../tools/n8n/packages.ts';
import type { StoredCredential } from '../../tools/n8n/client.ts';
import { projectRoot } from '../../tools/n8n/project.ts';
import { seededRandom } from '../../sandbox/runtime/runtime.ts';
import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { waitForExecution } from '../e2e/harness/executions.ts';
import { Instance, temporaryFolder } from '../e2e/harness/instance.ts';
import { account } from './account.ts';
import type { Account } from './account.ts';
import { act, ignoreKill, isOver, nameOf, newCourse } from './course.ts';
import type { Course } from './course.ts';
import { collectWorkflow, durableWorkflow, TRIGGER } from './durable.ts';
import { drawKills, untilMoment } from './moments.ts';
import type { Kill } from './moments.ts';
import { readLog, storedExecutions } from './stored.ts';

const KEY = 'fc-kills';
const QUESTIONS = 3;
/** A request to a service that is far away: on its way, worked on, and its answer on its way back. */
const SLOW_MS = { starts: [150, 400, 700], looks: 200, answer: 250 } as const;
/** After the last kill: a wait of 66 s, a check, a second wait, a second look. */
const SETTLE_MS = 400_000;

export interface Round {
	number: number;
	kill: Kill;
	/** The courses whose execution it has met, and what n8n says of that execution. */
	met: string[];
}

export interface Report {
	rounds: Round[];
	courses: Course[];
	account: Account;
	seconds: number;
}

interface Scene {
	n8n: Instance;
	sandbox: Sandbox;
	credential: StoredCredential;
	courses: Course[];
}

/** Kills n8n so many times, lets everything come to its end, and follows every job. */
export async function runKills(rounds: number, seed: number, onRound: (round: Round) => void): Promise<Report> {
	const beganMs = Date.now();
	const folder = temporaryFolder('package');
	const sandbox = await startSandbox({ lightWork: true, seed, keys: [KEY] });
	slowDown(sandbox);
	let n8n: Instance | undefined;
	try {
		const tarball = await packWebData(projectRoot(), folder);
		n8n = await Instance.start({ tarball });
		const data = { baseUrl: sandbox.baseUrl, apiKey: KEY };
		const credential = await n8n.client.createCredential('Web Data', 'webDataApi', data);
		const scene: Scene = { n8n, sandbox, credential, courses: [] };
		const done: Round[] = [];
		for (const [index, kill] of drawKills(rounds, seed).entries()) {
			const round = { number: index + 1, kill, met: await playRound(scene, kill, seed) };
			done.push(round);
			onRound(round);
		}
		await settle(scene);
		const collected = await collect(scene);
		return {
			rounds: done,
			courses: scene.courses,
			account: collected,
			seconds: (Date.now() - beganMs) / 1000,
		};
	} finally {
		await n8n?.dispose();
		await sandbox.stop();
		rmSync(folder, { recursive: true, force: true });
	}
}

function slowDown(sandbox: Sandbox): void {
	SLOW_MS.starts.forEach((ms, index) => {
		sandbox.faults.add({ kind: 'slow', ms, step: 'start', query: `question ${index + 1}` });
	});
	sandbox.faults.add({ kind: 'slow', ms: SLOW_MS.looks, step: 'status' });
	sandbox.faults.add({ kind: 'slow', ms: SLOW_MS.answer, when: 'after' });
}

async function playRound(scene: Scene, kill: Kill, seed: number): Promise<string[]> {
	const { n8n, sandbox, courses } = scene;
	for (const course of courses) act(n8n.client, course, n8n.logFile);
	const course = await makeCourse(scene, seed);
	courses.push(course);
	const { logFile } = n8n;
	const moment = untilMoment(kill, { sandbox, questions: course.questions, logFile });
	ignoreKill(n8n.client.run({ id: course.workflowId, name: '' }, TRIGGER));
	await moment;
	await n8n.crash();
	await n8n.restart();
	return await whatWasMet(scene);
}

async function makeCourse({ n8n, credential, courses }: Scene, seed: number): Promise<Course> {
	const number = courses.length + 1;
	const random = seededRandom(seed * 1009 + number);
	const questions = Array.from({ length: QUESTIONS }, (_unused, index) => {
		const seconds = (1 + 90 * random()).toFixed(0);
		return `[lasts:${seconds}] Kill ${number}, question ${index + 1}.`;
	});
	const course = newCourse(number, questions);
	const { savesProgress } = course;
	const parts = { name: `Kill ${number}`, questions, credential, savesProgress };
	const { id } = await n8n.client.createWorkflow(durableWorkflow(parts));
	return { ...course, workflowId: id };
}

/** Reads what n8n has stored after its restart, and notes which courses the kill has met. */
async function whatWasMet({ n8n, courses }: Scene): Promise<string[]> {
	const met: string[] = [];
	for (const course of courses) {
		course.executions = await storedExecutions(n8n.client, course.workflowId);
		const last = course.executions.at(-1);
		if (last === undefined || course.left.has(last.id) || course.crashed.has(last.id)) continue;
		if (last.status === 'crashed') course.crashed.add(last.id);
		if (['crashed', 'waiting'].includes(last.status)) met.push(`${nameOf(course)} ${last.status}`);
	}
	return met;
}

/** Lets the person go on until every course has ended, or is left to be collected. */
async function settle({ n8n, courses }: Scene): Promise<void> {
	const deadline = Date.now() + SETTLE_MS;
	let openBefore = '';
	for (;;) {
		for (const course of courses) {
			course.executions = await storedExecutions(n8n.client, course.workflowId);
		}
		const open = courses.filter((course) => !isOver(course));
		if (open.length === 0 || Date.now() > deadline) return;
		// Twice the same state: nothing that was pressed is still on its way.
		const now = JSON.stringify(open.map((course) => [course.number, course.executions.at(-1)]));
		if (now === openBefore) for (const course of open) act(n8n.client, course, n8n.logFile);
		openBefore = now === openBefore ? '' : now;
		await delay(2000);
	}
}

/** Collects by id what only the log names, as the README says, and makes up the account. */
async function collect({ n8n, sandbox, credential, courses }: Scene): Promise<Account> {
	const log = readLog(n8n.logFile);
	const arrived = new Set(
		courses.flatMap(({ executions }) => executions.flatMap(({ results }) => [...results.keys()])),
	);
	const missing = log.started.map(({ jobId }) => jobId).filter((id) => !arrived.has(id));
	const collected = new Set<string>();
	if (missing.length > 0) {
		const saved = await n8n.client.createWorkflow(collectWorkflow(missing, credential));
		const id = await n8n.client.run(saved, TRIGGER);
		await waitForExecution(n8n.client, id, { timeoutMs: 180_000 });
		const [execution] = await storedExecutions(n8n.client, saved.id);
		for (const jobId of execution?.completed ?? []) collected.add(jobId);
	}
	const starts = sandbox.stats().starts.list;
	return account({ courses, starts, log, collected });
}
