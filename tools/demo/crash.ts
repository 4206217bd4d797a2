import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { flowNodes, loadBuiltPackage, recoveredFromCrash, retryFromStored, runWorkflow } from '../n8n-engine/index.ts';
import type { ExecutionOptions } from '../n8n-engine/index.ts';
import type { WorkflowFile } from '../n8n-engine/index.ts';

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

async function optionsFor(baseUrl: string, root: string): Promise<ExecutionOptions> {
	return {
		package: await loadBuiltPackage(root),
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
export async function runUntilKilled(baseUrl: string, root: string): Promise<void> {
	const executionId = '1';
	await runWorkflow({
		...(await optionsFor(baseUrl, root)),
		executionId,
		onProgress: (_node, stored) => void process.send?.({ executionId, stored } satisfies Stored),
	});
}

/**
 * Kills n8n's engine between the start of a crawl and its answer, then retries the execution as n8n's Retry does. Prints
 * what was started and paid, by the service's own books.
 */
export async function runCrash(root: string, print: (text: string) => void): Promise<void> {
	const sandbox = await startSandbox({ port: 0, keys: [KEY], lightWork: true, jobDurationMs: JOB_MS });
	try {
		print('n8n starts a crawl of three pages.\n');
		const killed = await killBeforeTheAnswer(sandbox);
		print('The service has begun it, and n8n is killed before the answer arrives.\n');
		const { error, items, hints } = await retryFromStored(killed, await optionsFor(sandbox.baseUrl, root));
		if (error) throw error;
		const { starts, creditsUsed } = sandbox.stats();
		print(`n8n is started again, and you retry the execution: ${items(NODE).length} pages.\n`);
		for (const { message } of hints(NODE)) print(`  ${message.replace(/&#(\d+);/g, '')}\n`);
		print(`\nstarted ${starts.total}, paid ${creditsUsed / PAGES}\n`);
	} finally {
		await sandbox.stop();
	}
}

async function killBeforeTheAnswer(sandbox: Sandbox): Promise<Stored> {
	sandbox.faults.add({ step: 'crawlStart', kind: 'slow', when: 'after', ms: ANSWER_MS });
	const main = join(import.meta.dirname, 'main.ts');
	const n8n = spawn(process.execPath, [main, 'crash', '--base-url', sandbox.baseUrl], {
		stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
	});
	const ended = once(n8n, 'exit');
	let stored: Stored | undefined;
	n8n.on('message', (message) => (stored = message as Stored));
	while (sandbox.stats().starts.total === 0 && n8n.exitCode === null) {
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	n8n.kill('SIGKILL');
	await ended;
	sandbox.faults.clear();
	if (!stored) throw new Error('n8n ended before it had begun.');
	return { ...stored, stored: recoveredFromCrash(stored.stored, NODE) };
}
