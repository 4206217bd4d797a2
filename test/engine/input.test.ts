import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/server.ts';
import { errorText, NODE, questions, runNode, startParameters, startSandbox } from './run';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ lightWork: true, jobDurationMs: 300 });
});

describe('bad input gets an error before any request', () => {
	const cases: Array<[string, INodeParameters, string]> = [
		['an empty query', { query: '={{ "" }}' }, '"Query" is required'],
		[
			'a depth from an expression beyond the limit',
			{ options: { maxDepth: '={{ 13 }}' } },
			'"Max Depth" must be a whole number from 1 to 12, but it is 13',
		],
		[
			'a fraction of a URL',
			{ options: { maxUrls: '={{ 1.5 }}' } },
			'"Max URLs" must be a whole number from 1 to 1000, but it is 1.5',
		],
		[
			'a time limit that is no number',
			{ options: { timeLimit: '={{ "soon" }}' } },
			'"Time Limit (Seconds)" must be a whole number from 30 to 600, but it is "soon"',
		],
		[
			'a format that does not exist',
			{ analysisFormats: '={{ ["pdf"] }}' },
			'"Formats" must be a list made of json, markdown, but it is ["pdf"]',
		],
		[
			'a schema that is not JSON',
			{ analysisFormats: ['json'], jsonOptions: { schema: '{"type": ' } },
			'"Schema" must be valid JSON',
		],
		[
			'a schema that is a list',
			{ analysisFormats: ['json'], jsonOptions: { schema: '[1]' } },
			'"Schema" must be a JSON object',
		],
		['no wait at all', { options: { waitOptions: { maxWait: 0 } } }, '"Max Wait (Seconds)" must be a whole number'],
		[
			'polling like mad',
			{ options: { waitOptions: { polling: 'fixed', pollInterval: 0.1 } } },
			'"Poll Interval (Seconds)" must be a number from 1 to 3600, but it is 0.1',
		],
		['an expression that breaks', { query: "={{ $('Nowhere').item.json.q }}" }, 'could not be read'],
	];

	it.each(cases)('%s', async (_what, parameters, message) => {
		const execution = await runNode(sandbox, startParameters(parameters), { items: questions(2) });
		expect(errorText(execution)).toContain(message);
		expect(sandbox.stats().requests).toBe(0);
	});

	it.each(['../../v2/crawl/active', 'a/b', 'a%2Fb', 'x\ny', '', 'a b', '.'])('the job ID %j', async (jobId) => {
		const parameters = { resource: 'deepResearch', operation: 'get', jobId: '={{ $json.id }}' };
		const execution = await runNode(sandbox, parameters, { items: [{ id: jobId }] });
		expect(errorText(execution)).toContain('"Job ID"');
		expect(sandbox.stats().requests).toBe(0);
	});

	it('of one item, before the jobs of the others are paid for', async () => {
		const items = [...questions(3), { q: '' }];
		const execution = await runNode(sandbox, startParameters(), { items });
		expect(errorText(execution)).toContain('"Query" is required');
		expect(sandbox.stats().starts.total).toBe(0);
	});
});

describe('values from expressions and agents', () => {
	it('are taken as they are meant: numbers as text, lists as text', async () => {
		const execution = await runNode(
			sandbox,
			startParameters({
				analysisFormats: '={{ "json, markdown" }}',
				options: { maxDepth: '={{ "3" }}', maxUrls: '={{ 5 }}' },
			}),
			{ items: questions(1) },
		);
		expect(execution.error).toBeUndefined();
		expect(execution.items(NODE)[0]?.json.status).toBe('completed');
	});
});

describe('the base URL', () => {
	const credentialWith = (baseUrl: string) => ({ credential: { baseUrl, apiKey: 'fc-sandbox' } });
	const getActive = { resource: 'crawl', operation: 'getActive' };

	it.each(['', 'api.firecrawl.dev', 'ftp://example.com', 'file:///etc/passwd', 'http://'])(
		'must be an address, not %j',
		async (baseUrl) => {
			const execution = await runNode(sandbox, getActive, credentialWith(baseUrl));
			expect(errorText(execution)).toContain('base URL in the Web Data API credential must be');
		},
	);
});

describe('an expression that gives nothing stands for the default', () => {
	const nothing = '={{ $json.none }}';

	it('of Wait for Completion: the job is waited for', async () => {
		const execution = await runNode(sandbox, startParameters({ waitForCompletion: nothing }), {
			items: questions(1),
		});
		expect(execution.items(NODE)[0]?.json.status).toBe('completed');
	});
});
