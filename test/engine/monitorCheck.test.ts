import type { INodeParameters } from 'n8n-workflow';

import { manyPages, MonitorService, SITE } from './monitorService';
import { after, callTool, errorText, hintsIn, jsonOf, NODE, runNode, sourceItems } from './run';
import type { RunSettings } from './run';

let service: MonitorService;

beforeEach(async () => {
	service = await MonitorService.start();
});

const PAGES = [`${SITE}/about`, `${SITE}/changing`, 'http://gone.invalid/'];

async function run(monitorId: string, more: INodeParameters = {}, settings: RunSettings = {}) {
	const parameters = { resource: 'monitor', operation: 'run', monitorId, ...more };
	return await runNode(service.sandbox, parameters, settings);
}

async function getCheck(monitorId: string, jobId: string, more: INodeParameters = {}) {
	const parameters = { resource: 'monitor', operation: 'getCheck', monitorId, jobId, ...more };
	return await runNode(service.sandbox, parameters);
}

describe('Run', () => {
	it('waits for the check and puts out one item for each page', async () => {
		const monitorId = await service.created('m', PAGES);
		const first = await run(monitorId);
		expect(first.error).toBeUndefined();
		const [checkId] = service.checks;
		const whole = { monitorId, checkId, checkStatus: 'partial' };
		expect(jsonOf(first.items(NODE))).toEqual([
			{ url: PAGES[0], status: 'new', title: 'Page', statusCode: 200, ...whole },
			{ url: PAGES[1], status: 'new', title: 'Page', statusCode: 200, ...whole },
			{
				url: PAGES[2],
				status: 'error',
				pageError: 'All scraping engines failed to retrieve content from this URL.',
				...whole,
			},
		]);
		expect(hintsIn(first)).toContain('1 job finished, 3 pages (= 3 credits).');
		const second = jsonOf((await run(monitorId)).items(NODE));
		expect(second.map(({ status }) => status)).toEqual(['same', 'changed', 'error']);
		expect(second[1]).toMatchObject({
			diff: '-before\n+after',
			judgment: { meaningful: true, confidence: 'low' },
		});
		expect(service.checks).toHaveLength(2);
	});

	it('puts out the ID at once where it does not wait', async () => {
		const monitorId = await service.created('m');
		const execution = await run(monitorId, { waitForCompletion: false });
		const [id] = service.checks;
		expect(jsonOf(execution.items(NODE))).toEqual([{ id, monitorId, status: 'queued' }]);
		expect(hintsIn(execution)).toContain('Collect the results with Monitor · Get Check.');
	});

	it.each([
		['[fail]', 'failed: stub: asked to fail.'],
		['[overlap]', 'failed: it was skipped, because the check before it still ran.'],
		['[broke]', 'failed: it was skipped, because the account does not have enough credits.'],
	])('tells how a check ended that did not end well: %s', async (name, words) => {
		const execution = await run(await service.created(name));
		expect(errorText(execution)).toContain(`The monitor check ${service.checks[0]} ${words}`);
	});

	it('takes up the check that runs instead of failing, and says so', async () => {
		service = await MonitorService.start({ jobDurationMs: 1500 });
		const monitorId = await service.created('m', PAGES);
		const checkId = await service.run(monitorId);
		await after(100);
		const execution = await run(monitorId);
		expect(execution.error).toBeUndefined();
		expect(jsonOf(execution.items(NODE)).map((one) => one.checkId)).toEqual(Array(3).fill(checkId));
		expect(service.checks).toEqual([checkId]);
		expect(hintsIn(execution)).toContain(
			`1 job was already running and was used instead of starting another: ${checkId}.`,
		);
	});

	it('waits for both where two are accepted one upon the other', async () => {
		const monitorId = await service.created('m');
		const execution = await run(monitorId, {}, { items: [{}, {}] });
		expect(execution.error).toBeUndefined();
		expect(service.checks).toHaveLength(2);
		const ids = jsonOf(execution.items(NODE)).map(({ checkId }) => checkId);
		expect([...ids].sort()).toEqual([...service.checks].sort());
	});

	it.each([
		['paused', 'Monitor is paused. Resume it before running a check'],
		['unknown', 'The service does not know the monitor 00000000-0000-4000-8000-000000000000: the ID'],
		['malformed', 'The service does not know the monitor nope: the ID is wrong'],
	])('says what is wrong with a monitor that is %s', async (what, words) => {
		const ids: Record<string, string> = {
			unknown: '00000000-0000-4000-8000-000000000000',
			malformed: 'nope',
		};
		const id = ids[what] ?? (await service.created('m'));
		if (what === 'paused') await service.ask('PATCH', `/v2/monitor/${id}`, { status: 'paused' });
		expect(errorText(await run(id))).toContain(words);
		expect(service.checks).toEqual([]);
	});

	it('runs many monitors side by side, each failure with its own item', async () => {
		const names = Array.from({ length: 12 }, (_unused, index) => (index === 5 ? '[fail]' : 'm'));
		const items = await Promise.all(
			names.map(async (name, index) => ({ id: await service.created(`${name} ${index}`) })),
		);
		const execution = await run(
			'={{ $json.id }}',
			{},
			{
				items,
				node: { onError: 'continueRegularOutput' },
			},
		);
		const output = execution.items(NODE);
		expect(sourceItems(output)).toEqual(names.map((_name, index) => index));
		expect(output[5]?.json).toMatchObject({ error: expect.stringContaining('asked to fail') });
		const found = jsonOf(output).map(({ monitorId }) => monitorId);
		expect(found).toEqual(items.map(({ id }, index) => (index === 5 ? undefined : id)));
		expect(service.checks).toHaveLength(12);
	});

	it('names the check that runs on when the execution is stopped', async () => {
		service = await MonitorService.start({ jobDurationMs: 60_000 });
		const stop = new AbortController();
		const monitorId = await service.created('m');
		const running = run(monitorId, {}, { signal: stop.signal });
		while (service.checks.length === 0) await after(20);
		await after(200);
		stop.abort();
		const execution = await running;
		expect(execution.run.status).toBe('canceled');
		expect(errorText(execution)).toContain(`Still running at the service: ${service.checks[0]}.`);
	});
});

describe('Get Check', () => {
	it('reads all slices', async () => {
		const monitorId = await service.created('m', manyPages(250));
		const checkId = await service.run(monitorId);
		await after(400);
		const execution = await getCheck(monitorId, checkId);
		expect(jsonOf(execution.items(NODE)).map(({ url }) => url)).toEqual(manyPages(250));
		expect(service.sandbox.stats().calls.slice).toBe(2);
		const part = await getCheck(monitorId, checkId, { returnAll: false, limit: 3 });
		expect(part.items(NODE)).toHaveLength(3);
	});

	it('puts out the pages that are asked for', async () => {
		const monitorId = await service.created('m', [...manyPages(120), `${SITE}/changing`]);
		await service.run(monitorId);
		await after(400);
		const checkId = await service.run(monitorId);
		await after(400);
		const statusesOf = async (pageStatus: string) => {
			const items = (await getCheck(monitorId, checkId, { pageStatus })).items(NODE);
			return jsonOf(items).map(({ status }) => status);
		};
		expect(await statusesOf('changed')).toEqual(['changed']);
		expect(await statusesOf('same')).toEqual(Array(120).fill('same'));
		expect(await statusesOf('')).toHaveLength(121);
	});

	it('puts out nothing where no page is as asked for, and says so', async () => {
		const monitorId = await service.created('m');
		const checkId = await service.run(monitorId);
		await after(400);
		const execution = await getCheck(monitorId, checkId, { pageStatus: 'changed' });
		expect(execution.error).toBeUndefined();
		expect(execution.items(NODE)).toEqual([]);
		expect(hintsIn(execution)).toContain(
			`Nothing was found: no pages of the monitor check ${checkId} that are changed.`,
		);
	});

	it.each([
		['', 3],
		['new', 2],
		['changed', 0],
	])('says that a check is partial, whichever pages are asked for: "%s"', async (pageStatus, count) => {
		const monitorId = await service.created('m', PAGES);
		const checkId = await service.run(monitorId);
		await after(400);
		const execution = await getCheck(monitorId, checkId, { pageStatus });
		expect(execution.items(NODE)).toHaveLength(count);
		expect(hintsIn(execution)).toContain(`The monitor check ${checkId} is partial: 1 of its 3 pages could not be read`);
	});

	it('says so of a check that is put out as one item, and of one that was run', async () => {
		const monitorId = await service.created('m', PAGES);
		for (const output of ['job', 'status'])
			expect(hintsIn(await run(monitorId, { output }))).toMatch(/is partial: 1 of its 3 pages/);
		const whole = await run(await service.created('whole'));
		expect(hintsIn(whole)).not.toContain('partial');
	});

	it('takes what was chosen from a list, or typed, in either field', async () => {
		const monitorId = await service.created('m');
		const checkId = await service.run(monitorId);
		await after(400);
		const chosen = (mode: string, value: string) => ({
			__rl: true,
			mode,
			value,
			cachedResultName: 'x',
		});
		const parameters = {
			resource: 'monitor',
			operation: 'getCheck',
			monitorId: chosen('list', monitorId),
			jobId: chosen('id', '={{ $json.check }}'),
		} as INodeParameters;
		const execution = await runNode(service.sandbox, parameters, { items: [{ check: checkId }] });
		expect(execution.error).toBeUndefined();
		expect(jsonOf(execution.items(NODE))).toMatchObject([{ monitorId, checkId }]);
	});

	it('says of an ID that is not known what is wrong', async () => {
		const monitorId = await service.created('m');
		const unknown = '00000000-0000-4000-8000-000000000000';
		expect(errorText(await getCheck(monitorId, unknown))).toContain(
			`The service does not know the monitor check ${unknown}`,
		);
		expect(errorText(await getCheck(monitorId, 'a b'))).toContain('"Check ID" must be');
	});
});

describe.each(['invoke', 'request'] as const)('as a tool (%s)', (path) => {
	it('gives a model the pages, and a sentence where there is none', async () => {
		const monitorId = await service.created('m', PAGES);
		const tool = await callTool(service.sandbox, {
			parameters: {
				resource: 'monitor',
				operation: 'run',
				monitorId: "={{ $fromAI('monitor', 'the monitor', 'string') }}",
			},
			args: [{ monitor: monitorId }, { monitor: monitorId }],
			path,
		});
		expect(tool.texts[0]).toContain(`${SITE}/changing`);
		// The same question gets the same check.
		expect(tool.texts[1]).toBe(tool.texts[0]);
		expect(service.checks).toHaveLength(1);
		const nothing = await callTool(service.sandbox, {
			parameters: {
				resource: 'monitor',
				operation: 'getCheck',
				monitorId,
				jobId: "={{ $fromAI('check', 'the check', 'string') }}",
				pageStatus: 'removed',
			},
			args: [{ check: service.checks[0] ?? '' }],
			path,
		});
		expect(nothing.texts[0]).toContain('There are no pages of the monitor check');
		expect(nothing.texts[0]).toContain('is partial: 1 of its 3 pages could not be read');
	});
});
