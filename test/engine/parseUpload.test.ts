import { Readable } from 'node:stream';

import { binaryStoreOnDisk } from '../../tools/n8n-engine/index.ts';
import type { BinaryStore } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { after, hintsOf, jsonOf, KEY, NODE, RETRY, retryNode, sourceItems, startSandbox } from './run';
import { itemWith, noteOf, PARSE, runParse } from './uploads';
import { startUploadService } from './uploadService';
import type { UploadService } from './uploadService';

const MB = 1024 * 1024;

let sandbox: Sandbox;
let store: BinaryStore;

beforeAll(async () => {
	sandbox = await startSandbox();
	store = await binaryStoreOnDisk();
});
afterAll(async () => {
	await store.end();
});

/** A file of so many bytes, in n8n's store. */
const large = async (bytes: number) =>
	await store.store(
		Readable.from(
			(function* () {
				for (let left = bytes; left > 0; left -= MB) yield Buffer.alloc(Math.min(MB, left), 'x');
			})(),
			{ objectMode: false },
		),
		'large.pdf',
		'application/pdf',
	);

const at = (service: UploadService) => ({ credential: { baseUrl: service.baseUrl, apiKey: KEY } });

describe('an upload that breaks off', () => {
	it('on its way is sent again: it cannot have been read', async () => {
		const service = await startUploadService({ cut: { afterBytes: 2 * MB, times: 2 } });
		const execution = await runParse(sandbox, [itemWith({ data: await large(9 * MB) })], {}, at(service));
		expect(execution.error).toBeUndefined();
		expect(execution.items(NODE)[0]?.json.markdown).toBe('read');
		expect(service.uploads.map(({ isWhole }) => isWhole)).toEqual([false, false, true]);
		for (const { contentLength } of service.uploads) expect(contentLength).toBeGreaterThan(9 * MB);
	});
});

it('a refusal that comes before the file was read is waited out, and the file sent from its beginning', async () => {
	const service = await startUploadService({ refuseEarly: 1 });
	const execution = await runParse(sandbox, [itemWith({ data: await large(9 * MB) })], {}, at(service));
	expect(execution.error).toBeUndefined();
	expect(service.uploads).toHaveLength(2);
	expect(service.uploads[1]).toMatchObject({
		isWhole: true,
		bytes: service.uploads[1]?.contentLength,
	});
});

it('Stop ends an upload within a second, and nothing is sent after it', async () => {
	const service = await startUploadService({ stallAfterBytes: MB });
	const stop = new AbortController();
	const items = await Promise.all(Array.from({ length: 3 }, async () => itemWith({ data: await large(20 * MB) })));
	const running = runParse(sandbox, items, {}, { ...at(service), signal: stop.signal });
	while (!service.uploads.some(({ bytes }) => bytes >= MB)) {
		await after(20);
	}
	const stoppedMs = performance.now();
	stop.abort();
	const execution = await running;
	expect(performance.now() - stoppedMs).toBeLessThan(1000);
	expect(execution.run.status).toBe('canceled');
	const sent = service.uploads.length;
	await after(300);
	expect(service.uploads).toHaveLength(sent);
	expect(service.uploads.some(({ isWhole }) => isWhole)).toBe(false);
});

describe('a retry', () => {
	const COUNT = 12;
	const items = Array.from({ length: COUNT }, (_unused, index) =>
		itemWith({
			data: noteOf(`text ${index}`, `${index}.html`),
			more: noteOf(`more ${index}`, `m${index}.html`),
		}),
	);
	const failOnce = () => sandbox.faults.add({ step: 'parse', kind: 'status', httpStatus: 500, skip: 5, times: 1 });
	const paid = () => sandbox.stats().pagesScraped;
	const run = async (node = {}, more = {}) => await runParse(sandbox, items, more, { node });

	it('by Retry On Fail pays for no file twice', async () => {
		failOnce();
		const execution = await run(RETRY);
		expect(execution.error).toBeUndefined();
		expect(sourceItems(execution.items(NODE))).toEqual([...items.keys()]);
		expect(paid()).toBe(COUNT);
		expect(hintsOf(execution)).toContainEqual(expect.stringMatching(/^Collected \d+ files of an earlier try/));
	});

	it('of the failed execution pays for no file twice, also where items have several', async () => {
		failOnce();
		const execution = await run({}, { filesFrom: 'all' });
		expect(execution.error).toBeDefined();
		expect(paid()).toBeGreaterThan(0);
		const retried = await retryNode(sandbox, execution, { ...PARSE, filesFrom: 'all' });
		expect(retried.error).toBeUndefined();
		expect(jsonOf(retried.items(NODE)).map(({ fileName, markdown }) => [fileName, markdown])).toEqual(
			[...items.keys()].flatMap((index) => [
				[`${index}.html`, `text ${index}`],
				[`m${index}.html`, `more ${index}`],
			]),
		);
		expect(paid()).toBe(2 * COUNT);
	});

	it('says it where the service no longer has what it made, and pays again', async () => {
		failOnce();
		const execution = await run();
		sandbox.reset();
		const retried = await retryNode(sandbox, execution, PARSE);
		expect(retried.error).toBeUndefined();
		expect(paid()).toBe(COUNT);
		expect(hintsOf(retried)).toContainEqual(
			expect.stringMatching(/files? of an earlier try could not be collected, so were? .*paid for again/),
		);
	});

	it('takes another file of the same name for what it is', async () => {
		failOnce();
		const execution = await run();
		const stored = execution.stored.replaceAll(noteOf('text 0').data, noteOf('text X').data);
		expect(stored).not.toBe(execution.stored);
		const retried = await retryNode(sandbox, { ...execution, stored }, PARSE);
		expect(jsonOf(retried.items(NODE))[0]?.markdown).toBe('text X');
	});
});
