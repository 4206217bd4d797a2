import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import { resources } from '../../nodes/WebData/resources';
import type { Sandbox } from '../../sandbox/server.ts';
import { writesGoldenFiles } from '../helpers/goldenFile';
import { runRecorded } from './recordedService';
import { RECORDED_RUNS } from './recordedRuns';
import { startSandbox } from '../../sandbox/server.ts';
import { NODE, runNode } from './run';
import { readSections, shownItem } from './shownOutput';
import { binaryOf, itemWith, runParse } from './uploads';

/** `npx jest engine/outputs -u && npm run format` writes it again. */
const FILE = join(__dirname, '../../docs/reference/OUTPUT.md');
const SITE = 'https://example.com';
const GONE = 'https://gone.invalid';
const QUESTION = 'How do cargo bikes compare with vans?';
const PAPER = { paperId: 'doi:10.5555/sandbox.1' };

let sandbox: Sandbox;
/** A service whose crawls take a minute. */
let slow: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ seed: 1, speed: 100, paidProviders: true });
	slow = await startSandbox({ seed: 1, jobDurationMs: 60_000 });
});
afterAll(async () => await Promise.all([sandbox.stop(), slow.stop()]));

const first = async (service: Sandbox, parameters: INodeParameters) => {
	const execution = await runNode(service, parameters);
	expect(execution.error).toBeUndefined();
	return execution.items(NODE);
};

/** The id that a start puts out. */
async function started(service: Sandbox, resource: string, more: INodeParameters) {
	const parameters = { resource, operation: 'start', waitForCompletion: false, ...more };
	const [item] = await first(service, parameters);
	return { jobId: String(item?.json.id), waitForCompletion: true };
}

/** What to run for the example of each operation, besides its name. */
const RUNS: Record<string, () => INodeParameters | Promise<INodeParameters>> = {
	'batchScrape start': () => ({ urlsFrom: 'list', urls: `${SITE}/costs, ${SITE}/safety` }),
	'batchScrape get': () => started(sandbox, 'batchScrape', { urlsFrom: 'list', urls: SITE }),
	'batchScrape cancel': () => started(slow, 'batchScrape', { urlsFrom: 'list', urls: SITE }),
	'batchScrape getErrors': async () => {
		const { jobId } = await started(sandbox, 'batchScrape', { urlsFrom: 'list', urls: GONE });
		await runNode(sandbox, { resource: 'batchScrape', operation: 'get', jobId });
		return { jobId };
	},
	'agent decide': async () => {
		const exchange = { exchange: { enabled: true, requireApproval: true, maxCalls: 5, onTermsRequired: 'skip' } };
		const [item] = await first(sandbox, {
			resource: 'agent',
			operation: 'start',
			prompt: QUESTION,
			options: { mode: 'chat', exchange },
		});
		const { id: approvalId } = item?.json.pendingApproval as { id: string };
		return { threadId: String(item?.json.threadId), approvalId };
	},
	'feedback rateDataTools': () => ({
		rating: 'good',
		rationale: 'Complete',
		requestedUrl: SITE,
		requestedFunctionality: 'Prices',
	}),
	'dataTool find': () => ({ providers: 'open-registry' }),
	'dataTool run': () => ({
		provider: 'open-registry',
		capability: 'company-profile',
		inputsAs: 'json',
		inputsJson: '{ "name": "Kestrel Couriers" }',
	}),
	'crawl start': () => ({ url: SITE, pageLimit: 3 }),
	'crawl get': () => started(sandbox, 'crawl', { url: SITE, pageLimit: 3 }),
	'crawl cancel': () => started(slow, 'crawl', { url: SITE }),
	'crawl getErrors': async () => {
		const { jobId } = await started(sandbox, 'crawl', { url: GONE });
		await runNode(sandbox, { resource: 'crawl', operation: 'get', jobId, waitForCompletion: true });
		return { jobId };
	},
	'crawl getActive': async () => {
		await started(slow, 'crawl', { url: SITE });
		return {};
	},
	'browser getReplay': async () => {
		const [session] = await first(sandbox, { resource: 'browser', operation: 'createSession' });
		return { sessionId: String(session?.json.id) };
	},
	'crawl previewOptions': () => ({ url: SITE, prompt: 'only pages about costs' }),
	'deepResearch start': () => ({ query: QUESTION, options: { maxUrls: 3 } }),
	'deepResearch get': () => started(sandbox, 'deepResearch', { query: QUESTION }),
	'map map': () => ({ url: SITE }),
	'page scrape': () => ({ url: SITE }),
	'page get': async () => {
		const [item] = await first(sandbox, { resource: 'page', operation: 'scrape', url: SITE });
		return { scrapeId: String(item?.json.scrapeId) };
	},
	'parse parseFile': () => ({}),
	'search search': () => ({ query: 'cargo bikes' }),
	'search searchDeveloper': () => ({ query: 'retry cursor' }),
	'search searchGovernment': () => ({ query: 'cargo bike batteries' }),
	'search searchPapers': () => ({ query: 'cargo bikes' }),
	'search getPaper': () => PAPER,
	'search getSimilarPapers': () => ({ ...PAPER, intent: 'deliveries' }),
};

/** What is in the binary field data of the input item. */
const FILES: Record<string, string> = { 'parse parseFile': 'report.pdf' };

const ON_SLOW = ['batchScrape cancel', 'crawl cancel', 'crawl getActive'];
const OPERATIONS = resources.flatMap(({ name, value, operations }) =>
	operations.map((operation) => ({
		title: `${name} · ${operation.name}`,
		key: `${value} ${operation.value}`,
		parameters: { resource: value, operation: operation.value },
	})),
);
/** What an operation puts out: of the sandbox, or of an answer that stands for a service. */
async function itemsOf(key: string, parameters: INodeParameters) {
	const recorded = RECORDED_RUNS[key];
	if (recorded) {
		const { answers, more } = recorded;
		const { execution } = await runRecorded(answers, { ...parameters, ...more });
		expect(execution.error).toBeUndefined();
		return execution.items(NODE);
	}
	const more = await RUNS[key]?.();
	expect(more).toBeDefined();
	const file = FILES[key];
	if (file !== undefined) {
		const execution = await runParse(sandbox, [itemWith({ data: binaryOf(file) })]);
		expect(execution.error).toBeUndefined();
		return execution.items(NODE);
	}
	return await first(ON_SLOW.includes(key) ? slow : sandbox, { ...parameters, ...more });
}

const produced = new Map<string, { count: string; item: unknown }>();

it.each(OPERATIONS)('$title puts out what docs/reference/OUTPUT.md shows', async (operation) => {
	const { title, key, parameters } = operation;
	const items = await itemsOf(key, parameters);
	expect(items.length).toBeGreaterThan(0);
	const count = items.length === 1 ? 'One item.' : `The first of ${items.length} items.`;
	const example = { count, item: shownItem(items[0]) };
	produced.set(title, example);
	if (!writesGoldenFiles) {
		expect(readSections(readFileSync(FILE, 'utf8')).get(title)).toEqual(example);
	}
});

afterAll(() => {
	if (!writesGoldenFiles) return;
	const head =
		'# What comes out\n\nOne item of each operation, as it left the node with nothing set but what it needs. Texts and lists are shortened. A test runs each and compares.\n\nA page is the same item whatever operation it comes from: `url`, `requestedUrl` (only where it is another address, or where the page failed), `title`, `description`, `language`, its short content (such as `json`), `statusCode`, `scrapeId`, `creditsUsed`, and last `markdown`, `html` and `rawHtml`, which are long. The output *Full Document* adds `metadata`, all that the service has of it. Where Max Characters per Page has cut its text, `length` is that of the whole text, and `cutAt` where the next part begins. Under the output stands what a person should know: pages that failed or answered with an HTTP error, what is not complete, what the service remarks, what it cost where the service says it.\n';
	const sections = Array.from(
		produced,
		([title, { count, item }]) =>
			`## ${title}\n\n${count}\n\n\`\`\`json\n${JSON.stringify(item, undefined, 2)}\n\`\`\`\n`,
	);
	writeFileSync(FILE, [head, ...sections].join('\n'));
});
