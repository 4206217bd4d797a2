/** One workflow with a node of every resource beside pages and research, in a real n8n. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Execution, StoredCredential } from '../../n8n/client.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { ask, field } from '../sandbox/client.ts';
import { everyOperation } from './harness/every-operation.ts';
import { failure, nodeOutput, waitForExecution } from './harness/executions.ts';
import { everyLine } from './harness/lines.ts';
import { apiKey, credentialFor, nodeType, type Product, sharedProduct } from './harness/product.ts';
import { codeNode, manualTrigger, type TestNode, workflow } from './harness/workflows.ts';

/** What the other files are about. */
const ELSEWHERE = ['batchScrape', 'crawl', 'deepResearch', 'map', 'page', 'search'];

const SITE = 'https://example.com';
const LOG_IN = `await page.goto('${SITE}/members');
await page.fill('#name', 'Ada');
await page.fill('#password', 'sandbox');
await page.click('button[type=submit]');
console.log(await page.title());`;
const READ = "console.log(JSON.stringify(await page.locator('#orders td').allTextContents()));";
const ORDERS = ['1001', 'Cargo bike', '3', '1002', 'Winter tyres', '8', '1003', 'Child seat', '2'];

const byId = (value: string): object => ({ __rl: true, mode: 'id', value });
const step = (code: string): object => ({ language: 'node', code, timeout: 30 });

/** The branches of the workflow: each begins at its start, its nodes follow each other. */
function branches(credential: StoredCredential): TestNode[][] {
	const node = (resource: string, operation: string, name: string, more: object = {}): TestNode => ({
		name,
		type: nodeType,
		typeVersion: 1,
		parameters: { resource, operation, ...more },
		credential,
	});
	return [
		[
			node('agent', 'start', 'Ask Agent', {
				prompt: 'Who builds cargo bikes in Nordhaven?',
				maxCredits: 100,
			}),
			node('agent', 'getTrace', 'Get Trace', { jobId: byId('={{ $json.id }}') }),
		],
		[
			node('browser', 'createSession', 'Open Session'),
			node('browser', 'runCode', 'Log In', {
				sessionId: byId('={{ $json.id }}'),
				code: LOG_IN,
			}),
			node('browser', 'runCode', 'Read Orders', {
				sessionId: byId('={{ $json.sessionId }}'),
				code: READ,
			}),
			node('browser', 'closeSession', 'Close Session', {
				sessionId: byId('={{ $json.sessionId }}'),
			}),
		],
		[
			node('browser', 'runInNewSession', 'Orders in One Node', {
				steps: { step: [step(LOG_IN), step(READ)] },
			}),
		],
		[
			codeNode('Text', 'return [{ json: { text: "<h1>Offer</h1><p>Cargo bike: 4500</p>" } }];'),
			{
				name: 'File',
				type: 'n8n-nodes-base.convertToFile',
				typeVersion: 1.1,
				parameters: {
					operation: 'toText',
					sourceProperty: 'text',
					binaryPropertyName: 'data',
					options: { fileName: 'Angebot für Räder.html' },
				},
			},
			node('parse', 'parseFile', 'Parse File'),
		],
		[
			node('extract', 'start', 'Extract', {
				urls: `${SITE}/costs`,
				prompt: 'What does a cargo bike cost a year?',
			}),
		],
		[node('llmsTxt', 'start', 'Describe Site', { url: SITE, maxUrls: 3, output: 'files' })],
		[
			node('monitor', 'create', 'Create Monitor', {
				name: 'Two pages',
				targets: { target: [{ type: 'scrape', urls: `${SITE}/costs\n${SITE}/safety` }] },
				scheduleBy: 'words',
				scheduleText: 'daily at 9:00',
			}),
			node('monitor', 'run', 'Run Check', {
				monitorId: byId('={{ $json.id }}'),
				output: 'status',
			}),
			node('monitor', 'getCheck', 'Get New Pages', {
				monitorId: byId('={{ $json.monitorId }}'),
				jobId: byId('={{ $json.id }}'),
				pageStatus: 'new',
			}),
			{
				...node('monitor', 'delete', 'Delete Monitor', {
					monitorId: byId("={{ $('Create Monitor').first().json.id }}"),
				}),
				settings: { executeOnce: true },
			},
		],
		[node('account', 'getCreditUsage', 'Credits Left')],
		[node('account', 'getQueueStatus', 'Queue')],
		[
			node('search', 'search', 'Search', { query: 'cargo bikes', limit: 1 }),
			node('feedback', 'rateSearch', 'Rate Search', {
				jobId: '={{ $json.searchId }}',
				valuableSources: { source: [{ url: '={{ $json.url }}', reason: 'Has the prices' }] },
			}),
		],
		[node('account', 'getActivity', 'Activity')],
		[node('support', 'ask', 'Ask Support', { question: 'Why has my crawl only one page?' })],
		[node('support', 'searchDocs', 'Search Docs', { question: 'How do I exclude paths?' })],
	];
}

for (const version of everyLine()) {
	describe(`every resource on n8n ${version}`, { timeout: 120_000 }, () => {
		let product: Product;
		let sandbox: Sandbox;
		let all: TestNode[];
		let execution: Execution;

		const jsonOf = (name: string) => nodeOutput(execution, name).map(({ json }) => json);
		const list = async (path: string, name: string): Promise<unknown> => {
			const { body } = await ask(sandbox, 'GET', path, { authorization: `Bearer ${apiKey}` });
			return field(body, name);
		};

		before(async () => {
			product = await sharedProduct(version);
			// One whose support answers.
			sandbox = await startSandbox({ speed: 20, keys: [apiKey], support: true });
			const { client } = product.n8n;
			const credential = await credentialFor(client, sandbox, 'With support');
			const rows = branches(credential);
			all = rows.flatMap((row) => row.map((node, place) => (place === row.length - 1 ? { ...node, to: [] } : node)));
			const start = { ...manualTrigger, to: rows.flatMap(([first]) => first?.name ?? []) };
			const saved = await client.createWorkflow(workflow('Everything', [start, ...all]));
			const id = await client.run(saved, manualTrigger.name);
			execution = await waitForExecution(client, id);
		});
		after(async () => {
			await sandbox.stop();
		});

		test('all nodes of one workflow succeed, and no resource is left out', () => {
			assert.equal(failure(execution), undefined);
			assert.equal(execution.status, 'success');
			for (const { name } of all) assert.notEqual(jsonOf(name).length, 0, name);
			const used = all.map(({ parameters = {} }) => field(parameters, 'resource'));
			const resources = new Set(everyOperation().map(({ resource }) => resource));
			for (const resource of resources) {
				if (!ELSEWHERE.includes(resource)) assert.ok(used.includes(resource), resource);
			}
		});

		test('Agent gives its answer, and the trace of what it did', () => {
			const [answer] = jsonOf('Ask Agent');
			assert.equal(answer?.status, 'completed');
			assert.match(JSON.stringify(answer.data), /\w{3}/);
			assert.ok(Number(answer.creditsUsed) > 0);
			assert.equal(jsonOf('Get Trace')[0]?.id, answer.id);
		});

		test('Browser reads the table behind the form both ways, and leaves no session open', async () => {
			assert.deepEqual(jsonOf('Read Orders')[0]?.data, ORDERS);
			const [row] = jsonOf('Orders in One Node');
			assert.deepEqual(row?.data, ORDERS);
			assert.equal(field(row, 'steps.0.result'), 'Your orders');
			assert.equal(jsonOf('Close Session')[0]?.closed, true);
			assert.deepEqual(await list('/v2/interact?status=active', 'sessions'), []);
		});

		test('Parse reads a file of n8n’s own', () => {
			const [file] = jsonOf('Parse File');
			assert.equal(file?.fileName, 'Angebot für Räder.html');
			assert.match(String(file.markdown), /^Offer\n[\s\S]*Cargo bike: 4500/);
		});

		test('Extract gives data, LLMs.txt gives a file', () => {
			const [extracted] = jsonOf('Extract');
			assert.equal(extracted?.status, 'completed');
			assert.equal(typeof extracted.data, 'object');
			const [site] = nodeOutput(execution, 'Describe Site');
			assert.equal(field(site, 'binary.llmstxt.fileName'), 'llms.txt');
		});

		test('Monitor checks its pages, and is gone afterwards', async () => {
			const pages = jsonOf('Get New Pages');
			assert.deepEqual(pages.map(({ url }) => url).sort(), [`${SITE}/costs`, `${SITE}/safety`]);
			for (const { status } of pages) assert.equal(status, 'new');
			assert.deepEqual(jsonOf('Delete Monitor'), [{ deleted: true, id: jsonOf('Create Monitor')[0]?.id }]);
			assert.deepEqual(await list('/v2/monitor', 'data'), []);
		});

		test('Account, Feedback and Support answer', () => {
			assert.ok(Number(jsonOf('Credits Left')[0]?.remainingCredits) > 0);
			assert.equal(typeof jsonOf('Queue')[0]?.jobsInQueue, 'number');
			const endpoints = jsonOf('Activity').map(({ endpoint }) => endpoint);
			assert.ok(endpoints.includes('agent'), endpoints.join(', '));
			const [receipt] = jsonOf('Rate Search');
			assert.equal(receipt?.jobId, jsonOf('Search')[0]?.searchId);
			assert.equal(typeof receipt?.feedbackId, 'string');
			for (const name of ['Ask Support', 'Search Docs']) {
				assert.match(String(jsonOf(name)[0]?.answer), /\w{3}/, name);
			}
		});
	});
}
