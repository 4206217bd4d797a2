import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/server.ts';
import type { ScriptRequest } from '../helpers/script';
import {
	after,
	callTool,
	errorText,
	hintsIn,
	jsonOf,
	KEY,
	killedInNode,
	NODE,
	RETRY,
	retryNode,
	runNode,
	sourceItems,
	startSandbox,
} from './run';
import { startInBetween } from './serviceInBetween';
import type { ServiceInBetween } from './serviceInBetween';

const REGISTRY = 'open-registry';

const find = (more: INodeParameters = {}): INodeParameters => ({ resource: 'dataTool', operation: 'find', ...more });

/** A run of a tool with these inputs, as JSON. */
const run = (capability: string, inputs: IDataObject | string, more: INodeParameters = {}): INodeParameters => ({
	resource: 'dataTool',
	operation: 'run',
	provider: { __rl: true, mode: 'list', value: REGISTRY },
	capability: { __rl: true, mode: 'id', value: capability },
	inputsAs: 'json',
	inputsJson: typeof inputs === 'string' ? inputs : JSON.stringify(inputs),
	...more,
});

const KESTREL = { name: 'Kestrel' };

let sandbox: Sandbox;
let service: ServiceInBetween;

beforeEach(async () => {
	sandbox = await startSandbox({ keys: [KEY] });
	service = await startInBetween(sandbox);
});

const runs = (): ScriptRequest[] => service.requests.filter(({ text }) => !text.includes('find-tools'));
const idsSent = (): unknown[] => runs().map(({ headers }) => headers['x-request-id']);
const creditsUsed = (): number => sandbox.stats().creditsUsed;

/** The service acts, but its first answers to runs are lost on the way. */
function losing(count: number): void {
	let left = count;
	service.interpose = async ({ text }, pass) => {
		const answer = await pass();
		if (text.includes('find-tools') || left-- <= 0) return answer;
		throw new Error('lost');
	};
}

describe('Find', () => {
	it('lists each tool with its price, inputs and results, all pages of the catalogue', async () => {
		const all = await runNode(service, find({ returnAll: true }));
		expect(errorText(all)).toBe('');
		const tools = jsonOf(all.items(NODE));
		expect(tools.map(({ capability }) => capability)).toEqual([
			'company-profile',
			'company-search',
			'offers',
			'currencies',
			'work-history',
		]);
		expect(tools[1]).toMatchObject({ provider: REGISTRY, creditsCost: 2, perRecord: true, name: 'Company search' });
		expect(tools[0]?.options).toContainEqual({ name: 'country', type: 'string', description: 'Two-letter code' });
		expect(tools[0]).toHaveProperty('response.fields');
		expect(tools[0]).not.toHaveProperty('examples');
		expect(tools[0]).not.toHaveProperty('execute');
		expect(service.requests.map(({ body }) => body.alexandria)).toMatchObject([
			{ provider: 'firecrawl', capability: 'find-tools', options: { level: 'tools' } },
			{ provider: 'firecrawl', capability: 'find-tools', options: { level: 'tools', offset: 4 } },
		]);
		expect(creditsUsed()).toBe(0);
	});

	it('looks by category, provider and address, and no further than Limit', async () => {
		const namesOf = async (more: INodeParameters) => {
			const { items } = await runNode(service, find(more));
			return jsonOf(items(NODE)).map(({ capability, id }) => capability ?? id);
		};
		expect(await namesOf({ categories: 'prices' })).toEqual(['offers', 'currencies']);
		expect(await namesOf({ providers: 'open-registry, people-index', limit: 2 })).toHaveLength(2);
		expect(await namesOf({ urls: 'shop.example' })).toEqual(['offers']);
		expect(await namesOf({ level: 'categories' })).toEqual(['companies', 'prices', 'people']);
		expect(await namesOf({ options: { groups: 'rates' }, expand: ['examples'] })).toEqual(['currencies']);
		expect(await namesOf({ query: 'entry of one company' })).toEqual(['company-profile', 'company-search']);
		// What was typed for tools is not sent for the list of categories, which takes nothing else.
		expect(await namesOf({ level: 'categories', query: 'company' })).toHaveLength(3);
	});

	it('asks nobody else than the catalogue for a further page, whatever the server names', async () => {
		service.interpose = async (_request, pass) => {
			const answer = await pass();
			const { data } = answer.body as { data: { alexandria: Array<{ data: IDataObject }> } };
			const page = data.alexandria[0]?.data;
			if (page?.next) page.next = { provider: REGISTRY, capability: 'company-profile', options: { offset: 4 } };
			return answer;
		};
		await runNode(service, find({ returnAll: true }));
		expect(runs()).toEqual([]);
		expect(service.requests).toHaveLength(2);
	});

	it('is asked again after an outage, since it is free', async () => {
		let isFirst = true;
		service.interpose = async (_request, pass) => {
			if (!isFirst) return await pass();
			isFirst = false;
			return { status: 502, body: { success: false, error: 'Bad gateway' } };
		};
		const { error, items } = await runNode(service, find({ limit: 1 }));
		expect(error).toBeUndefined();
		expect(items(NODE)).toHaveLength(1);
	});

	it('needs a key, and says so before anything is sent', async () => {
		const execution = await runNode(service, find(), { credential: 'none' });
		expect(errorText(execution)).toContain('Data Tool · Find needs a Firecrawl key');
	});
});

describe('Run', () => {
	it('puts out one item a call, or one a record where the answer is a list', async () => {
		const items = [{ name: 'Kestrel' }, { name: 'Tern' }];
		const calls = await runNode(service, run('company-profile', '={{ { name: $json.name } }}'), { items });
		expect(errorText(calls)).toBe('');
		expect(jsonOf(calls.items(NODE))).toMatchObject([
			{ provider: REGISTRY, capability: 'company-profile', creditsCost: 5, data: { name: 'Kestrel Couriers' } },
			{ data: { name: 'Tern Logistics' }, scrapeId: expect.any(String), upstreamStatus: 200 },
		]);
		expect(sourceItems(calls.items(NODE))).toEqual([0, 1]);
		expect(hintsIn(calls)).toContain('2 records (= 10 credits)');
		const search = run('company-search', { query: 'r' }, { output: 'records' });
		const records = await runNode(service, search);
		expect(jsonOf(records.items(NODE)).map(({ name }) => name)).toEqual([
			'Kestrel Couriers',
			'Tern Logistics',
			'Oriole Cargo',
		]);
	});

	it('runs the version that is asked for, and refuses inputs that are too large before anything is sent', async () => {
		const pinned = run('company-profile', { name: 'Kestrel' }, { options: { version: '1.2.0' } });
		expect(errorText(await runNode(service, pinned))).toBe('');
		expect(runs()[0]?.body.alexandria).toMatchObject({ version: '1.2.0' });
		const large = await runNode(service, run('company-profile', { name: 'x'.repeat(256 * 1024) }));
		expect(errorText(large)).toMatch(/may have at most 256 KB as JSON, but it has 257\. Nothing was sent\.$/);
		expect(runs()).toHaveLength(1);
	});

	it('fails an item in the words of the provider, and says what was charged', async () => {
		const items = [{ name: 'Nobody' }, { name: 'Late Ltd' }, { name: 'Oriole' }];
		const parameters = run('company-profile', '={{ { name: $json.name } }}');
		const { items: output } = await runNode(service, parameters, {
			items,
			node: { onError: 'continueRegularOutput' },
		});
		const [uncharged, charged, good] = jsonOf(output(NODE));
		expect(uncharged?.error).toBe(
			'open-registry · company-profile failed: No company of that name (NOT_FOUND, HTTP 404). Nothing was charged, and a retry asks again.',
		);
		expect(charged?.error).toMatch(
			/did not answer in time \(UPSTREAM_TIMEOUT.*had charged for it by then \(charge [\w-]+\)/,
		);
		expect(charged?.details).toMatchObject({ code: 'UPSTREAM_TIMEOUT', status: 504, chargeId: expect.any(String) });
		expect(good).toHaveProperty('data.name', 'Oriole Cargo');
		expect(creditsUsed()).toBe(10);
	});

	it('is refused for terms that only a person accepts, with who and where', async () => {
		const parameters = run('work-history', { profile: 'x' }, { provider: 'people-index' });
		const refused = await runNode(service, parameters);
		expect(errorText(refused)).toBe(
			'people-index wants its terms accepted first. (People Index data terms, version 2026-09): an admin of your Firecrawl organization accepts them at https://www.firecrawl.dev/app/data-terms, then run this again. The service says: The terms of this provider have not been accepted (THIRD_PARTY_DATA_TERMS_REQUIRED). Nothing ran, and nothing was charged.',
		);
		expect(runs()).toHaveLength(1);
	});
});

it.each<[string, unknown]>([
	['no data', {}],
	['nothing', { data: null }],
	['a text', { data: { alexandria: 'none' } }],
	['an empty list', { data: { alexandria: [] } }],
	['no element', { data: { alexandria: [null] } }],
	['an error that is a text', { data: { alexandria: [{ error: 'gone' }] } }],
	['an error without words', { data: { alexandria: [{ error: {} }] } }],
	['an error of the wrong kinds', { data: { alexandria: [{ error: { code: 5, message: [], chargeId: {} } }] } }],
	['no page of the catalogue', { data: { alexandria: [{ data: 5 }] } }],
	[
		'items that are none',
		{ data: { alexandria: [{ data: { items: [null, 5, { id: 'abc', execute: 'x', next: 1 }], next: 7 } }] } },
	],
])('an answer that holds %s ends as an item, or as an error in a sentence', async (_what, body) => {
	service.interpose = async () => ({ status: 200, body: { success: true, ...(body as object) } });
	for (const parameters of [
		find({ returnAll: true }),
		run('company-profile', KESTREL),
		run('company-profile', KESTREL, { output: 'records' }),
		run('company-profile', KESTREL, { options: { maxCredits: 10 } }),
	]) {
		const execution = await runNode(service, parameters, { node: { onError: 'continueRegularOutput' } });
		expect(execution.error).toBeUndefined();
		const said = JSON.stringify(jsonOf(execution.items(NODE)));
		expect(said).not.toMatch(/TypeError|undefined|\[object/);
		expect(`${said} ${hintsIn(execution)}`).toMatch(/[a-z]{3,}/);
	}
});

it('a server without data tools says so in one sentence, and nothing is sent twice', async () => {
	const details = [
		{ code: 'unrecognized_keys', keys: ['alexandria'], path: [], message: 'Unrecognized key: "alexandria"' },
		{ code: 'invalid_type', expected: 'string', path: ['url'], message: 'Invalid input: expected string' },
	];
	const body = { success: false, code: 'BAD_REQUEST', error: 'Bad Request', details };
	service.interpose = async () => ({ status: 400, body });
	for (const parameters of [find(), run('company-profile', KESTREL)]) {
		expect(errorText(await runNode(service, parameters))).toContain('This server has no data tools');
	}
	expect(service.requests).toHaveLength(2);
});

describe('a run that is paid once', () => {
	/** The inputs differ each time that they are asked for. */
	const VARIED = run('company-profile', '={{ { name: "Kestrel", year: Math.floor(Math.random() * 1e9) } }}');

	it('is sent again at once, with the same id and payload, where its answer is lost', async () => {
		losing(2);
		const execution = await runNode(service, VARIED);
		expect(errorText(execution)).toBe('');
		expect(runs()).toHaveLength(3);
		expect(new Set(runs().map(({ text }) => text)).size).toBe(1);
		expect(new Set(idsSent()).size).toBe(1);
		expect(idsSent()[0]).toMatch(/^[\w.:-]{1,128}$/);
		expect(creditsUsed()).toBe(5);
	});

	it('is sent so by Retry On Fail and by n8n’s Retry, whatever its expressions give by then', async () => {
		losing(15);
		const failed = await runNode(service, VARIED, { node: RETRY });
		expect(errorText(failed)).toContain('sends it with the same request ID, which Firecrawl charges once');
		service.interpose = async (_request, pass) => await pass();
		const retried = await retryNode(service, failed, VARIED);
		expect(errorText(retried)).toBe('');
		expect(new Set(idsSent()).size).toBe(1);
		expect(creditsUsed()).toBe(5);
	});

	it('is still told as one that may be charged where its Retry is refused', async () => {
		losing(6);
		const failed = await runNode(service, VARIED);
		service.interpose = async () => ({ status: 402, body: { success: false, error: 'Insufficient credits' } });
		const refused = await retryNode(service, failed, VARIED);
		expect(errorText(refused)).toMatch(
			/Insufficient credits.*may have done this and charged for it, under the request ID/,
		);
	});

	it('is not paid again by a Retry for another item', async () => {
		const items = [{ name: 'Kestrel' }, { name: 'Nobody' }];
		const parameters = run('company-profile', '={{ { name: $json.name } }}');
		const failed = await runNode(service, parameters, { items });
		expect(errorText(failed)).toContain('No company of that name');
		await retryNode(service, failed, parameters);
		// The first is asked for as it was; the second has failed uncharged, which would be replayed.
		const [first, second, firstAgain, secondAgain] = idsSent();
		expect(firstAgain).toBe(first);
		expect(secondAgain).not.toBe(second);
		expect(creditsUsed()).toBe(5);
	});

	it('is never sent again where it failed and was charged', async () => {
		const parameters = run('company-profile', { name: 'Late Ltd' });
		const failed = await runNode(service, parameters, { node: RETRY });
		const retried = await retryNode(service, failed, parameters);
		expect(errorText(retried)).toBe(errorText(failed));
		expect(errorText(retried)).toContain('no retry of this execution sends it again');
		expect(runs()).toHaveLength(1);
		expect(creditsUsed()).toBe(5);
		await runNode(service, parameters);
		expect(creditsUsed()).toBe(10);
	});

	it('is another one in each execution, run and item', async () => {
		const items = [{}, {}];
		await runNode(service, run('company-profile', KESTREL), { items });
		await runNode(service, run('company-profile', KESTREL), { items });
		expect(new Set(idsSent()).size).toBe(4);
		expect(creditsUsed()).toBe(20);
	});

	it('is another one after its inputs were edited', async () => {
		losing(6);
		const failed = await runNode(service, run('company-profile', KESTREL));
		const retried = await retryNode(service, failed, run('company-profile', { name: 'Tern' }));
		expect(errorText(retried)).toBe('');
		expect(retried.items(NODE)[0]?.json).toHaveProperty('data.name', 'Tern Logistics');
		expect(new Set(idsSent()).size).toBe(2);
	});

	it('has the same id after n8n was killed, where n8n tells which execution is retried', async () => {
		const killed = await killedInNode(service, run('company-profile', KESTREL));
		await after(10_000);
		const retried = await retryNode(service, killed, run('company-profile', KESTREL));
		expect(errorText(retried)).toBe('');
		expect(new Set(idsSent()).size).toBe(1);
		expect(runs()).toHaveLength(2);
		expect(creditsUsed()).toBe(5);
	});
});

it('names a run that n8n may have sent before it was killed, where n8n does not tell which execution that was', async () => {
	const { stored } = await killedInNode(service, run('company-profile', KESTREL));
	await after(10_000);
	const retried = await retryNode(service, { stored }, run('company-profile', KESTREL));
	expect(errorText(retried)).toMatch(
		/^No result for open-registry · company-profile.*n8n was ended.*retry this execution once more/,
	);
	expect(runs()).toHaveLength(1);
	const again = await retryNode(service, retried, run('company-profile', KESTREL));
	expect(errorText(again)).toBe('');
	expect(creditsUsed()).toBe(10);
});

describe('Max Credits', () => {
	const capped = (capability: string, inputs: IDataObject, options: IDataObject): INodeParameters =>
		run(capability, inputs, { options } as INodeParameters);

	it('knows the price from the catalogue before it runs', async () => {
		const refused = await runNode(service, capped('company-profile', KESTREL, { maxCredits: 9 }), { items: [{}, {}] });
		expect(errorText(refused)).toContain('This run may cost up to 10 credits, and Max Credits (This Run) allows 9');
		expect(runs()).toEqual([]);
		// One look into the catalogue for both.
		expect(service.requests).toHaveLength(1);
		const allowed = await runNode(service, capped('company-profile', KESTREL, { maxCredits: 5 }));
		expect(errorText(allowed)).toBe('');
	});

	it('counts records with the bound that the user knows, and refuses without one', async () => {
		const unbounded = await runNode(service, capped('company-search', { query: 'r' }, { maxCredits: 100 }));
		expect(errorText(unbounded)).toContain('has no limit, so Max Credits (This Run) cannot be kept: set Max Records');
		const tooMany = await runNode(service, capped('company-search', { query: 'r' }, { maxCredits: 9, maxRecords: 5 }));
		expect(errorText(tooMany)).toContain('may cost up to 10 credits');
		expect(runs()).toEqual([]);
		const good = await runNode(service, capped('company-search', { query: 'r' }, { maxCredits: 10, maxRecords: 5 }));
		expect(errorText(good)).toBe('');
	});

	it('refuses a tool whose price nobody names', async () => {
		const unknown = await runNode(service, capped('no-such-tool', {}, { maxCredits: 100 }));
		expect(errorText(unknown)).toContain('names no price of open-registry · no-such-tool');
		expect(runs()).toEqual([]);
	});

	it('counts one that is sent again once, and what it has cost in the end', async () => {
		losing(6);
		const parameters = capped('company-profile', KESTREL, { maxCredits: 5 });
		const failed = await runNode(service, parameters);
		const retried = await retryNode(service, failed, parameters);
		expect(errorText(retried)).toBe('');
		expect(creditsUsed()).toBe(5);
	});
});

describe('inputs as fields', () => {
	const schema = [
		{ id: 'name', type: 'string', required: true },
		{ id: 'year', type: 'number', required: false },
		{ id: 'withOwners', type: 'boolean', required: false },
		{ id: 'fields', type: 'array', required: false },
		{ id: 'filter', type: 'object', required: false },
		{ id: 'asOf', required: false },
	].map((field) => ({ ...field, displayName: field.id, display: true, defaultMatch: false }));
	const mapped = (value: IDataObject): INodeParameters =>
		run('company-profile', '{}', {
			inputsAs: 'fields',
			inputs: { mappingMode: 'defineBelow', value, matchingColumns: [], schema },
		} as INodeParameters);

	it('go out with the types of the tool, and neither empty ones nor those of another tool', async () => {
		const value = {
			query: 'of another tool',
			name: '={{ $json.name }}',
			year: '={{ "2020" }}',
			withOwners: 'true',
			fields: '["a"]',
			filter: '{"b": 1}',
			asOf: '',
		};
		const execution = await runNode(service, mapped(value), { items: [{ name: 'Kestrel' }] });
		expect(errorText(execution)).toBe('');
		expect(runs()[0]?.body).toEqual({
			alexandria: {
				provider: REGISTRY,
				capability: 'company-profile',
				options: { name: 'Kestrel', year: 2020, withOwners: true, fields: ['a'], filter: { b: 1 } },
			},
		});
	});

	it.each([
		[{ name: '' }, '"Inputs" needs "name", which the tool requires'],
		[{ name: 'a', year: '={{ "soon" }}' }, '"Inputs": "year" must be a number'],
		[{ name: 'a', filter: '={{ "b" }}' }, '"Inputs": "filter" must be a JSON object'],
	])('are refused where they are none: %j', async (value, text) => {
		const execution = await runNode(service, mapped(value as IDataObject));
		expect(errorText(execution)).toContain(text);
		expect(service.requests).toEqual([]);
	});
});

describe('for an AI agent', () => {
	const args = [{ inputs: KESTREL }];
	const parameters = run('company-profile', "={{ $fromAI('inputs', '', 'json') }}");

	it('answers the same question once, and one that failed uncharged again', async () => {
		const tool = await callTool(service, { parameters, args: [...args, ...args] });
		expect(tool.texts[0]).toContain('Kestrel Couriers');
		expect(tool.texts[1]).toBe(tool.texts[0]);
		expect(tool.description).toBe('Run data tool in Web Data');
		expect(new Set(idsSent()).size).toBe(1);
		expect(creditsUsed()).toBe(5);
		const unknown = [{ inputs: { name: 'Nobody' } }];
		const failing = await callTool(service, { parameters, args: [...unknown, ...unknown] });
		expect(failing.texts.join()).toContain('NOT_FOUND');
		expect(new Set(idsSent()).size).toBe(3);
	});

	it('tells the model to look first, and finds within its bounds', async () => {
		const tool = await callTool(service, { parameters: find({ returnAll: true }), args: [{}] });
		expect(tool.description).toBe('Find data tools in Web Data');
		expect(tool.texts[0]).toContain('"capability":"company-profile"');
		expect(tool.texts[0]?.length).toBeLessThan(100_000);
	});
});

describe('tools beside results', () => {
	const search = (more: INodeParameters): INodeParameters => ({
		resource: 'search',
		operation: 'search',
		query: 'shops for cargo bikes',
		maxResults: 2,
		...more,
	});
	const BOTH = { sources: ['web', 'alexandria'] };

	it('of a search are items of their own, or go with the list, and are no results', async () => {
		const tools = await runNode(service, search({ ...BOTH, output: 'tools' }));
		expect(jsonOf(tools.items(NODE))).toMatchObject([
			{ provider: 'price-watch', capability: 'offers', creditsCost: 3 },
		]);
		const list = await runNode(service, search({ ...BOTH, output: 'list' }));
		expect(list.items(NODE)[0]?.json).toMatchObject({ count: 2, tools: [{ capability: 'offers' }] });
		const results = await runNode(service, search(BOTH));
		expect(jsonOf(results.items(NODE)).map(({ url }) => url)).toEqual([expect.any(String), expect.any(String)]);
		expect(hintsIn(results)).toContain('1 data tool (choose Output → One Item per Data Tool)');
	});

	it('of a search are one more item for an AI agent', async () => {
		const tool = await callTool(service, { parameters: search(BOTH), args: [{}] });
		expect(tool.texts[0]).toContain('"tools":[{"provider":"price-watch"');
	});

	it('fit the sites of results, and the site of a page, in the detail that is asked for', async () => {
		const options = { domainTools: true, toolDetail: 'full' };
		const found = await runNode(service, search({ output: 'tools', searchOptions: {}, options }));
		expect(jsonOf(found.items(NODE))[0]).toMatchObject({ provider: REGISTRY, options: expect.any(Array) });
		const scrape = {
			resource: 'page',
			operation: 'scrape',
			url: 'https://example.com',
			scrapeOptions: { domainTools: true },
		};
		const page = await runNode(service, scrape);
		expect(page.items(NODE)[0]?.json.tools).toContainEqual(
			expect.objectContaining({ capability: 'company-profile', description: expect.any(String) }),
		);
	});

	it('need a key', async () => {
		const execution = await runNode(service, search(BOTH), { credential: 'none' });
		expect(errorText(execution)).toContain('Data Tools needs a Firecrawl key');
		expect(service.requests).toEqual([]);
	});

	it('what a newer server adds to its answers is named', async () => {
		service.interpose = async (_request, pass) => {
			const { body, ...answer } = await pass();
			return { ...answer, body: { ...(body as object), agent_hints: ['Use map'], empty: null } };
		};
		for (const parameters of [
			search({}),
			{ resource: 'page', operation: 'scrape', url: 'https://example.com' },
			{ resource: 'map', operation: 'map', url: 'https://example.com' },
		]) {
			const hints = hintsIn(await runNode(service, parameters));
			expect(hints).toContain("Firecrawl's answer also has what the items do not show: agent_hints.");
		}
	});
});
