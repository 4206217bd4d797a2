import type { INodeParameters } from 'n8n-workflow';

import { searchList } from '../../tools/n8n-engine/index.ts';
import type { Execution } from '../../tools/n8n-engine/index.ts';
import { json, KEY, startHostileService } from './hostileService';
import type { Answering, HostileService } from './hostileService';
import { inNewSession, createSession } from './browserRun';
import { builtPackage, errorText, hintsIn, jsonOf, NODE, runNode, sourceItems } from './run';

const ID = '0c5f11aa-1111-4222-8333-444455556666';

let service: HostileService;
let asked: string[];

beforeEach(async () => {
	service = await startHostileService();
	asked = [];
});

/** Answers by method and path; everything else is not known. */
function answers(...routes: Array<[RegExp, Answering]>): void {
	service.answer = (request, response) => {
		const line = `${request.method} ${request.url}`;
		asked.push(line);
		const [, answer = json({ success: false, error: 'Not found' }, 404)] =
			routes.find(([route]) => route.test(line)) ?? [];
		answer(request, response);
	};
}

async function run(
	parameters: INodeParameters,
	items: Array<Record<string, string>> = [{}],
	continues = false,
): Promise<Execution> {
	return await runNode(service, parameters, { items, node: continues ? { onError: 'continueRegularOutput' } : {} });
}

describe('the input of all items is checked before the first request', () => {
	const cases: Array<[string, INodeParameters]> = [
		['a list', { resource: 'monitor', operation: 'getChecks', monitorId: '={{ $json.id }}' }],
		['a cancel', { resource: 'crawl', operation: 'cancel', jobId: '={{ $json.id }}' }],
	];

	it.each(cases)('of %s, where the others go on with "continue on error"', async (_w, parameters) => {
		answers([/./, json({ success: true, data: [{ id: 'c' }] })]);
		const execution = await run(parameters, [{ id: '' }, { id: ID }], true);
		const items = execution.items(NODE);
		expect(sourceItems(items)).toEqual([0, 1]);
		expect(items[0]?.json.error).toContain('ID" is required');
		for (const one of asked) expect(one).toContain(ID);
		expect(hintsIn(execution)).toContain('1 of 2 items failed.');
	});
});

it('a list that begins again instead of going on is read once', async () => {
	const part = Array.from({ length: 100 }, (_unused, index) => ({ id: `m-${index}` }));
	answers([/./, json({ success: true, data: part })]);
	const execution = await run({ resource: 'monitor', operation: 'getMany', returnAll: true });
	expect(jsonOf(execution.items(NODE))).toEqual(part);
	expect(asked).toHaveLength(2);
});

it('a list is read to its end although the service gives fewer at once than it is asked for', async () => {
	const all = Array.from({ length: 60 }, (_unused, index) => ({ id: `m-${index}` }));
	answers([
		/./,
		(request, response) => {
			const { searchParams } = new URL(request.url ?? '', 'http://localhost');
			const offset = Number(searchParams.get('offset'));
			json({ success: true, data: all.slice(offset, offset + 50) })(request, response);
		},
	]);
	const execution = await run({ resource: 'monitor', operation: 'getMany', returnAll: true });
	expect(jsonOf(execution.items(NODE))).toEqual(all);
});

describe('a session', () => {
	const opened = json({ success: true, id: ID, error: '' });
	const done = json({ success: true, result: 'done', exitCode: 0 });

	it('that the service says with HTTP 200 it has not closed is closed by another try', async () => {
		let closings = 0;
		answers(
			[/^POST \/v2\/interact$/, opened],
			[/execute$/, done],
			[
				/^DELETE/,
				(request, response) => {
					closings += 1;
					const isClosed = closings > 1;
					json({ success: isClosed, ...(!isClosed && { error: 'Busy' }) })(request, response);
				},
			],
		);
		const execution = await run(inNewSession(['1']));
		expect(errorText(execution)).toBe('');
		expect(closings).toBe(2);
	});

	it('is put out as an item that n8n does not take for a failed one', async () => {
		answers([/^POST \/v2\/interact$/, opened]);
		const execution = await run(createSession());
		expect(jsonOf(execution.items(NODE))).toEqual([{ id: ID }]);
	});
});

it('the list of an ID offers nothing that has none', async () => {
	const monitors = [{ id: 'a', name: 'Prices' }, { name: 'No ID' }, { id: { b: 1 } }, null];
	answers([/./, json({ success: true, data: monitors })]);
	const { results } = await searchList({
		package: await builtPackage(),
		credential: { baseUrl: service.baseUrl, apiKey: KEY },
		nodeName: 'webData',
		parameters: { resource: 'monitor', operation: 'get' },
		field: 'monitorId',
		method: 'monitorGetMany',
	});
	expect(results).toEqual([{ name: 'Prices', value: 'a' }]);
});
