import type { IBinaryData, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/server.ts';
import { expectPlain } from './hostileService';
import { KEY, NODE, sourceItems, startSandbox } from './run';
import { noteOf, runParse } from './uploads';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ lightWork: true, keys: [KEY] });
});

const { data } = noteOf('text');
const continues = { node: { onError: 'continueRegularOutput' as const } };

/** An item of a Code node, which may hold anything. */
const oddItem = (file: unknown): INodeExecutionData => ({
	json: {},
	binary: { data: file as IBinaryData },
});

async function parsed(items: INodeExecutionData[], more: INodeParameters = {}) {
	const execution = await runParse(sandbox, items, more, continues);
	return execution.items(NODE);
}

describe.each(['field', 'all'])('what a Code node left in place of a file (%s)', (filesFrom) => {
	it.each([
		['nothing', null],
		['a number', 5],
		['a text', 'x'],
		['an empty object', {}],
		['a name alone', { fileName: 'a.html', mimeType: 'text/html' }],
		['content that is no text', { data: 5, fileName: 'a.html', mimeType: 'text/html' }],
		['a list', [{ data }]],
	])('is told as that, and takes no other item with it: %s', async (_what, file) => {
		const items = await parsed([oddItem(file), oddItem(noteOf('good'))], { filesFrom });
		expect(sourceItems(items)).toEqual([0, 1]);
		expectPlain(items[0]?.json.error);
		expect(items[0]?.json.error).toMatch(/"data" is not an n8n file.*Nothing was sent\.$/);
		expect(items[1]?.json.markdown).toContain('good');
	});

	it.each([
		['a name', { data, fileName: 'a.html' }],
		['a kind that is no text', { data, fileName: 'a.html', mimeType: 5 }],
		['a kind, and null for the name', { data, fileName: null, mimeType: 'text/html' }],
		['a kind, and a number for the name', { data, fileName: 5, mimeType: 'text/html' }],
	])('is read where it has content and %s', async (_what, file) => {
		const [item] = await parsed([oddItem(file)], { filesFrom });
		expect(item?.json.markdown).toContain('text');
	});
});
