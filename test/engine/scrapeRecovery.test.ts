import type { INodeParameters } from 'n8n-workflow';
import type { FaultRule } from '../../sandbox/control/faultBook.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { ask, field, until } from '../sandbox/client';
import { errorText, hintsIn, jsonOf, KEY, NODE, RETRY, retryNode, runNode, startSandbox } from './run';

let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox({ keys: [KEY] });
});

const URL = 'https://example.com/?page=1';
const SCRAPE = { resource: 'page', operation: 'scrape', url: URL };
const FOUND = 'by its address and time only';
const MAYBE_PAID = 'may have done this and charged for it';

const lose = (rule: FaultRule) => sandbox.faults.add({ when: 'after', times: 1, step: 'scrape', ...rule });
const reset = () => lose({ kind: 'reset' });
const paths = (method: string, path: RegExp) =>
	sandbox.requests().filter((one) => one.method === method && path.test(one.path));
const scrapes = () => paths('POST', /^\/v2\/scrape$/).length;

/** A scrape of the same account that is none of the node's. */
async function scrapeElsewhere(): Promise<string> {
	const { body } = await ask(sandbox, 'POST', '/v2/scrape', { body: { url: URL } });
	return String(field(body, 'data.metadata.scrapeId'));
}

async function retry(previous: Awaited<ReturnType<typeof runNode>>, parameters: INodeParameters) {
	return await retryNode(sandbox, previous, parameters);
}

const LOSSES: Array<[string, FaultRule]> = [
	['the connection breaks', { kind: 'reset' }],
	['half an answer', { kind: 'truncated' }],
	['a gateway answers 502', { kind: 'htmlError' }],
	['500 without a reason', { kind: 'status', httpStatus: 500 }],
];

describe('a scrape whose answer is lost', () => {
	it.each(LOSSES)('is found again by its address and time: %s', async (_how, fault) => {
		lose(fault);
		const execution = await runNode(sandbox, SCRAPE);
		expect(errorText(execution)).toBe('');
		const [item] = jsonOf(execution.items(NODE));
		expect(item).toMatchObject({ markdown: expect.stringMatching(/\S/) });
		expect(scrapes()).toBe(1);
		expect(hintsIn(execution)).toContain(FOUND);
		expect(hintsIn(execution)).toContain(URL);
		expect(hintsIn(execution)).toContain(String(item?.scrapeId));
	});

	it('names all that may be it where somebody else scrapes the same page, and reads none', async () => {
		reset();
		const running = runNode(sandbox, SCRAPE);
		await until('the scrape', () => scrapes() === 1);
		const other = await scrapeElsewhere();
		const execution = await running;
		expect(errorText(execution)).toContain(`No result for ${URL}`);
		expect(errorText(execution)).toContain(MAYBE_PAID);
		expect(errorText(execution)).toContain(other);
		expect(errorText(execution)).toContain('Page · Get');
		expect(execution.error?.context.details).toMatchObject({
			candidates: expect.arrayContaining([other]),
		});
		expect(paths('GET', /^\/v2\/scrape\//)).toEqual([]);
	}, 30_000);

	it('warns with the address where it is not listed', async () => {
		lose({ kind: 'reset', when: 'before' });
		const execution = await runNode(sandbox, SCRAPE);
		expect(errorText(execution)).toContain(`No result for ${URL}`);
		expect(errorText(execution)).toContain(MAYBE_PAID);
		expect(scrapes()).toBe(1);
	}, 30_000);
});

describe('a retry of a scrape that may have been paid for', () => {
	const listIsDown = (times?: number) =>
		sandbox.faults.add({
			step: 'activity',
			kind: 'status',
			httpStatus: 403,
			...(times !== undefined && { times }),
		});

	it('looks for it first, and pays for no other: Retry On Fail', async () => {
		reset();
		listIsDown(1);
		const execution = await runNode(sandbox, SCRAPE, { node: RETRY });
		expect(errorText(execution)).toBe('');
		expect(execution.items(NODE)).toHaveLength(1);
		expect(scrapes()).toBe(1);
		expect(hintsIn(execution)).toContain(FOUND);
	}, 30_000);

	it.each([
		['Retry On Fail', RETRY],
		['the node alone', {}],
	])(
		'sends nothing again where the service lists several: %s',
		async (_how, node) => {
			lose({ kind: 'reset', times: 2 });
			// Both are listed as the same address, so nobody can tell whose is whose.
			const items = [{ url: 'https://example.com' }, { url: 'https://example.com/' }];
			const parameters = { ...SCRAPE, url: '={{ $json.url }}' };
			const execution = await runNode(sandbox, parameters, { items, node });
			expect(scrapes()).toBe(2);
			expect(errorText(execution)).toContain('several that may be it');
			expect(errorText(execution)).toContain('does not send it again');
			const { candidates } = execution.error?.context.details as { candidates: string[] };
			expect(candidates).toHaveLength(2);
			if (node !== RETRY) {
				const retried = await retry(execution, parameters);
				expect(errorText(retried)).toContain(candidates[0]);
				expect(scrapes()).toBe(2);
			}
		},
		30_000,
	);

	it('pays for another where it is not found, and says so', async () => {
		reset();
		listIsDown();
		const execution = await runNode(sandbox, SCRAPE, { node: RETRY });
		expect(errorText(execution)).toBe('');
		expect(scrapes()).toBe(2);
		expect(hintsIn(execution)).toContain('may be paid for twice');
		expect(hintsIn(execution)).toContain(URL);
	}, 30_000);

	it('asks again for a page that was found but not stored yet', async () => {
		reset();
		sandbox.faults.add({ step: 'scrapeStatus', kind: 'status', httpStatus: 403 });
		const failed = await runNode(sandbox, SCRAPE);
		expect(errorText(failed)).toContain(FOUND);
		const [id = ''] = (failed.error?.context.details as { candidates: string[] }).candidates;
		expect(errorText(failed)).toContain(id);
		sandbox.faults.clear();
		const retried = await retry(failed, SCRAPE);
		expect(errorText(retried)).toBe('');
		expect(jsonOf(retried.items(NODE))[0]).toMatchObject({ scrapeId: id });
		expect(scrapes()).toBe(1);
		expect(hintsIn(retried)).toContain(FOUND);
	}, 30_000);
});

describe('another paid call whose answer is lost', () => {
	const words = 'winter in the mountains';

	it.each([
		['Map', 'map', { resource: 'map', operation: 'map', url: URL }, URL],
		['Search', 'search', { resource: 'search', operation: 'search', query: words }, words],
	] as const)('warns with what was asked for: %s', async (_name, step, parameters, asked) => {
		lose({ kind: 'reset', step });
		const execution = await runNode(sandbox, parameters);
		expect(errorText(execution)).toContain(`No result for ${asked}`);
		expect(errorText(execution)).toContain(MAYBE_PAID);
	});
});
