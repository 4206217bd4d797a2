import type { IBinaryData } from 'n8n-workflow';

import { binaryStoreOnDisk } from '../../tools/n8n-engine/index.ts';
import type { BinaryStore, Execution } from '../../tools/n8n-engine/index.ts';
import type { ScriptRequest } from '../helpers/script';
import { scraped, startPageService } from './pageService';
import type { PageService, PageServiceParts } from './pageService';
import { crawlStart, errorText, jsonOf, NODE, retryNode, runNode } from './run';

let service: PageService;

const site = (count: number) => Array.from({ length: count }, (_unused, index) => `https://site.example/${index}`);

const serve = async (count: number, parts: PageServiceParts = {}) => {
	const job = () => ({ pages: site(count).map(scraped), looksLeft: 0 });
	service = await startPageService({ job, ...parts });
};

const fileOf = (execution: Execution): IBinaryData => {
	const [item] = execution.items(NODE);
	const file = item?.binary?.data;
	if (!file) throw new Error(`no file: ${errorText(execution)}`);
	return file;
};

const urlsIn = (content: string) => {
	expect(content.endsWith('\n')).toBe(true);
	const lines = content.trimEnd().split('\n');
	return lines.map((line) => (JSON.parse(line) as { url: string }).url);
};

const isSlice = ({ method, path, query }: ScriptRequest) =>
	method === 'GET' && !path.endsWith('/errors') && query.limit === undefined;

describe('One File, where n8n keeps binary data on disk', () => {
	let store: BinaryStore;

	beforeAll(async () => {
		store = await binaryStoreOnDisk();
	});
	afterAll(async () => await store.end());

	const contentOf = async (execution: Execution) => {
		let text = '';
		for await (const piece of await store.read(fileOf(execution))) text += String(piece);
		return text;
	};

	it('holds each page once, in order, as One Item per Page gives it', async () => {
		await serve(250);
		const execution = await runNode(service, crawlStart({ output: 'file' }));
		const content = await contentOf(execution);
		expect(urlsIn(content)).toEqual(site(250));
		const items = jsonOf((await runNode(service, crawlStart())).items(NODE));
		const lines = content.trimEnd().split('\n');
		const first = { ...items[0], jobId: 'job-0' };
		expect(JSON.parse(lines[0] ?? '')).toEqual(first);
		expect(jsonOf(execution.items(NODE))).toMatchObject([
			{
				id: 'job-0',
				status: 'completed',
				pagesInFile: 250,
				bytes: Buffer.byteLength(content),
				firstUrl: 'https://site.example/0',
				lastUrl: 'https://site.example/249',
				pagesFailed: 0,
			},
		]);
		const { fileName, mimeType, bytes } = fileOf(execution);
		expect({ fileName, mimeType }).toEqual({
			fileName: 'crawl-job-0.jsonl',
			mimeType: 'application/x-ndjson',
		});
		expect(bytes ?? Buffer.byteLength(content)).toBe(Buffer.byteLength(content));
	});

	it('is read again by a retry, which starts nothing', async () => {
		let isDown = true;
		await serve(250, {
			instead: (request) =>
				isDown && isSlice(request) && request.query.skip === '100'
					? { status: 403, body: { success: false, error: 'not now' } }
					: undefined,
		});
		const failed = await runNode(service, crawlStart({ output: 'file' }));
		expect(errorText(failed)).toMatch(/pages could not be read.*not now.*not lost/s);
		isDown = false;
		const again = await retryNode(service, failed, crawlStart({ output: 'file' }));
		expect(urlsIn(await contentOf(again))).toEqual(site(250));
		const starts = service.requests.filter(({ method }) => method === 'POST');
		expect(starts).toHaveLength(1);
	});

	it('leaves nothing half done behind where a slice cannot be had', async () => {
		await serve(1000, {
			instead: ({ query }) =>
				query.skip === '500' ? { status: 403, body: { success: false, error: 'no' } } : undefined,
		});
		const filesBefore = (await store.names()).length;
		const execution = await runNode(service, crawlStart({ output: 'file' }));
		expect(errorText(execution)).toMatch(/pages could not be read/);
		expect((await store.names()).length - filesBefore).toBeLessThanOrEqual(2);
	});

	it('leaves nothing half done behind after Stop, and asks for nothing more', async () => {
		const stop = new AbortController();
		await serve(1000, {
			instead: (request) => {
				if (request.query.skip === '300') stop.abort();
				return undefined;
			},
		});
		const filesBefore = (await store.names()).length;
		const run = { signal: stop.signal };
		const execution = await runNode(service, crawlStart({ output: 'file' }), run);
		expect(errorText(execution)).toMatch(/canceled/);
		expect(service.requests.filter(({ query }) => Number(query.skip) > 300)).toEqual([]);
		// What n8n was asked for to tell where it keeps files: an empty one, and its note.
		expect((await store.names()).length - filesBefore).toBeLessThanOrEqual(2);
	});

	it('of a crawl without a page is an error that says so', async () => {
		await serve(0);
		const execution = await runNode(service, crawlStart({ output: 'file' }));
		expect(errorText(execution)).toMatch(/ended without a page/);
	});
});
