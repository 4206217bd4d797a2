/** What nodes remember from one execution to the next, in a whole n8n: for queue-mode.e2e.ts and memory-after-wait.e2e.ts. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { N8nVersion } from '../../../tools/n8n/project.ts';
import type { Execution, N8nClient, StoredCredential, StoredWorkflow } from '../../../tools/n8n/client.ts';
import { waitFor } from '../../../tools/n8n/poll.ts';
import type { RunningProgram } from '../../../tools/n8n/processes.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/server.ts';
import type { SandboxOptions } from '../../../sandbox/service/options.ts';
import { TABLE_CALLS, transcriptOf } from './tableCalls.ts';
import { failure, nodeHints, nodeOutput, waitForExecution } from './executions.ts';
import { Instance } from './instance.ts';
import { chatModel } from './models.ts';
import { apiKey, credentialFor, nodeType, packedTarball } from './product.ts';
import { startQueueMode } from './queue.ts';
import { codeNode, manualTrigger, type TestNode, workflow } from './workflows.ts';

const researchType = nodeType.replace(/webData$/, 'webResearch');
const TABLE = 'web_data_memory';
/** What other nodes and triggers have stored with the workflow. */
const OTHERS = { global: { kept: 'by another node' } };

/** n8n, a service, and what the workflows need of both. */
export interface MemoryWorld {
	version: N8nVersion;
	client: N8nClient;
	/** The main process, and the workers of queue mode. */
	main: Instance;
	workers: readonly RunningProgram[];
	/** Where n8n is called, with a slash at its end. */
	url: string;
	sandbox: Sandbox;
	credential: StoredCredential;
	openAi: StoredCredential;
	/** The option Memory Table, where it needs one. */
	memoryTable: string;
	dispose(): Promise<void>;
}

/** Starts n8n and a service. */
export async function openMemoryWorld(
	version: N8nVersion,
	mode: 'one process' | 'queue mode',
	service: SandboxOptions = {},
): Promise<MemoryWorld> {
	const sandbox = await startSandbox({ speed: 20, keys: [apiKey], ...service });
	const tarball = await packedTarball();
	const n8n =
		mode === 'queue mode'
			? await startQueueMode({ version, tarball, workers: 1 })
			: await Instance.start({ version, tarball });
	const main = n8n instanceof Instance ? n8n : n8n.main;
	const { client } = main;
	const openAi = await client.createCredential('Sandbox', 'openAiApi', { apiKey, url: `${sandbox.baseUrl}/v1` });
	return {
		version,
		client,
		main,
		workers: n8n instanceof Instance ? [] : n8n.workers,
		url: `${main.running.baseUrl}/`,
		sandbox,
		openAi,
		credential: await credentialFor(client, sandbox),
		memoryTable: version.startsWith('1.') ? await makeTable(client, TABLE) : TABLE,
		async dispose() {
			await sandbox.stop();
			await n8n.dispose();
		},
	};
}

async function projectOf(client: N8nClient): Promise<string> {
	const { id } = (await client.call('/projects/personal')) as { id: string };
	return id;
}

/** A table of memories as a user makes it, where the node cannot. Gives its ID. */
export async function makeTable(client: N8nClient, name: string): Promise<string> {
	return await makeTableOf(client, name, [
		{ name: 'key', type: 'string' },
		{ name: 'value', type: 'string' },
		{ name: 'version', type: 'number' },
	]);
}

/** A Data Table with these columns. Gives its ID. */
export async function makeTableOf(
	client: N8nClient,
	name: string,
	columns: Array<{ name: string; type: string }>,
): Promise<string> {
	const path = `/projects/${await projectOf(client)}/data-tables`;
	const { id } = (await client.call(path, { method: 'POST', body: { name, columns } })) as { id: string };
	return id;
}

/** A workflow that is called, with a node that remembers. */
interface Called {
	saved: StoredWorkflow;
	path: string;
}

async function activate(world: MemoryWorld, name: string, nodes: TestNode[]): Promise<Called> {
	const path = randomUUID();
	const trigger: TestNode = {
		name: 'Call',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		parameters: { path, responseMode: 'onReceived' },
		settings: { webhookId: path },
	};
	const saved = await world.client.createWorkflow(workflow(name, [trigger, ...nodes]));
	await world.client.activate(saved);
	return { saved, path };
}

/** Calls it, and gives the execution that comes of it when it has ended. */
async function call({ client, url }: MemoryWorld, { saved, path }: Called): Promise<Execution> {
	const known = new Set((await client.executions(saved.id)).map(({ id }) => id));
	// n8n listens a moment after it has published.
	const isHeard = async () => ((await fetch(`${url}webhook/${path}`)).status === 200 ? true : undefined);
	await waitFor('n8n to listen', isHeard, { timeoutMs: 30_000 });
	// While a table is asked, its call is in the list under the same workflow.
	const begun = async () =>
		(await client.executions(saved.id)).find(({ id, mode }) => !known.has(id) && mode === 'webhook');
	const { id } = await waitFor('an execution', begun, { timeoutMs: 60_000 });
	return await waitForExecution(client, id, { timeoutMs: 240_000 });
}

function researchNode({ credential, memoryTable }: MemoryWorld): TestNode {
	const parameters = {
		query: 'Zippo, Rolla and Kixx scooters?',
		report: 'news',
		historyName: 'Scooters',
		whenNothingNew: 'item',
		memoryTable,
		options: { maxUrls: 6, pagesPerSite: 5 },
	};
	return { name: 'Research', type: researchType, typeVersion: 1, parameters, credential, to: ['Addresses'] };
}

function pagesNode({ credential, memoryTable }: MemoryWorld): TestNode {
	const parameters = {
		resource: 'batchScrape',
		operation: 'start',
		url: '={{ $json.url }}',
		options: { onlyChanged: true, memoryTable },
	};
	return { name: 'Pages', type: nodeType, typeVersion: 1, parameters, credential, to: [] };
}

/** A table of two firms, of which one moves in the second week. */
function tableNodes({ credential, memoryTable, openAi }: MemoryWorld): TestNode[] {
	const parameters = {
		operation: 'fillColumns',
		subject: '={{ $json.company }}',
		website: '={{ $json.company.toLowerCase() }}.example',
		columns: { column: [{ name: 'price', description: 'Price of the smallest plan', type: 'money' }] },
		report: 'news',
		memoryTable,
	};
	const firms = "return ['Velonda', 'Depoza'].map((company) => ({ json: { company } }));";
	return [
		{ ...codeNode('Firms', firms), to: ['Rows'] },
		{ name: 'Rows', type: researchType, typeVersion: 1, parameters, credential, to: [] },
		chatModel(openAi, 'Chat', 'Rows'),
	];
}

/** What moved in the table. */
function movedIn(execution: Execution) {
	assert.equal(failure(execution), undefined);
	return nodeOutput(execution, 'Rows').map(({ json }) => [json.company, json.research_changes]);
}

const addresses = {
	...codeNode(
		'Addresses',
		"return ['rolla', 'zippo', 'kixx'].map((name) => ({ json: { url: `https://example.com/scooters/${name}` } }));",
	),
	to: ['Pages'],
};

/** What both nodes told: the news of the research in short, and the changes of the pages. */
function toldBy(execution: Execution) {
	assert.equal(failure(execution), undefined);
	const { news, isFirst, memory } = nodeOutput(execution, 'Research')[0]?.json ?? {};
	const { changed = [], withdrawn = [] } = (news ?? {}) as { changed?: unknown[]; withdrawn?: unknown[] };
	return {
		memory,
		isFirst,
		news: [changed.length, withdrawn.length],
		pages: new Set(nodeOutput(execution, 'Pages').map(({ json }) => json.change)),
	};
}

const FIRST = { memory: 'table', isFirst: true, news: [0, 0], pages: new Set(['new']) };

function assertSecond(execution: Execution): void {
	assert.deepEqual(toldBy(execution), { memory: 'table', isFirst: false, news: [1, 1], pages: new Set(['changed']) });
}

async function week({ sandbox }: MemoryWorld, number: number): Promise<void> {
	await fetch(`${sandbox.siteUrl}/try/week-${number}`);
}

async function staticDataOf({ client }: MemoryWorld, { saved }: Called): Promise<unknown> {
	return ((await client.call(`/workflows/${saved.id}`)) as { staticData?: unknown }).staticData;
}

/**
 * Workflows whose nodes remember, over a week with news: called, retried with the original and with the saved workflow,
 * beside a node with static data, and where wanted after a Wait of 70 s.
 */
export async function rememberOverWeeks(world: MemoryWorld, { withWait }: { withWait: boolean }): Promise<void> {
	const { client, sandbox } = world;
	await week(world, 1);
	const nodes = [researchNode(world), chatModel(world.openAi, 'Chat', 'Research'), addresses, pagesNode(world)];
	const wait: TestNode = {
		name: 'Wait',
		type: 'n8n-nodes-base.wait',
		typeVersion: 1.1,
		parameters: { resume: 'timeInterval', amount: 70, unit: 'seconds' },
		settings: { webhookId: randomUUID() },
	};
	const keep = codeNode('Keep', `$getWorkflowStaticData('global').kept = 'by another node'; return $input.all();`);
	const called = await activate(world, 'Called', nodes);
	const waiting = withWait ? [await activate(world, 'Waiting', [wait, ...nodes])] : [];
	const [original, saved] = [await activate(world, 'Original', nodes), await activate(world, 'Saved', nodes)];
	const beside = await activate(world, 'Beside', [keep, ...nodes]);
	const table = await activate(world, 'Table', tableNodes(world));
	const all = [called, ...waiting, original, saved, beside];
	const firsts = await Promise.all(all.map(async (one) => await call(world, one)));
	for (const first of firsts) assert.deepEqual(toldBy(first), FIRST);
	const begun = movedIn(await call(world, table));
	assert.deepEqual(
		begun,
		['Velonda', 'Depoza'].map((company) => [company, 'first run of this row']),
	);

	await week(world, 2);
	assert.deepEqual(movedIn(await call(world, table)), [['Velonda', 'price: 29 → 35 EUR']]);
	assert.deepEqual(movedIn(await call(world, table)), []);
	// The chat model of these two fails, so that n8n offers a Retry.
	sandbox.faults.add({ step: 'model', kind: 'status', httpStatus: 401 });
	const failed = [await call(world, original), await call(world, saved), await call(world, beside)];
	for (const one of failed) assert.match(failure(one) ?? '', /401|key|credential/i);
	sandbox.faults.clear();
	const retried = await Promise.all(
		failed.map(async ({ id }, index) => {
			await client.call(`/executions/${id}/retry`, {
				method: 'POST',
				body: { loadWorkflow: index === 1 },
				timeoutMs: 240_000,
			});
			const again = (await client.executions(undefined, 250)).find(({ retryOf }) => retryOf === id);
			return await waitForExecution(client, again?.id ?? '');
		}),
	);
	const seconds = await Promise.all([called, ...waiting].map(async (one) => await call(world, one)));
	for (const second of [...seconds, ...retried]) assertSecond(second);
	for (const one of [called, ...waiting, original, saved])
		assert.ok(!(await staticDataOf(world, one)), 'nothing is stored');
	assert.deepEqual(((await staticDataOf(world, beside)) as typeof OTHERS).global, OTHERS.global);
	// A third run of each has nothing to tell.
	for (const one of [called, original, saved]) {
		const told = toldBy(await call(world, one));
		assert.deepEqual(told, { memory: 'table', isFirst: false, news: [0, 0], pages: new Set() });
	}
	// Nothing of the tables' calls is in the list.
	const listed = await client.executions(undefined, 250);
	const ours = new Set([...all, table].map(({ saved: { id } }) => id));
	assert.ok(listed.every(({ workflowId }) => ours.has(workflowId ?? '')));
	assert.equal(listed.filter(({ mode: how }) => how === 'integrated').length, 0);
	// First runs, those that failed, their Retries, second and third runs, and those of the table.
	assert.equal(listed.length, all.length + 3 + 3 + 1 + waiting.length + 3 + 3);
}

/** Runs by hand, twice: nothing is stored, so that the second is a first one, too. */
export async function rememberNothingByHand(world: MemoryWorld): Promise<void> {
	const { client } = world;
	const test = { ...manualTrigger };
	const parts = [test, researchNode(world), chatModel(world.openAi, 'Chat', 'Research'), addresses, pagesNode(world)];
	const saved = await client.createWorkflow(workflow('By hand', parts));
	for (let runs = 0; runs < 2; runs += 1) {
		const run = await waitForExecution(client, await client.run(saved, test.name));
		assert.deepEqual(toldBy(run), FIRST);
		assert.match(nodeHints(run, 'Pages').join(' '), /Test runs are not remembered/);
	}
}

/** Holds n8n's Data Table node against what the stand-in of the tests does. */
export async function answerAsTheStandIn(world: MemoryWorld): Promise<void> {
	const { client, version } = world;
	const hasTables = !version.startsWith('1.');
	const calls = TABLE_CALLS.filter(({ isOfTables }) => hasTables || isOfTables !== true);
	const ids = new Map(hasTables ? [] : [['calls', await makeTable(client, 'calls')]]);
	const transcript = await transcriptOf(
		async (parameters, item) => {
			const items = codeNode('Start', `return [{ json: ${JSON.stringify(item)} }];`);
			const table: TestNode = {
				name: 'Table',
				type: 'n8n-nodes-base.dataTable',
				typeVersion: 1.1,
				parameters,
				settings: { alwaysOutputData: true },
			};
			const trigger = { ...manualTrigger, name: 'Button' };
			const saved = await client.createWorkflow(workflow('Table', [trigger, items, table]));
			const run = await waitForExecution(client, await client.run(saved, trigger.name));
			const error = failure(run);
			return error === undefined ? { items: nodeOutput(run, 'Table').map(({ json }) => json) } : { error };
		},
		{ calls, ids },
	);
	const isKnown = (line: string) => calls.some(({ name }) => line.startsWith(`${name}: `));
	const expected = readFileSync('test/golden/tableCalls.txt', 'utf8').trimEnd().split('\n').filter(isKnown);
	// n8n 1.123 has other sentences.
	const said = (line: string) => (hasTables ? line : line.replace(/: refused: .*/, ': refused'));
	assert.deepEqual(transcript.map(said), expected.map(said));
}
