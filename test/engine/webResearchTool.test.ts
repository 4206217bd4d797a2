import { CHAT_MODEL_TYPE, callAsTool, chatModelNode } from '../../tools/n8n-engine/index.ts';
import type { ToolCall, ToolCallOptions } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { builtPackage, KEY, startSandbox } from './run';
import { callsOf, modelNode, QUESTION } from './webResearchRun';

// n8n calls tools in two ways: inside the agent (`invoke`, AI Agent 1 and 2), and as nodes (`request`, 3).
const PATHS = ['invoke', 'request'] as const;

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ seed: 1 });
});

async function call(options: Partial<ToolCallOptions> = {}): Promise<ToolCall> {
	return await callAsTool({
		package: await builtPackage(),
		credential: { baseUrl: sandbox.baseUrl, apiKey: KEY },
		nodeName: 'webResearch',
		parameters: { query: "={{ $fromAI('query', 'the question', 'string') }}" },
		args: [{ query: QUESTION }],
		models: [modelNode('Chat', 'sandbox', sandbox)],
		otherNodeTypes: { [CHAT_MODEL_TYPE]: chatModelNode },
		...options,
	});
}

describe.each(PATHS)('Web Research Tool (%s)', (path) => {
	it('gives an agent the report with its sources, by its own model', async () => {
		const { text, description } = await call({ path });
		expect(description).toContain('Researches a question on the web');
		expect(text).toContain('650 to 900 euros');
		expect(text).toContain('"status":"completed"');
		expect(callsOf(sandbox).scrape).toBeGreaterThan(0);
	});

	it('answers the same question again from what was paid for', async () => {
		await call({ path });
		const once = callsOf(sandbox);
		sandbox.reset();
		const twice = await call({ path, args: [{ query: QUESTION }, { query: QUESTION }] });
		expect(twice.texts[1]).toContain('650 to 900 euros');
		expect(callsOf(sandbox)).toEqual(once);
	});

	it('pays once for the same question that is asked twice in one turn', async () => {
		await call({ path });
		const once = callsOf(sandbox);
		sandbox.reset();
		const args = [{ query: QUESTION }, { query: QUESTION }];
		const twice = await call({ path, args, atOnce: 2 });
		expect(twice.texts).toHaveLength(2);
		expect(callsOf(sandbox)).toEqual(once);
	});

	it('pays for nothing again when its agent fails and is retried', async () => {
		const failed = await call({ path, modelFails: true });
		const before = callsOf(sandbox);
		await call({ path, retryOf: failed.execution });
		expect(callsOf(sandbox)).toEqual(before);
	});

	it('tells the agent in one sentence why there is no result', async () => {
		const { text } = await call({
			path,
			parameters: {
				query: "={{ $fromAI('query', 'the question', 'string') }}",
				options: { maxCredits: 1 },
			},
		});
		expect(text).toContain('Max Credits (This Run) leaves 1 credit');
	});
});
