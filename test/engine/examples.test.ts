import { join } from 'node:path';
import {
	binaryText,
	dataNodes,
	flowNodes,
	loadBuiltPackage,
	readWorkflowFile,
	resumeWaiting,
	runWorkflow,
	pollingTrigger,
	startWaitingHost,
	startWebhookNode,
} from '../../tools/n8n-engine/index.ts';
import { startListener } from '../sandbox/listener.ts';
import { field, until, ask } from '../sandbox/client.ts';
import type { BuiltPackage, ExecutionOptions, WebhookNode, WorkflowFile } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { after, startSandbox } from './run';
import { endsLater } from '../helpers/lifetime';

const ROOT = join(__dirname, '../..');
const WEB_DATA = 'n8n-nodes-web-data.webData';
const TRIGGER = `${WEB_DATA}Trigger`;
const POLL_TRIGGER = `${WEB_DATA}PollTrigger`;

let sandbox: Sandbox;
let loaded: BuiltPackage;

beforeAll(async () => {
	sandbox = await startSandbox({ speed: 50, seed: 1, lightWork: true });
	loaded = await loadBuiltPackage(ROOT);
});

const read = (file: string): Promise<WorkflowFile> => readWorkflowFile(join(ROOT, 'examples', file));
const inSandbox = (workflow: WorkflowFile): ExecutionOptions => ({
	package: loaded,
	workflow,
	credential: { baseUrl: sandbox.baseUrl, apiKey: 'fc-sandbox' },
	otherNodeTypes: { ...flowNodes, ...dataNodes },
});

/** The workflow with another address in the parameter `url` of its node `name`. */
function withUrl(workflow: WorkflowFile, name: string, url: string): WorkflowFile {
	const nodes = workflow.nodes.map((node) =>
		node.name === name ? { ...node, parameters: { ...node.parameters, url } } : node,
	);
	return { ...workflow, nodes };
}

describe('log in and read a table', () => {
	// At its own pace: the example's Idle Limit of a minute must not be a second on a busy machine.
	let unhurried: Sandbox;
	beforeAll(async () => {
		unhurried = await startSandbox({ seed: 1, lightWork: true });
	});
	const inUnhurried = (workflow: WorkflowFile): ExecutionOptions => ({
		...inSandbox(workflow),
		credential: { baseUrl: unhurried.baseUrl, apiKey: 'fc-sandbox' },
	});
	const ORDERS = [
		{ order: '1001', article: 'Cargo bike', pieces: 3 },
		{ order: '1002', article: 'Winter tyres', pieces: 8 },
		{ order: '1003', article: 'Child seat', pieces: 2 },
	];
	const openSessions = async () => {
		const { body } = await ask(unhurried, 'GET', '/v2/interact?status=active');
		return (body as { sessions: unknown[] }).sessions;
	};

	test('in a session of several nodes and in one node: the rows, and no session left open', async () => {
		const { items, error } = await runWorkflow(inUnhurried(await read('browser-log-in.json')));
		expect(error).toBeUndefined();
		expect(items('One Item per Order').map(({ json }) => json)).toEqual(ORDERS);
		expect(items('One Item per Order Again').map(({ json }) => json)).toEqual(ORDERS);
		expect(items('Close Session')[0]?.json.closed).toBe(true);
		expect(await openSessions()).toEqual([]);
	});

	test('the branch for errors closes the session, too', async () => {
		const workflow = JSON.parse(
			JSON.stringify(await read('browser-log-in.json')).replaceAll("'sandbox'", "'wrong'"),
		) as WorkflowFile;
		const { items } = await runWorkflow(inUnhurried(workflow));
		expect(items('Read the Table', 1)[0]?.json.error).toContain('#orders');
		expect(items('Close After an Error')[0]?.json.closed).toBe(true);
		expect(await openSessions()).toEqual([]);
	});
});

test('durable: waits in stored executions until the research is done, and starts it once', async () => {
	const options = inSandbox(await read('research-durable.json'));
	const startsBefore = sandbox.stats().starts.total;
	let execution = await runWorkflow(options);
	let rounds = 0;
	while (execution.run.status === 'waiting' && ++rounds < 100) {
		expect(execution.items('Start Research')[0]?.json).toHaveProperty('id');
		// n8n would come back after two minutes.
		await after(50);
		execution = await resumeWaiting(execution, options);
	}
	expect(execution.run.status).toBe('success');
	expect(execution.items('Use the Analysis')[0]?.json).toMatchObject({ status: 'completed' });
	expect(rounds).toBeGreaterThan(0);
	expect(sandbox.stats().starts.total).toBe(startsBefore + 1);
});

describe('a crawl that uses no worker while it waits', () => {
	const freed = async (isCalled: boolean) => {
		const host = endsLater(await startWaitingHost());
		const slow = await startSandbox({ lightWork: true, jobDurationMs: 1500 });
		if (!isCalled) slow.webhooks.add({ kind: 'lose' });
		const { executionId, run } = await host.run({
			...inSandbox(await read('crawl-freed-and-collected.json')),
			credential: { baseUrl: slow.baseUrl, apiKey: 'fc-sandbox' },
		});
		expect(run.status).toBe('waiting');
		return isCalled ? await host.ended(executionId) : await host.timeIsUp(executionId);
	};

	test('goes on with its pages when the service calls', async () => {
		const { items, error } = await freed(true);
		expect(error).toBeUndefined();
		expect(items('Use the Pages')).toHaveLength(50);
		expect(items('Collect the Crawl')).toEqual([]);
	});

	test('collects the same pages when the call got lost', async () => {
		const { items, error } = await freed(false);
		expect(error).toBeUndefined();
		expect(items('Collect the Crawl')).toHaveLength(50);
		expect(items('Use the Pages')).toHaveLength(50);
	});
});

test('companies with an agent: a row for each in the shape of the example, within the cap', async () => {
	const { items, error } = await runWorkflow(inSandbox(await read('agent-companies-to-rows.json')));
	expect(error).toBeUndefined();
	const rows = items('Rows').map(({ json }) => json);
	expect(rows.map(({ company }) => company)).toEqual([
		'Nordhaven Cargo Cycles',
		'Lindmoor Parcels',
		'Osterby Couriers',
	]);
	for (const row of rows) {
		expect(row).toMatchObject({ founded: expect.any(Number), credits: 15 });
		expect(row.headquarters).toMatch(/./);
		expect(row.products).toMatch(/., ./);
	}
	expect(items('Companies Without an Answer')).toEqual([]);
});

test('companies with an agent: one that fails goes to the second output, with its reason', async () => {
	const unblock = sandbox.faults.add({ step: 'start', kind: 'failJob', query: 'Lindmoor Parcels' });
	const { items } = await runWorkflow(inSandbox(await read('agent-companies-to-rows.json')));
	unblock();
	expect(items('Rows')).toHaveLength(2);
	expect(items('Companies Without an Answer').map(({ json }) => json.error)).toEqual([
		expect.stringMatching(/^The agent job \S+ failed: /),
	]);
});

test('a monitor with its checks: what is new comes out, and no monitor is left', async () => {
	const { items, error } = await runWorkflow(inSandbox(await read('monitor-with-its-checks.json')));
	expect(error).toBeUndefined();
	expect(items('Tell Somebody').map(({ json }) => [json.url, json.status])).toEqual([
		['https://example.com', 'new'],
		['https://example.com/costs', 'new'],
		['https://example.com/safety', 'new'],
	]);
	const [monitor] = items('Create Monitor');
	expect(items('Delete Monitor').map(({ json }) => json)).toEqual([{ deleted: true, id: monitor?.json.id }]);
});

describe('examples of pages', () => {
	let pages: Sandbox;
	const atPages = (workflow: WorkflowFile): ExecutionOptions => ({
		...inSandbox(workflow),
		credential: { baseUrl: pages.baseUrl, apiKey: 'fc-sandbox' },
	});
	beforeAll(async () => {
		pages = await startSandbox({ seed: 1 });
	});

	test('start here: a page comes out as Markdown', async () => {
		const { items, error } = await runWorkflow(atPages(await read('scrape-to-markdown.json')));
		expect(error).toBeUndefined();
		expect(items('Scrape')).toHaveLength(1);
		expect(items('Scrape')[0]?.json.markdown).toContain('Cargo bikes carry parcels');
	});

	test('a search: each result comes with its page', async () => {
		const { items, error } = await runWorkflow(atPages(await read('search-and-read.json')));
		expect(error).toBeUndefined();
		const pages = items('Use the Pages').map(({ json }) => json);
		expect(pages).toHaveLength(3);
		for (const page of pages) expect(page.markdown).toMatch(/cargo/i);
	});

	test('structured data: the fields of the example, from the page', async () => {
		const { items, error } = await runWorkflow(atPages(await read('structured-data.json')));
		expect(error).toBeUndefined();
		expect(items('Row').map(({ json }) => json)).toEqual([
			{ title: 'Costs of a cargo bike fleet', paybackMonths: 18, insurancePerYear: 350 },
		]);
	});

	test('a site to Markdown files: one file for each page, named after it', async () => {
		const { items, error } = await runWorkflow(atPages(await read('crawl-to-markdown-files.json')));
		expect(error).toBeUndefined();
		const files = items('Store the Files');
		expect(files).toHaveLength(14);
		expect(files.map(({ binary }) => binary?.markdown?.fileName)).toEqual(
			expect.arrayContaining(['example.com.md', 'example.com_costs.md', 'example.com_winter.md']),
		);
		expect(binaryText(files[0], 'markdown')).toContain('Cargo bikes carry parcels');
	});

	test('a watched page: silent until it changes, then with what has changed', async () => {
		let text = 'Open from 9 to 5';
		const page = await startListener(() => ({ body: `<main><h1>Shop</h1><p>${text}</p></main>` }));
		const workflow = withUrl(await read('scrape-watch-changes.json'), 'Scrape', page.url);
		const told = async () => (await runWorkflow(atPages(workflow))).items('Tell Somebody');
		expect(await told()).toEqual([]);
		expect(await told()).toEqual([]);
		text = 'Open from 10 to 4';
		const [changed] = await told();
		expect(JSON.stringify(changed?.json.changeTracking)).toContain('+Open from 10 to 4');
		expect(await told()).toEqual([]);
	});

	test('a sheet of URLs: each row with its own page, and the bad row with its reason', async () => {
		const { items } = await runWorkflow(atPages(await read('batch-scrape-a-sheet.json')));
		expect(items('Rows with Their Page').map(({ json }) => [json.company, json.website])).toEqual([
			['Overview', 'https://example.com/'],
			['Costs', 'https://example.com/costs'],
			['Safety', 'https://example.com/safety'],
		]);
		expect(items('Rows with Their Page')[1]?.json.text).toMatch(/cost/i);
		expect(items('Rows Without a Page')).toHaveLength(1);
		expect(items('Rows Without a Page')[0]?.json.error).toContain('"unknown"');
		expect(items('Scrape All', 1)[0]?.pairedItem).toMatchObject({ item: 3 });
	});

	test('mail attachments to Markdown: each that can be read, paired with its mail', async () => {
		const { items, hints, error } = await runWorkflow(atPages(await read('attachments-to-markdown.json')));
		expect(error).toBeUndefined();
		const parsed = items('Use the Markdown');
		expect(parsed.map(({ json }) => json.fileName)).toEqual(['offer.html', 'deliveries.csv']);
		expect(parsed[0]?.json.markdown).toContain('4500');
		expect(parsed[1]?.json.markdown).toContain('| 2026-05-02 | 396 |');
		expect(items('Parse')[1]?.pairedItem).toMatchObject({ item: 1 });
		expect(hints('Parse').map(({ message }) => message)).toContainEqual(expect.stringContaining('logo.svg'));
	});

	test('research with Search and Scrape: a report file with an answer of each page', async () => {
		const { items, error } = await runWorkflow(atPages(await read('research-with-search-and-scrape.json')));
		expect(error).toBeUndefined();
		const [item] = items('Use the Report');
		expect(item?.binary?.data?.fileName).toBe('research-how-do-cargo-bikes-compare-with-vans-for-city-deliveries.md');
		const report = binaryText(item);
		expect(report).toMatch(/^# How do cargo bikes compare with vans for city deliveries\?\n/);
		for (const mark of ['[1]', '[5]', '## Sources', '5. [', '## Timeline', '5 results found, 5 pages read']) {
			expect(report).toContain(mark);
		}
		expect(report).not.toMatch(/undefined|null|\[object/);
	});
});

describe('examples of the trigger', () => {
	let service: Sandbox;
	beforeAll(async () => {
		service = await startSandbox({ seed: 1, jobDurationMs: 20 });
	});
	const told = async (path: string, body?: object): Promise<unknown> =>
		(await ask(service, body ? 'POST' : 'GET', path, { body })).body;

	/** The example active, until `news` has made the service call; then the workflow with what came. */
	async function started(file: string, news: (host: WebhookNode) => Promise<unknown>) {
		const workflow = await read(file);
		const trigger = workflow.nodes.find(({ type }) => type === TRIGGER);
		if (!trigger) throw new Error(`${file} has no trigger.`);
		const data = { baseUrl: service.baseUrl, apiKey: 'fc-sandbox' };
		const host = endsLater(
			await startWebhookNode({
				package: loaded,
				type: TRIGGER,
				parameters: trigger.parameters,
				typeVersion: trigger.typeVersion,
				credential: { type: 'webDataApi', data },
			}),
		);
		await host.activate();
		await news(host);
		const items = await until('an execution', () => host.executions[0]?.items);
		await host.deactivate();
		const options = {
			...inSandbox(workflow),
			credential: data,
			pinData: { [trigger.name]: items },
		};
		return await runWorkflow(options);
	}

	test('a changed website: a message with its address and the difference', async () => {
		const { items, error } = await started('trigger-website-changed.json', async () => {
			const list = await told('/v2/monitor');
			const id = String(field(list, 'data.0.id'));
			expect(field(list, 'data.0.targets.0.urls')).toEqual(['https://example.com']);
			// The page stays as it is: that a target of its is removed counts as well.
			await told(`/v2/monitor/${id}/run`, {});
			await until('the first check', () => service.webhooks.sent().length === 1);
			const targets = [{ type: 'scrape', urls: ['https://example.com/changing'] }];
			await ask(service, 'PATCH', `/v2/monitor/${id}`, { body: { targets } });
			for (const count of [2, 3]) {
				await told(`/v2/monitor/${id}/run`, {});
				await until('a check', () => service.webhooks.sent().length === count);
			}
		});
		expect(error).toBeUndefined();
		const messages = items('Send the Message').map(({ json }) => json.message);
		expect(messages.join()).toMatch(/^https:\/\/example\.com\/changing is /);
	});

	test('files of a crawl when it is done: one for each page', async () => {
		const { items, error } = await started('trigger-job-to-files.json', (host) =>
			told('/v2/crawl', { url: 'https://example.com', limit: 3, webhook: host.webhookUrl }),
		);
		expect(error).toBeUndefined();
		expect(items('Store the Files')).toHaveLength(3);
		expect(binaryText(items('Store the Files')[0], 'markdown')).toContain('Cargo bikes');
	});
});

test('new pages of a competitor: nothing at first, then a message for each new page', async () => {
	const paths = ['/tea'];
	const shop = await startListener(({ url }) => {
		const links = paths.map((path) => `<a href="${path}">${path}</a>`).join('');
		return { body: `<title>Shop ${url}</title><main><h1>Shop</h1>${links}</main>` };
	});
	const pages = await startSandbox({ seed: 1 });
	const credential = { baseUrl: pages.baseUrl, apiKey: 'fc-sandbox' };
	const workflow = await read('poll-new-pages.json');
	const trigger = workflow.nodes.find(({ type }) => type === POLL_TRIGGER);
	const polling = pollingTrigger({
		package: loaded,
		credential,
		nodeName: 'webDataPollTrigger',
		parameters: { ...trigger?.parameters, url: shop.url },
	});
	expect(await polling.poll()).toBeUndefined();
	paths.push('/cake', '/soup');
	const found = (await polling.poll()) ?? [];
	const { items, error } = await runWorkflow({
		...inSandbox(workflow),
		credential,
		pinData: { [trigger?.name ?? '']: found },
	});
	expect(error).toBeUndefined();
	const messages = items('Send the Message').map(({ json }) => String(json.message));
	expect(messages.map((message) => message.split('\n')[0])).toEqual([
		`Shop /cake (${shop.url}/cake)`,
		`Shop /soup (${shop.url}/soup)`,
	]);
});
