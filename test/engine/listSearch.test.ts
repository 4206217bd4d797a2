import type { INodeListSearchResult, INodeParameters } from 'n8n-workflow';

import { mappedFields, searchList } from '../../tools/n8n-engine/index.ts';
import type { SearchOptions } from '../../tools/n8n-engine/index.ts';
import { LISTS } from '../../nodes/fields/basic';
import { resources } from '../../nodes/WebData/resources';
import { MonitorService } from './monitorService';
import { after, builtPackage, KEY } from './run';

let service: MonitorService;

async function search(method: string, more: Partial<SearchOptions> = {}): Promise<INodeListSearchResult> {
	return await searchList({
		package: await builtPackage(),
		credential: { baseUrl: service.sandbox.baseUrl, apiKey: KEY },
		nodeName: 'webData',
		parameters: {},
		field: 'monitorId',
		method,
		...more,
	});
}

/** What the editor shows in the place of the list. */
async function troubleOf(method: string, more: Partial<SearchOptions> = {}): Promise<string> {
	const error: unknown = await search(method, more).then(
		() => new Error('no error'),
		(thrown: unknown) => thrown,
	);
	const { message, description } = error as Error & { description?: string };
	expect(JSON.stringify(error, Object.getOwnPropertyNames(error as object))).not.toContain(KEY);
	return `${message} ${description ?? ''}`.trim();
}

const checksOf = (monitorId: unknown): { parameters: INodeParameters } => ({
	parameters: { resource: 'monitor', operation: 'getCheck', monitorId } as INodeParameters,
});

it('has a method for each list, and each field that asks for one has its own', async () => {
	service = await MonitorService.start();
	const nodeType = (await builtPackage()).nodeTypes.get('n8n-nodes-web-data.webData');
	const methods = nodeType && 'methods' in nodeType ? nodeType.methods?.listSearch : undefined;
	expect(Object.keys(methods ?? {}).sort()).toEqual([...LISTS].sort());
	const asked = JSON.stringify(resources).matchAll(/"searchListMethod":"(\w+)"/g);
	expect([...new Set(Array.from(asked, ([, name]) => name))].sort()).toEqual([...LISTS].sort());
	for (const list of LISTS) {
		if (list === 'monitorGetChecks' || list === 'dataToolTools' || list === 'agentGetMany') continue;
		expect(await search(list)).toMatchObject({ results: expect.any(Array) });
	}
});

it('offers monitors by name, page by page', async () => {
	service = await MonitorService.start();
	for (let number = 0; number < 120; number++) await service.created(`m ${number}`);
	const first = await search('monitorGetMany');
	expect(first.results).toHaveLength(100);
	expect(first.results[0]).toEqual({ name: 'm 119', value: expect.stringMatching(/^[\w-]{36}$/) });
	const { paginationToken } = first as { paginationToken: string };
	const second = await search('monitorGetMany', { paginationToken });
	expect(second.results.map(({ name }) => name)).toEqual(
		Array.from({ length: 20 }, (_unused, index) => `m ${19 - index}`),
	);
	// A server may give fewer at once than it is asked for: only an empty part is the end.
	const { paginationToken: last } = second as { paginationToken: string };
	expect(await search('monitorGetMany', { paginationToken: last })).toEqual({ results: [] });
});

it('finds by name or ID, also behind parts where nothing fits', async () => {
	service = await MonitorService.start();
	const id = await service.created('Prices of competitors');
	for (let number = 0; number < 100; number++) await service.created(`m ${number}`);
	const names = async (filter: string) => (await search('monitorGetMany', { filter })).results.map(({ name }) => name);
	expect(await names('PRICES ')).toEqual(['Prices of competitors']);
	expect(await names(id)).toEqual(['Prices of competitors']);
	expect(await names('nothing like it')).toEqual([]);
});

describe('data tools', () => {
	const chosen = (provider: string, capability = ''): { parameters: INodeParameters } => ({
		parameters: { resource: 'dataTool', operation: 'run', provider, capability },
	});

	it('are offered by provider, each with its price', async () => {
		service = await MonitorService.start();
		const { results } = await search('dataToolProviders', { field: 'provider' });
		expect(results).toContainEqual({ name: 'Open registry', value: 'open-registry' });
		const tools = await search('dataToolTools', { field: 'capability', ...chosen('open-registry') });
		expect(tools.results).toEqual([
			{ name: 'Company profile · 5 credits', value: 'company-profile' },
			{ name: 'Company search · 2 credits a record', value: 'company-search' },
		]);
		expect(await troubleOf('dataToolTools', chosen(''))).toContain('Choose the provider first');
	});

	it('show their inputs as fields, the required ones first, or the catalogue’s example', async () => {
		service = await MonitorService.start();
		const fieldsOf = async (provider: string, capability: string) =>
			await mappedFields({
				package: await builtPackage(),
				credential: { baseUrl: service.sandbox.baseUrl, apiKey: KEY },
				nodeName: 'webData',
				field: 'inputs',
				method: 'dataToolInputs',
				...chosen(provider, capability),
			});
		const { fields } = await fieldsOf('open-registry', 'company-profile');
		expect(fields.map(({ displayName, type, required }) => [displayName, type, required])).toEqual([
			['name', 'string', true],
			['country', 'string', false],
			['year', 'number', false],
			['withOwners', 'boolean', false],
			['fields', 'array', false],
			['filter', 'object', false],
			['asOf (iso-date)', undefined, false],
		]);
		const none = await fieldsOf('price-watch', 'currencies');
		expect(none.fields).toEqual([]);
		expect(none.emptyFieldsNotice).toContain(
			'If it needs any, choose Inputs As → JSON. An example from the catalogue: {}',
		);
		expect(await fieldsOf('', '')).toMatchObject({
			fields: [],
			emptyFieldsNotice: expect.stringMatching(/^Choose Provider and Tool/),
		});
		expect((await fieldsOf('price-watch', 'gone')).emptyFieldsNotice).toContain('no such tool');
	});
});

it('offers the checks of the chosen monitor', async () => {
	service = await MonitorService.start({ jobDurationMs: 100 });
	const monitorId = await service.created('m');
	expect((await search('monitorGetChecks', checksOf(monitorId))).results).toEqual([]);
	const checkId = await service.run(monitorId);
	await after(200);
	const chosen = { __rl: true, mode: 'list', value: monitorId };
	expect((await search('monitorGetChecks', checksOf(chosen))).results).toEqual([
		{
			name: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d · completed · 1 new$/),
			value: checkId,
		},
	]);
});

it.each([
	['Pacific/Kiritimati', '+14:00'],
	['Pacific/Pago_Pago', '-11:00'],
])('tells the times of a list in the time zone of the workflow: %s', async (timezone, offset) => {
	service = await MonitorService.start({ jobDurationMs: 60_000 });
	await service.ask('POST', '/v2/crawl', { url: 'https://example.com' });
	const { results } = await search('crawlGetActive', { timezone });
	const [, minute = ''] = /(\d{4}-\d\d-\d\d \d\d:\d\d)/.exec(results[0]?.name ?? '') ?? [];
	const toldMs = Date.parse(`${minute.replace(' ', 'T')}:00${offset}`);
	expect(Math.abs(Date.now() - toldMs)).toBeLessThan(180_000);
});

it('offers the crawls that run and the sessions that are open', async () => {
	service = await MonitorService.start({ jobDurationMs: 60_000 });
	const { id } = await service.ask('POST', '/v2/crawl', { url: 'https://example.com' });
	expect((await search('crawlGetActive')).results).toEqual([
		{ name: expect.stringContaining('https://example.com'), value: id },
	]);
	const { id: sessionId } = await service.ask('POST', '/v2/interact', {});
	expect((await search('browserGetMany')).results).toMatchObject([{ value: sessionId }]);
	await service.ask('DELETE', `/v2/interact/${String(sessionId)}`);
	expect((await search('browserGetMany')).results).toEqual([]);
});

describe('says in the place of the list', () => {
	beforeEach(async () => {
		service = await MonitorService.start();
	});

	it('that the key is wrong', async () => {
		const credential = { baseUrl: service.sandbox.baseUrl, apiKey: 'fc-wrong' };
		const text = await troubleOf('monitorGetMany', { credential });
		expect(text).toMatch(/^The service does not accept the API key: .* Check the key/);
		expect(text).not.toContain('fc-wrong');
	});

	it('that the server does not have the list', async () => {
		expect(await troubleOf('agentGetMany')).toMatch(
			/^This operation is not available on this server \(GET \/v2\/agent .* Choose By ID instead\.$/,
		);
	});

	it('that a monitor is to be chosen first', async () => {
		expect(await troubleOf('monitorGetChecks', checksOf(''))).toBe(
			'Choose the monitor first: this is a list of what belongs to it.',
		);
		expect(await troubleOf('monitorGetChecks', checksOf('={{ $json.id }}'))).toContain('The monitor is an expression');
		const unknown = '00000000-0000-4000-8000-000000000000';
		expect(await troubleOf('monitorGetChecks', checksOf(unknown))).toContain('Monitor not found');
	});

	it.each([
		['html', 'a web page instead of JSON'],
		['rateLimit', 'refuses more requests for now'],
		['reset', 'connection'],
		['wrongShape', 'answered without a list'],
	] as const)('what went wrong: %s', async (kind, words) => {
		service.sandbox.faults.add({ kind, ...(kind === 'wrongShape' && { body: {} }) } as never);
		expect((await troubleOf('monitorGetMany')).toLowerCase()).toContain(words.toLowerCase());
	});
});

it('takes a token of another kind for the beginning', async () => {
	service = await MonitorService.start();
	await service.created('m');
	expect((await search('monitorGetMany', { paginationToken: '[]' })).results).toHaveLength(1);
	expect(await troubleOf('monitorGetMany', { paginationToken: '{' })).not.toBe('');
});
