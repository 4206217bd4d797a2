/** The packed tarball, installed as self-hosters do, a node of every resource beside pages and research, and its removal. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod/v4';
import { nodesFolder, uninstallPackage } from '../../tools/n8n/packages.ts';
import type { Execution, StoredCredential } from '../../tools/n8n/client.ts';
import { webDataPackage } from '../../tools/n8n/project.ts';
import { ask, field } from '../sandbox/client.ts';
import { everyOperation } from './harness/every-operation.ts';
import { failure, nodeOutput, waitForExecution } from './harness/executions.ts';
import { everyLine } from './harness/lines.ts';
import {
	apiKey,
	credentialType,
	example,
	exampleTrigger,
	nodeType,
	type Product,
	startProduct,
} from './harness/product.ts';
import { codeNode, manualTrigger, type TestNode, workflow } from './harness/workflows.ts';

const described = z.object({
	name: z.string(),
	displayName: z.string(),
	iconUrl: z.union([z.string(), z.object({ light: z.string(), dark: z.string() })]).optional(),
});
type Described = z.infer<typeof described>;

/** What n8n tells its editor about a node type or a credential type. */
async function typeInfo(product: Product, kind: 'nodes' | 'credentials', name: string): Promise<Described | undefined> {
	const { text } = await product.n8n.client.file(`/types/${kind}.json`);
	const found = z.array(z.object({ name: z.string() }).passthrough()).parse(JSON.parse(text));
	return described.optional().parse(found.find((entry) => entry.name === name));
}

function iconsOf(info: Described | undefined): string[] {
	const urls = info?.iconUrl;
	assert.ok(typeof urls === 'object', `${info?.name} has a light and a dark icon`);
	return [urls.light, urls.dark];
}

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
			node('dataTool', 'find', 'Find Tool', { providers: 'open-registry', limit: 1 }),
			node('dataTool', 'run', 'Run Tool', {
				provider: byId('={{ $json.provider }}'),
				capability: byId('={{ $json.capability }}'),
				inputsAs: 'json',
				inputsJson: '{ "name": "Kestrel" }',
			}),
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
	describe(`install on n8n ${version}`, { timeout: 600_000 }, () => {
		let product: Product;
		const icons: string[] = [];

		before(async () => {
			product = await startProduct(version);
		});
		after(async () => {
			await product.dispose();
		});

		test('the node and its two icons are there after a start', async () => {
			const node = await typeInfo(product, 'nodes', nodeType);
			assert.equal(node?.displayName, 'Web Data');
			icons.push(...iconsOf(node));
			assert.ok(await typeInfo(product, 'nodes', `${nodeType}Tool`), 'as a tool of agents too');
		});

		test('the credential and its two icons are there', async () => {
			const credential = await typeInfo(product, 'credentials', credentialType);
			assert.equal(credential?.displayName, 'Web Data API (Firecrawl)');
			icons.push(...iconsOf(credential));
		});

		test('n8n serves the icons, light and dark', async () => {
			const served = await Promise.all(icons.map((url) => product.n8n.client.file(`/${url}`)));
			for (const { status, type, text } of served) {
				assert.equal(status, 200);
				assert.match(type, /^image\/svg\+xml/);
				assert.match(text, /^<svg /);
			}
			assert.equal(new Set(served.map(({ text }) => text)).size, 2, 'light and dark differ');
		});

		test('the first example runs and gives its page', async () => {
			const { client } = product.n8n;
			const saved = await client.createWorkflow(example('Start here', product.credential));
			const execution = await waitForExecution(client, await client.run(saved, exampleTrigger));
			assert.equal(failure(execution), undefined);
			const page = String(nodeOutput(execution, 'Scrape').at(0)?.json.markdown);
			assert.match(page, /cargo bikes/i);
		});

		describe('every resource', () => {
			let all: TestNode[];
			let execution: Execution;

			const jsonOf = (name: string) => nodeOutput(execution, name).map(({ json }) => json);
			const list = async (path: string, name: string): Promise<unknown> => {
				const { body } = await ask(product.sandbox, 'GET', path, { authorization: `Bearer ${apiKey}` });
				return field(body, name);
			};

			before(async () => {
				const { client } = product.n8n;
				const rows = branches(product.credential);
				all = rows.flatMap((row) => row.map((node, place) => (place === row.length - 1 ? { ...node, to: [] } : node)));
				const start = { ...manualTrigger, to: rows.flatMap(([first]) => first?.name ?? []) };
				const saved = await client.createWorkflow(workflow('Everything', [start, ...all]));
				const id = await client.run(saved, manualTrigger.name);
				execution = await waitForExecution(client, id);
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

			test('Data Tool runs what it has found', () => {
				const [tool] = jsonOf('Find Tool');
				assert.equal(tool?.capability, 'company-profile');
				const [answer] = jsonOf('Run Tool');
				assert.equal(field(answer, 'data.name'), 'Kestrel Couriers');
				assert.equal(answer?.creditsCost, tool.creditsCost);
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

		test('nothing is left of it after npm uninstall', async () => {
			const { n8n } = product;
			await uninstallPackage(n8n.dataFolder);
			await n8n.restart();
			for (const name of [nodeType, `${nodeType}Tool`]) assert.equal(await typeInfo(product, 'nodes', name), undefined);
			assert.equal(await typeInfo(product, 'credentials', credentialType), undefined);
			for (const icon of icons) assert.equal((await n8n.client.file(`/${icon}`)).status, 404);
			const folder = nodesFolder(n8n.dataFolder);
			assert.equal(existsSync(path.join(folder, 'node_modules', webDataPackage)), false);
			const manifest = readFileSync(path.join(folder, 'package.json'), 'utf8');
			assert.doesNotMatch(manifest, new RegExp(webDataPackage));
		});
	});
}
