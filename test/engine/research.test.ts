import { binaryText } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { jsonOf, NODE, runNode, startParameters, startSandbox } from './run';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ jobDurationMs: 400 });
});

const QUESTION = [{ q: 'What do cargo bikes cost?' }];

describe('output of a finished job', () => {
	it('is the full record with every field of the service when asked', async () => {
		const execution = await runNode(sandbox, startParameters({ output: 'fullRecord' }), {
			items: QUESTION,
		});
		const [item] = jsonOf(execution.items(NODE));
		expect(item).toMatchObject({ currentDepth: expect.any(Number), maxDepth: 7 });
		expect((item?.activities as unknown[])[0]).toEqual({
			type: 'search',
			status: 'processing',
			message: expect.any(String),
			timestamp: expect.any(String),
			depth: 1,
		});
		expect((item?.sources as unknown[])[0]).toEqual({
			title: expect.any(String),
			url: expect.any(String),
			description: expect.any(String),
			icon: expect.stringContaining('favicon'),
		});
	});

	it('is a Markdown file with analysis, numbered sources and timeline when asked', async () => {
		const execution = await runNode(sandbox, startParameters({ output: 'reportFile' }), {
			items: QUESTION,
		});
		const [item] = execution.items(NODE);
		expect(item?.binary?.data).toMatchObject({
			fileName: 'research-what-do-cargo-bikes-cost.md',
			mimeType: 'text/markdown',
		});
		const report = item ? await binaryText(item, 'data') : '';
		expect(report).toMatch(/^# What do cargo bikes cost\?\n/);
		expect(report).toMatch(/## Sources\n\n1\. \[/);
		expect(report).toMatch(/## Timeline\n\n- \d{4}-/);
		expect(report).toContain('Check critical facts by hand');
	});

	it.each([
		['empty', { data: { finalAnalysis: '', json: { a: 1 } }, status: 'completed' }],
		['an object', { data: { finalAnalysis: { result: 'x' } }, status: 'completed' }],
		['missing', { status: 'completed' }],
		['all in data', { data: { status: 'completed', finalAnalysis: 'text', totalUrls: 3 } }],
	])('stands when the final analysis is %s', async (_what, body) => {
		for (const output of ['simplified', 'fullRecord', 'reportFile']) {
			sandbox.faults.add({ step: 'status', kind: 'body', httpStatus: 200, body, times: 1 });
			const execution = await runNode(sandbox, startParameters({ output }), { items: QUESTION });
			expect(execution.error).toBeUndefined();
			expect(execution.items(NODE)).toHaveLength(1);
		}
	});
});

describe('JSON output', () => {
	const schema = {
		type: 'object',
		properties: { title: { type: 'string' }, facts: { type: 'array', items: { type: 'string' } } },
		required: ['title', 'facts'],
	};

	it.each([
		['an object', schema],
		['JSON text', JSON.stringify(schema)],
	])('follows a schema given as %s', async (_what, given) => {
		const execution = await runNode(
			sandbox,
			startParameters({ analysisFormats: ['json'], jsonOptions: { schema: given } }),
			{ items: QUESTION },
		);
		expect(execution.error).toBeUndefined();
		expect(execution.items(NODE)[0]?.json.json).toMatchObject({
			title: expect.any(String),
			facts: expect.any(Array),
		});
	});
});

describe('without waiting', () => {
	it('puts out the id at once, and Get collects the job', async () => {
		const started = await runNode(sandbox, startParameters({ waitForCompletion: false }), {
			items: QUESTION,
		});
		const [job] = jsonOf(started.items(NODE));
		expect(job).toEqual({ id: sandbox.stats().starts.list[0]?.id, query: QUESTION[0]?.q });
		expect(sandbox.stats().polls.total).toBe(0);
		expect(started.hints(NODE)[0]?.message).toBe('1 job started. Collect the results with Deep Research · Get.');

		const parameters = { resource: 'deepResearch', operation: 'get', jobId: '={{ $json.id }}' };
		const early = await runNode(sandbox, parameters, { items: [{ id: String(job?.id) }] });
		expect(jsonOf(early.items(NODE))[0]).toMatchObject({ id: job?.id, status: 'processing' });

		const waited = await runNode(
			sandbox,
			{ ...parameters, waitForCompletion: true },
			{ items: [{ id: String(job?.id) }] },
		);
		expect(jsonOf(waited.items(NODE))[0]).toMatchObject({ id: job?.id, status: 'completed' });
		expect(sandbox.stats().starts.total).toBe(1);
	});
});
