import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { INode } from 'n8n-workflow';
import {
	binaryText,
	flowNodes,
	loadBuiltPackage,
	readWorkflowFile,
	resumeWaiting,
	runWorkflow,
} from '../../engine/index.ts';
import { startSandbox } from '../../sandbox/server.ts';
import type { BuiltPackage, ExecutionOptions, WorkflowFile } from '../../engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';

const ROOT = join(__dirname, '../..');
const FILES = readdirSync(join(ROOT, 'examples')).filter((name) => name.endsWith('.json'));
const WEB_DATA = 'n8n-nodes-web-data.webData';

/** Versions that n8n 1.123 knows, the oldest to import the examples. */
const NEWEST_IN_N8N_1_123: Readonly<Record<string, number>> = {
	'n8n-nodes-base.if': 2.2,
	'n8n-nodes-base.manualTrigger': 1,
	'n8n-nodes-base.noOp': 1,
	'n8n-nodes-base.scheduleTrigger': 1.2,
	'n8n-nodes-base.set': 3.4,
	'n8n-nodes-base.splitOut': 1,
	'n8n-nodes-base.stickyNote': 1,
	'n8n-nodes-base.wait': 1.1,
	[WEB_DATA]: 1,
};

let sandbox: Sandbox;
let loaded: BuiltPackage;

beforeAll(async () => {
	sandbox = await startSandbox({ speed: 50, seed: 1, lightWork: true });
	loaded = await loadBuiltPackage(ROOT);
});
afterAll(() => sandbox.stop());

const read = (file: string): Promise<WorkflowFile> =>
	readWorkflowFile(join(ROOT, 'examples', file));
const inSandbox = (workflow: WorkflowFile): ExecutionOptions => ({
	package: loaded,
	workflow,
	credential: { baseUrl: sandbox.baseUrl, apiKey: 'fc-sandbox' },
	otherNodeTypes: flowNodes,
});

describe.each(FILES)('%s', (file) => {
	let workflow: WorkflowFile;
	const named = (name: string): INode | undefined =>
		workflow.nodes.find((node) => node.name === name);
	beforeAll(async () => {
		workflow = await read(file);
	});

	test('holds nodes that every supported n8n knows', () => {
		for (const { type, typeVersion } of workflow.nodes) {
			expect(NEWEST_IN_N8N_1_123[type]).toBeGreaterThanOrEqual(typeVersion);
		}
		expect(workflow.settings?.executionOrder).toBe('v1');
	});

	test('connects nodes that exist, each with a name and an id of its own', () => {
		expect(new Set(workflow.nodes.map(({ id }) => id)).size).toBe(workflow.nodes.length);
		expect(new Set(workflow.nodes.map(({ name }) => name)).size).toBe(workflow.nodes.length);
		for (const [source, { main = [] }] of Object.entries(workflow.connections)) {
			expect(named(source)).toBeDefined();
			for (const { node } of main.flatMap((targets) => targets ?? [])) {
				expect(named(node)).toBeDefined();
			}
		}
	});

	test('names the credential without the id of anybody’s installation', () => {
		for (const { credentials } of workflow.nodes.filter(({ type }) => type === WEB_DATA)) {
			expect(credentials).toEqual({ webDataApi: { id: '', name: 'Web Data API' } });
		}
	});

	test('sets only parameters that the node has', () => {
		const known = loaded.descriptions.flatMap(({ properties }) => properties);
		for (const { parameters } of workflow.nodes.filter(({ type }) => type === WEB_DATA)) {
			for (const name of Object.keys(parameters)) {
				expect(known.map((property) => property.name)).toContain(name);
			}
		}
	});
});

test('by hand: one analysis', async () => {
	const { items, error } = await runWorkflow(inSandbox(await read('research-by-hand.json')));
	expect(error).toBeUndefined();
	expect(items('Research')).toHaveLength(1);
	expect(items('Research')[0]?.json).toMatchObject({ status: 'completed' });
});

test('a list of questions: one analysis for each, in order', async () => {
	const questions = ['first?', 'second?', 'third?'];
	const { items } = await runWorkflow({
		...inSandbox(await read('research-list-of-questions.json')),
		startNode: 'One Item per Question',
		pinData: { 'One Item per Question': questions.map((question) => ({ json: { question } })) },
	});
	expect(items('Research').map(({ json }) => json.query)).toEqual(questions);
});

test('on a schedule: a report file reaches the next node', async () => {
	const { items } = await runWorkflow(inSandbox(await read('research-on-schedule.json')));
	expect(binaryText(items('Use the Report')[0])).toContain('## Sources');
});

test('durable: waits in stored executions until the research is done, and starts it once', async () => {
	const options = inSandbox(await read('research-durable.json'));
	const startsBefore = sandbox.stats().starts.total;
	let execution = await runWorkflow(options);
	let rounds = 0;
	while (execution.run.status === 'waiting' && ++rounds < 100) {
		expect(execution.items('Start Research')[0]?.json).toHaveProperty('id');
		// n8n would come back after two minutes.
		await setTimeout(50);
		execution = await resumeWaiting(execution, options);
	}
	expect(execution.run.status).toBe('success');
	expect(execution.items('Use the Analysis')[0]?.json).toMatchObject({ status: 'completed' });
	expect(rounds).toBeGreaterThan(0);
	expect(sandbox.stats().starts.total).toBe(startsBefore + 1);
});
