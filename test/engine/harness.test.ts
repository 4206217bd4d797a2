import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { INode, INodeParameters } from 'n8n-workflow';
import {
	binaryText,
	callAsTool,
	flowNodes,
	loadBuiltPackage,
	resumeWaiting,
	retryFromStored,
	runWorkflow,
} from '../../engine/index.ts';
import { startProbe } from './probePackage.ts';
import type { BuiltPackage, ExecutionOptions, WorkflowFile } from '../../engine/index.ts';
import type { Probe } from './probePackage.ts';

let probe: Probe;
let loaded: BuiltPackage;

beforeAll(async () => {
	probe = await startProbe('generic');
	loaded = await loadBuiltPackage(probe.directory);
});
afterAll(() => probe.stop());
beforeEach(() => {
	probe.requests.length = 0;
});

const node = (name: string, type: string, rest: Partial<INode> = {}): INode => ({
	id: name,
	name,
	type,
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
	...rest,
});
const to = (name: string, index = 0) => [{ node: name, type: 'main' as const, index }];

const probing = (parameters: INodeParameters = {}): WorkflowFile => ({
	name: 'Probing',
	nodes: [
		node('Trigger', 'n8n-nodes-base.manualTrigger'),
		node('List', 'n8n-nodes-base.code', { typeVersion: 2 }),
		node('Probe', 'n8n-nodes-probe.probe', {
			parameters,
			credentials: { probeApi: { id: '', name: 'Probe API' } },
		}),
		node('After', 'n8n-nodes-base.noOp'),
		node('Failed', 'n8n-nodes-base.noOp'),
		node('Note', 'n8n-nodes-base.stickyNote'),
	],
	connections: {
		Trigger: { main: [to('List')] },
		List: { main: [to('Probe')] },
		Probe: { main: [to('After'), to('Failed')] },
	},
});

const options = (parameters?: INodeParameters): ExecutionOptions => ({
	package: loaded,
	workflow: probing(parameters),
	credential: { baseUrl: probe.baseUrl, apiKey: 'secret' },
	otherNodeTypes: flowNodes,
});
const list = (...texts: string[]) => ({ List: texts.map((text) => ({ json: { text } })) });

describe('loading', () => {
	test('names node types as n8n does, with their descriptions', () => {
		expect([...loaded.nodeTypes.keys()]).toEqual(['n8n-nodes-probe.probe']);
		expect([...loaded.credentialTypes.keys()]).toEqual(['probeApi']);
		expect(loaded.descriptions[0]?.communityNodePackageVersion).toBe('0.0.1');
	});

	test('says what to do when the package is not built, or is none', async () => {
		const unbuilt = await startProbe('generic');
		await rm(join(unbuilt.directory, 'dist'), { recursive: true });
		await expect(loadBuiltPackage(unbuilt.directory)).rejects.toThrow(
			'n8n-nodes-probe is not built: dist/nodes/Probe.node.js is missing, run "npm run build" first.',
		);
		await expect(loadBuiltPackage(join(unbuilt.directory, 'nowhere'))).rejects.toThrow('no package.json');
		await unbuilt.stop();
	});
});

describe('a run', () => {
	test('evaluates expressions per item, authenticates, keeps binary data, hints and memory', async () => {
		const result = await runWorkflow({
			...options({ text: '={{ $json.text }}' }),
			pinData: list('one', 'two'),
		});
		expect(result.run.status).toBe('success');
		expect(result.items('Probe').map(({ json }) => json.text)).toEqual(['one', 'two']);
		expect(result.items('After').map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(probe.requests.map(({ authorization }) => authorization)).toEqual(['Bearer secret', 'Bearer secret']);
		// The default of a field that the user left alone.
		expect(result.items('Probe')[0]?.json).toMatchObject({ answer: 'hello', timeout: 30 });
		expect(binaryText(result.items('Probe')[1])).toBe('Grüße two');
		expect(() => binaryText(result.items('Trigger')[0])).toThrow('no binary property "data"');
		expect(result.hints('Probe').map(({ message }) => message)).toEqual(['Probed 2']);
		expect(result.context('Probe')).toEqual({ tries: 2 });
	});

	test('applies an authenticate function', async () => {
		const other = await startProbe('function');
		await runWorkflow({
			...options(),
			package: await loadBuiltPackage(other.directory),
			pinData: list('one'),
		});
		expect(probe.requests[0]?.['x-key']).toBe('secret');
		await other.stop();
	});

	test('does not run a node of another package, pinned or not', async () => {
		const result = await runWorkflow(options());
		expect(result.run.status).toBe('error');
		expect(result.error?.message).toBe('n8n-nodes-base.code is not installed in this engine: pin data for "List".');
	});

	test('ends at the destination node', async () => {
		const result = await runWorkflow({
			...options(),
			pinData: list('one'),
			destinationNode: 'Probe',
		});
		expect(Object.keys(result.run.data.resultData.runData)).toEqual(['Trigger', 'List', 'Probe']);
	});

	test('takes settings and parameters of a node for one run', async () => {
		const workflow = probing({ fail: 'once' });
		const before = structuredClone(workflow);
		const result = await runWorkflow({
			...options(),
			workflow,
			pinData: list('one'),
			nodeOverrides: {
				Probe: { retryOnFail: true, waitBetweenTries: 1, parameters: { text: 'other' } },
			},
		});
		expect(result.items('Probe')[0]?.json.text).toBe('other');
		expect(result.context('Probe')).toEqual({ tries: 2 });
		expect(workflow).toEqual(before);
		await expect(runWorkflow({ ...options(), nodeOverrides: { Nobody: {} } })).rejects.toThrow('no node "Nobody"');
	});

	test('routes failed items to the error output', async () => {
		const result = await runWorkflow({
			...options({ fail: '={{ $json.text === "bad" ? "item" : "" }}' }),
			pinData: list('good', 'bad'),
			nodeOverrides: { Probe: { onError: 'continueErrorOutput' } },
		});
		expect(result.items('Probe').length).toBe(1);
		expect(result.items('Failed')[0]?.json).toEqual({
			text: 'bad',
			error: 'This item failed',
			details: { id: 7 },
		});
	});

	test('is cancelled by the signal, and gives its live data at the start', async () => {
		const stop = new AbortController();
		let tries: unknown;
		const running = runWorkflow({
			...options({ waitMs: 5000 }),
			pinData: list('one', 'two'),
			signal: stop.signal,
			onStarted: (live) => {
				setTimeout(() => {
					tries = live.executionData?.contextData['node:Probe']?.tries;
					stop.abort();
				}, 200);
			},
		});
		const began = Date.now();
		const result = await running;
		expect(Date.now() - began).toBeLessThan(2000);
		expect(tries).toBe(1);
		expect(result.run.status).toBe('canceled');
		expect(probe.requests.length).toBeLessThanOrEqual(2);
	});
});

describe('a stored run', () => {
	test('goes on after a failure with the memory of the node, and without the nodes before it', async () => {
		const first = await runWorkflow({ ...options({ fail: 'once' }), pinData: list('one') });
		expect(first.error?.message).toBe('Told to fail');

		const second = await retryFromStored(first, options({ fail: 'once' }));
		expect(second.run).toMatchObject({ status: 'success', mode: 'retry' });
		expect(second.context('Probe')).toEqual({ tries: 2 });
		expect(second.items('After')).toHaveLength(1);
		expect(second.executionId).not.toBe(first.executionId);
	});

	test('takes the current nodes only when told to', async () => {
		const first = await runWorkflow({ ...options({ fail: 'always' }), pinData: list('one') });
		const same = await retryFromStored(first, options({ fail: '' }));
		expect(same.error?.message).toBe('Told to fail');
		const current = await retryFromStored(first, {
			...options(),
			nodeOverrides: { Probe: { parameters: { fail: '' } } },
		});
		expect(current.run.status).toBe('success');
	});

	test('waits, resumes and branches as a durable workflow does', async () => {
		const workflow: WorkflowFile = {
			...probing(),
			nodes: [
				node('Trigger', 'n8n-nodes-base.manualTrigger'),
				node('Wait', 'n8n-nodes-base.wait', { parameters: { amount: 2, unit: 'minutes' } }),
				node('IF', 'n8n-nodes-base.if', {
					typeVersion: 2,
					parameters: {
						conditions: {
							options: { caseSensitive: true, typeValidation: 'strict', version: 2 },
							combinator: 'and',
							conditions: [
								{
									leftValue: '={{ $runIndex }}',
									rightValue: 1,
									operator: { type: 'number', operation: 'lt' },
								},
							],
						},
					},
				}),
				node('Done', 'n8n-nodes-base.noOp'),
			],
			connections: {
				Trigger: { main: [to('Wait')] },
				Wait: { main: [to('IF')] },
				IF: { main: [to('Wait'), to('Done')] },
			},
		};
		const first = await runWorkflow({ ...options(), workflow });
		expect(first.run.status).toBe('waiting');
		const minutes = (Number(first.run.waitTill) - Date.now()) / 60_000;
		expect(minutes).toBeGreaterThan(1.9);
		const second = await resumeWaiting(first, { ...options(), workflow });
		expect(second.run.status).toBe('waiting');
		const third = await resumeWaiting(second, { ...options(), workflow });
		expect(third.run.status).toBe('success');
		expect(third.items('Done')).toHaveLength(1);
		expect(third.executionId).toBe(first.executionId);
	});
});

describe('a tool call', () => {
	const call = (path: 'invoke' | 'request', fail = '') =>
		callAsTool({
			package: loaded,
			credential: { baseUrl: probe.baseUrl, apiKey: 'secret' },
			nodeName: 'probe',
			parameters: { text: `={{ $fromAI('text', 'What to ask') }}`, fail },
			args: { text: 'asked' },
			path,
		});

	test.each(['invoke', 'request'] as const)('by %s fills in what the agent said', async (path) => {
		const { text, name, description } = await call(path);
		const [seen] = JSON.parse(text) as [unknown];
		expect(seen).toEqual({
			text: 'asked',
			answer: 'hello',
			timeout: 30,
			isTool: path === 'invoke',
			type: 'n8n-nodes-probe.probeTool',
		});
		expect(name).toBe('Tool');
		expect(description).toBe('Ask a thing in Probe');
	});

	test.each(['invoke', 'request'] as const)('by %s shows the message of a failure', async (path) => {
		const { text } = await call(path, 'always');
		expect(text).toContain('Told to fail');
	});
});
