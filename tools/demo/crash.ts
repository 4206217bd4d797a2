import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { flowNodes, loadBuiltPackage, recoveredFromCrash, retryFromStored, runWorkflow } from '../n8n-engine/index.ts';
import type { ExecutionOptions, WorkflowFile } from '../n8n-engine/index.ts';
import { wrapped } from './terminal.ts';

const ROOT = join(import.meta.dirname, '../..');
const KEY = 'fc-sandbox';
const NODE = 'Crawl';
const PAGES = 3;
/** The crawl still runs when n8n is there again. */
const JOB_MS = 3000;
/** The answer to the start takes so long: n8n is killed in between. */
const ANSWER_MS = 60_000;

const WORKFLOW: WorkflowFile = {
	name: 'A crawl',
	nodes: [
		{
			id: '1',
			name: 'Start',
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		{
			id: '2',
			name: NODE,
			type: 'n8n-nodes-web-data.webData',
			typeVersion: 1,
			position: [240, 0],
			parameters: { resource: 'crawl', operation: 'start', url: 'https://example.com', pageLimit: PAGES },
			credentials: { webDataApi: { id: '', name: 'Web Data API' } },
		},
	],
	connections: { Start: { main: [[{ node: NODE, type: 'main', index: 0 }]] } },
};

async function optionsFor(baseUrl: string): Promise<ExecutionOptions> {
	return {
		package: await loadBuiltPackage(ROOT),
		workflow: WORKFLOW,
		credential: { baseUrl, apiKey: KEY },
		otherNodeTypes: flowNodes,
	};
}

/** What n8n had stored of the execution before the node began. */
interface Stored {
	executionId: string;
	stored: string;
}

/** Runs the workflow in this process, which is to be killed. Tells the other one what n8n stores. */
async function runUntilKilled(baseUrl: string): Promise<void> {
	const executionId = '1';
	await runWorkflow({
		...(await optionsFor(baseUrl)),
		executionId,
		onProgress: (_node, stored) => void process.send?.({ executionId, stored } satisfies Stored),
	});
}

/**
 * Kills n8n's engine between the start of a crawl and its answer, then retries the execution as n8n's Retry does, all
 * against the sandbox. Prints what was started and paid, by the sandbox's own books. Throws an Error where it was
 * cancelled.
 */
export async function runCrash(print: (text: string) => void, signal: AbortSignal): Promise<void> {
	const sandbox = await startSandbox({ port: 0, keys: [KEY], lightWork: true, jobDurationMs: JOB_MS });
	const say = (text: string) => print(`${wrapped(text)}\n`);
	try {
		say('n8n starts a crawl of three pages, at the sandbox: a local service that costs nothing.');
		const killed = await killBeforeTheAnswer(sandbox, signal);
		say('The service has begun it, and n8n is killed before the answer arrives.');
		const options = { ...(await optionsFor(sandbox.baseUrl)), signal };
		const { error, items, hints } = await retryFromStored(killed, options);
		if (error) throw error;
		const { starts, creditsUsed } = sandbox.stats();
		say(`n8n is started again, and you retry the execution: ${items(NODE).length} pages.`);
		for (const { message } of hints(NODE)) say(`- ${message}`);
		say(`\nstarted ${starts.total}, paid ${creditsUsed / PAGES}`);
	} finally {
		await sandbox.stop();
	}
}

async function killBeforeTheAnswer(sandbox: Sandbox, signal: AbortSignal): Promise<Stored> {
	sandbox.faults.add({ step: 'crawlStart', kind: 'slow', when: 'after', ms: ANSWER_MS });
	const n8n = spawn(process.execPath, [import.meta.filename, sandbox.baseUrl], {
		stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
	});
	const ended = once(n8n, 'exit');
	let stored: Stored | undefined;
	n8n.on('message', (message) => (stored = message as Stored));
	while (sandbox.stats().starts.total === 0 && n8n.exitCode === null && !signal.aborted) await sleep(50);
	n8n.kill('SIGKILL');
	await ended;
	sandbox.faults.clear();
	signal.throwIfAborted();
	if (!stored) throw new Error('n8n ended before it had begun.');
	return { ...stored, stored: recoveredFromCrash(stored.stored, NODE) };
}

// The process that is killed runs this file itself.
const [, file, baseUrl] = process.argv;
if (file === import.meta.filename && baseUrl !== undefined) await runUntilKilled(baseUrl);
