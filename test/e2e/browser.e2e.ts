/** What needs a browser at the service: screenshots and actions, in the sandbox's own Chromium. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { INodeParameters } from 'n8n-workflow';
import { loadBuiltPackage, runWorkflow } from '../../engine/index.ts';
import { projectRoot } from '../../n8n/project.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { ask, field } from '../sandbox/client.ts';
import { type Listener, startListener } from '../sandbox/listener.ts';

const PNG = '89504e470d0a1a0a';
const PAGE = `<!DOCTYPE html><title>T</title><body style="height:3000px"><input id="i"><button onclick="document.body.append('Clicked ' + document.getElementById('i').value)">Go</button>`;

describe('the sandbox with Chromium', { timeout: 120_000 }, () => {
	let sandbox: Sandbox;
	let listener: Listener;

	before(async () => {
		listener = await startListener((request) => (request.url === '/hang' ? undefined : { body: PAGE }));
	});
	after(() => listener.stop());
	afterEach(() => sandbox.stop());

	const scrape = async (body: Record<string, unknown>) =>
		await ask(sandbox, 'POST', '/v2/scrape', { body: { url: listener.url, ...body } });

	test('takes pictures as links, of the size that is asked for', async () => {
		sandbox = await startSandbox();
		const viewport = { width: 320, height: 200 };
		const { body } = await scrape({ formats: ['markdown', { type: 'screenshot', viewport }] });
		const picture = await fetch(String(field(body, 'data.screenshot')));
		assert.equal(picture.headers.get('content-type'), 'image/png');
		const bytes = Buffer.from(await picture.arrayBuffer());
		assert.equal(bytes.subarray(0, 8).toString('hex'), PNG);
		assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [320, 200]);
	});

	test('performs actions, and names the one that fails', async () => {
		sandbox = await startSandbox();
		const { body } = await scrape({
			formats: ['markdown'],
			actions: [
				{ type: 'click', selector: '#i' },
				{ type: 'write', text: 'hello' },
				{ type: 'click', selector: 'button' },
				{ type: 'wait', milliseconds: 20 },
				{ type: 'scroll' },
				{ type: 'screenshot' },
				{ type: 'scrape' },
				{ type: 'executeJavascript', script: 'document.title' },
			],
		});
		assert.match(String(field(body, 'data.markdown')), /Clicked hello/);
		assert.match(String(field(body, 'data.actions.scrapes.0.html')), /Clicked hello/);
		assert.deepEqual(field(body, 'data.actions.javascriptReturns'), [{ type: 'string', value: 'T' }]);
		assert.match(String(field(body, 'data.actions.screenshots.0')), /\.png$/);
		const failed = await scrape({ actions: [{ type: 'executeJavascript', script: '(' }] });
		assert.deepEqual([failed.status, field(failed.body, 'code')], [500, 'SCRAPE_ACTION_ERROR']);
		assert.match(String(field(failed.body, 'error')), /Action 0 \(executeJavascript\)/);
	});

	test('runs out of time, and meets addresses that do not answer', async () => {
		sandbox = await startSandbox();
		const formats = ['screenshot'];
		const hang = await scrape({ url: `${listener.url}/hang`, formats, timeout: 2000 });
		assert.deepEqual([hang.status, field(hang.body, 'code')], [408, 'SCRAPE_TIMEOUT']);
		const gone = await scrape({ url: 'http://127.0.0.1:9/', formats });
		assert.deepEqual([gone.status, field(gone.body, 'code')], [500, 'SCRAPE_ALL_ENGINES_FAILED']);
	});

	test('gives the node screenshots that become files: of a page, and of each page of a crawl', async () => {
		sandbox = await startSandbox({ keys: ['fc-sandbox'] });
		const formats = ['screenshot'];
		const scrapeOptions = { storeAsFiles: ['screenshot'] };
		const url = 'https://example.com/';
		for (const [parameters, count] of [
			[{ resource: 'page', operation: 'scrape', url, formats, scrapeOptions }, 1],
			[{ resource: 'crawl', operation: 'start', url, pageLimit: 3, formats, scrapeOptions }, 3],
		] as const) {
			const { items, error } = await runWorkflow({
				package: await loadBuiltPackage(projectRoot()),
				workflow: workflowOf(parameters),
				credential: { baseUrl: sandbox.baseUrl, apiKey: 'fc-sandbox' },
			});
			assert.equal(error, undefined);
			const pictures = items('Web Data').map(({ binary }) => binary?.screenshot);
			assert.equal(pictures.length, count);
			for (const picture of pictures) {
				assert.equal(picture?.mimeType, 'image/png');
				const bytes = Buffer.from(picture.data, 'base64');
				assert.equal(bytes.subarray(0, 8).toString('hex'), PNG);
			}
		}
	});
});

function workflowOf(parameters: object) {
	const common = { typeVersion: 1, position: [0, 0] as [number, number] };
	return {
		name: 'Screenshots',
		nodes: [
			{
				...common,
				id: 'trigger',
				name: 'Start',
				type: 'n8n-nodes-base.manualTrigger',
				parameters: {},
			},
			{
				...common,
				id: 'node',
				name: 'Web Data',
				type: 'n8n-nodes-web-data.webData',
				parameters: structuredClone(parameters) as INodeParameters,
				credentials: { webDataApi: { id: '1', name: 'Web Data API' } },
			},
		],
		connections: { Start: { main: [[{ node: 'Web Data', type: 'main' as const, index: 0 }]] } },
	};
}
