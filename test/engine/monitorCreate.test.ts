import type { INodeParameters } from 'n8n-workflow';

import { MonitorService } from './monitorService';
import { startInBetween } from './serviceInBetween';
import { errorText, hintsIn, jsonOf, KEY, NODE, RETRY, retryNode, runNode } from './run';
import type { RunSettings } from './run';

// A monitor costs credits at each of its checks, so none is made twice: answers that are lost, and both retries.

let service: MonitorService;

beforeEach(async () => {
	service = await MonitorService.start({ keys: [KEY] });
});

const CREATE: INodeParameters = {
	resource: 'monitor',
	operation: 'create',
	name: '={{ $json.name }}',
	targets: { target: [{ type: 'scrape', urls: 'http://site.example/about' }] },
	scheduleBy: 'words',
	scheduleText: 'daily at 9:00',
};
const items = ['a', 'b', 'c'].map((name) => ({ name }));

const run = async (settings: RunSettings = {}) => await runNode(service.sandbox, CREATE, { items, ...settings });

async function namesThere(): Promise<string[]> {
	const { data } = await service.ask('GET', '/v2/monitor');
	return (data as Array<{ name: string }>).map(({ name }) => name).sort();
}

const refuseOne = (): void => {
	service.sandbox.faults.add({
		step: 'monitor',
		kind: 'body',
		httpStatus: 402,
		body: { success: false, error: 'Insufficient credits' },
		skip: 1,
		times: 1,
	});
};

it('Retry On Fail makes no monitor twice when one of several is refused', async () => {
	refuseOne();
	const execution = await run({ node: RETRY });
	expect(execution.error).toBeUndefined();
	expect(jsonOf(execution.items(NODE)).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
	expect(await namesThere()).toEqual(['a', 'b', 'c']);
	expect(hintsIn(execution)).toMatch(/Collected \d monitors? of an earlier try/);
});

it('a Retry of the failed execution makes none twice', async () => {
	refuseOne();
	const execution = await runNode(service.sandbox, CREATE, { items });
	expect(execution.error).toBeDefined();
	const retried = await retryNode(service.sandbox, execution, CREATE);
	expect(retried.error).toBeUndefined();
	expect(await namesThere()).toEqual(['a', 'b', 'c']);
});

it('one whose answer is lost is found in the list by its name and time', async () => {
	service.sandbox.faults.add({ step: 'monitor', kind: 'reset', when: 'after', times: 1 });
	const execution = await run();
	expect(execution.error).toBeUndefined();
	expect(await namesThere()).toEqual(['a', 'b', 'c']);
	expect(hintsIn(execution)).toContain('by its name and time only');
});

it('one whose answer is lost and that is not listed in time is looked for by the retry', async () => {
	const between = await startInBetween(service.sandbox);
	let isLost = true;
	between.interpose = async ({ method, path }, pass) => {
		const answer = await pass();
		if (isLost && method === 'POST') throw new Error('The connection is cut.');
		const isList = isLost && method === 'GET' && path === '/v2/monitor';
		return isList ? { status: 200, body: { success: true, data: [] } } : answer;
	};
	const execution = await runNode(between, CREATE, { items: [{ name: 'a' }] });
	expect(errorText(execution)).toContain('Firecrawl may have done this and charged for it, but does not list it.');
	isLost = false;
	const retried = await retryNode(between, execution, CREATE);
	expect(retried.error).toBeUndefined();
	expect(await namesThere()).toEqual(['a']);
});
