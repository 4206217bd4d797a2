import type { INodeParameters } from 'n8n-workflow';

import { binaryStoreOnDisk, callAsTool, runWorkflow } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { builtPackage, executionOptions, hintsOf, jsonOf, KEY, NODE, startSandbox } from './run';
import { binaryOf, fixture, itemWith, noteOf, PARSE, runParse } from './uploads';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

const uploads = () => sandbox.requests().filter(({ path }) => path === '/v2/parse');

describe('Parse · Parse File', () => {
	it.each([
		['note.html', '[More](https://parse.firecrawl.dev/more)'],
		['birds.csv', '| redshank | 412 |'],
	])('reads %s', async (name, text) => {
		const execution = await runParse(sandbox, [itemWith({ data: binaryOf(name) })]);
		expect(execution.error).toBeUndefined();
		expect(execution.items(NODE)[0]?.json.markdown).toContain(text);
	});

	it('sends the type that the name tells, and a plain name, and puts out the true one', async () => {
		const sent = binaryOf('Møte notat.html', fixture('note.html'), 'application/octet-stream');
		const execution = await runParse(sandbox, [itemWith({ data: sent })], {
			output: 'fullDocument',
		});
		const [item] = jsonOf(execution.items(NODE));
		expect(item).toMatchObject({
			fileName: 'Møte notat.html',
			markdown: expect.not.stringContaining('<main>'),
			metadata: { sourceURL: 'Mote notat.html', contentType: 'text/html' },
		});
	});

	it('gives every format, and stores text as a file that has the name of the file', async () => {
		const formats = ['html', 'images', 'json', 'links', 'markdown', 'rawHtml', 'summary'];
		const execution = await runParse(sandbox, [itemWith({ data: binaryOf('note.html') })], {
			formats,
			jsonExample: '{"title":"x"}',
			scrapeOptions: { storeTextAsFiles: ['markdown'] },
		});
		expect(execution.error).toBeUndefined();
		const [item] = execution.items(NODE);
		for (const format of formats.filter((one) => one !== 'markdown')) {
			expect(item?.json).toHaveProperty(format);
		}
		expect(item?.json).not.toHaveProperty('markdown');
		expect(item?.binary?.markdown).toMatchObject({
			fileName: 'note.md',
			mimeType: 'text/markdown',
		});
	});
});

describe('the files of an item', () => {
	const three = () =>
		itemWith({
			a: noteOf('one', 'a.html'),
			logo: binaryOf('logo.png', 'x', 'image/png'),
			b: noteOf('two', 'b.html'),
		});

	it('are taken all together, and those that the service does not read are named in a hint', async () => {
		const execution = await runParse(sandbox, [three(), { json: {} }], { filesFrom: 'all' });
		expect(execution.error).toBeUndefined();
		expect(jsonOf(execution.items(NODE)).map(({ fileName }) => fileName)).toEqual(['a.html', 'b.html']);
		expect(hintsOf(execution)).toEqual([
			'2 files (= 2 credits).',
			'Nothing was found: no file to read in item 1.',
			'1 file left out, because the service cannot read it: logo.png.',
		]);
	});

	it('come from an earlier node when an expression gives one', async () => {
		const options = await executionOptions(sandbox, {
			...PARSE,
			binaryField: '={{ $("Items").item.binary.b }}',
		});
		const execution = await runWorkflow({ ...options, pinData: { Items: [three()] } });
		expect(execution.error).toBeUndefined();
		expect(jsonOf(execution.items(NODE))).toMatchObject([{ fileName: 'b.html', binaryField: '', markdown: 'two' }]);
	});

	it.each<[string, string]>([
		['in lines', 'PGgxPmhp\nPC9oMT4='],
		['as a data URI', 'data:text/html;base64,PGgxPmhpPC9oMT4='],
		['in letters for URLs', Buffer.from('<h1>hi</h1><!--???>>>-->').toString('base64url')],
	])('are read however a Code node wrote them: %s', async (_how, data) => {
		const binary = { fileName: 'a.html', mimeType: 'text/html', data };
		const execution = await runParse(sandbox, [itemWith({ data: binary })]);
		expect(execution.error).toBeUndefined();
		expect(execution.items(NODE)[0]?.json.markdown).toMatch(/^hi\n==/);
	});
});

it('reads a file from n8n’s store on disk', async () => {
	const store = await binaryStoreOnDisk();
	try {
		const data = await store.store(fixture('report.pdf'), 'report.pdf', 'application/pdf');
		expect(data.id).toMatch(/^filesystem/);
		const execution = await runParse(sandbox, [itemWith({ data })]);
		expect(execution.error).toBeUndefined();
		expect(execution.items(NODE)[0]?.json.markdown).toContain('18450 crowns');
	} finally {
		await store.end();
	}
});

describe('an AI agent', () => {
	const call = async (parameters: INodeParameters, path: 'invoke' | 'request') =>
		await callAsTool({
			package: await builtPackage(),
			nodeName: 'webData',
			parameters: { ...PARSE, ...parameters },
			args: {},
			path,
			credential: { baseUrl: sandbox.baseUrl, apiKey: KEY },
			pinData: { Trigger: [itemWith({ data: binaryOf('report.pdf') })] },
		});

	it.each(['invoke', 'request'] as const)('gets the text of a file that an expression gives (%s)', async (path) => {
		const { text } = await call({ binaryField: '={{ $("Trigger").first().binary.data }}' }, path);
		expect(text).toContain('18450 crowns');
	});

	it.each(['invoke', 'request'] as const)('is told what to do when there is no file (%s)', async (path) => {
		const { text } = await call({ binaryField: 'attachment_9' }, path);
		expect(text).toContain('has no binary field');
		expect(text).toContain('use an expression');
		expect(uploads()).toHaveLength(0);
	});
});
