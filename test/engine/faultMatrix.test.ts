import { join } from 'node:path';

import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { FaultRule } from '../../sandbox/control/faultBook.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { expectGoldenFile } from '../helpers/goldenFile';
import { after, KEY, NODE, runNode, startParameters, startSandbox } from './run';
import { jsonLines } from './shownOutput';

/** What the user sees of one cell: a result, or a message; and how often its job was started. */
interface Cell {
	fault: FaultRule;
	/** `result`, or what the error message must hold. A job is called LABEL, with its ID. */
	sees: 'result' | RegExp;
	starts: 0 | 1;
}

/** A kind of job: how one is started with the item's `q` in what is asked, which faults are matched with. */
interface Kind {
	name: string;
	label: string;
	asks: INodeParameters;
}

const ADDRESS = '=https://site.example/{{ $json.q }}';
const KINDS: Kind[] = [
	{ name: 'deepResearch', label: 'deep research job', asks: { query: '={{ $json.q }}' } },
	{ name: 'agent', label: 'agent job', asks: { prompt: '={{ $json.q }}' } },
	{ name: 'extract', label: 'extract job', asks: { prompt: '={{ $json.q }}', urls: ADDRESS } },
	{ name: 'llmsTxt', label: 'LLMs.txt job', asks: { url: ADDRESS } },
	{ name: 'crawl', label: 'crawl', asks: { url: ADDRESS, limit: 1, output: 'job' } },
	{
		name: 'batchScrape',
		label: 'batch scrape',
		asks: { urlsFrom: 'list', urls: ADDRESS, output: 'job' },
	},
];

const status = (httpStatus: number, more: Partial<FaultRule> = {}): FaultRule =>
	({ kind: 'status', httpStatus, error: `told ${httpStatus}`, times: 1, ...more }) as FaultRule;
const once = (rule: FaultRule): FaultRule => ({ times: 1, ...rule });
const spoiled = (rule: FaultRule): FaultRule => ({ ...once(rule), when: 'after' });
const MAYBE = /may have been started, and may be paid for/;

/**
 * At the start: whatever does not prove that nothing was started is never sent again. Where the service
 * did start it, its list of jobs has it, and the item goes on with it.
 */
const AT_START: Record<string, Cell> = {
	'500 before the work': { fault: status(500), sees: MAYBE, starts: 0 },
	'500 after the work': { fault: status(500, { when: 'after' }), sees: 'result', starts: 1 },
	'503': { fault: status(503), sees: MAYBE, starts: 0 },
	'408': { fault: status(408), sees: MAYBE, starts: 0 },
	'502 with HTML': { fault: once({ kind: 'htmlError' }), sees: MAYBE, starts: 0 },
	'200 with HTML': { fault: once({ kind: 'html' }), sees: MAYBE, starts: 0 },
	'200 with nothing': { fault: spoiled({ kind: 'empty' }), sees: 'result', starts: 1 },
	'reset before the work': { fault: once({ kind: 'reset' }), sees: MAYBE, starts: 0 },
	'reset after the work': { fault: spoiled({ kind: 'reset' }), sees: 'result', starts: 1 },
	'truncated answer': { fault: spoiled({ kind: 'truncated' }), sees: 'result', starts: 1 },
	'an id that is no id': {
		fault: once({ kind: 'wrongShape', body: { success: true, id: '../x' } }),
		sees: MAYBE,
		starts: 0,
	},
	'400': { fault: status(400), sees: /refused the request: told 400/, starts: 0 },
	'401': { fault: status(401), sees: /API key: told 401/, starts: 0 },
	'402': { fault: status(402), sees: /enough credits: told 402/, starts: 0 },
	'403': { fault: status(403), sees: /does not allow this: told 403/, starts: 0 },
	'404': { fault: status(404), sees: /told 404/, starts: 0 },
	'409': { fault: status(409), sees: /told 409/, starts: 0 },
	redirect: {
		fault: once({ kind: 'redirect', to: 'https://example.com/' }),
		sees: /redirects to https:\/\/example\.com\//,
		starts: 0,
	},
	'wrong content type': { fault: once({ kind: 'wrongType' }), sees: 'result', starts: 1 },
	'slow answer': { fault: spoiled({ kind: 'slow', ms: 300 }), sees: 'result', starts: 1 },
	'job that fails': {
		fault: once({ kind: 'failJob', error: 'No luck' }),
		sees: /failed: No luck/,
		starts: 1,
	},
	'job that vanishes': {
		fault: once({ kind: 'expire' }),
		sees: /The LABEL ID is gone: /,
		starts: 1,
	},
};

/** At a check: a passing fault is looked through; a refusal ends the item, and the job's id is told. */
const AT_LOOK: Record<string, Cell> = {
	...Object.fromEntries(
		[
			['500', status(500)],
			['503', status(503)],
			['408', status(408)],
			['502 with HTML', once({ kind: 'htmlError' })],
			['200 with HTML', once({ kind: 'html' })],
			['200 with nothing', once({ kind: 'empty' })],
			['reset', once({ kind: 'reset' })],
			['truncated answer', spoiled({ kind: 'truncated' })],
			['wrong content type', once({ kind: 'wrongType' })],
			['wrong types', once({ kind: 'wrongShape', body: { status: 5, data: [], sources: 'x' } })],
			['slow answer', spoiled({ kind: 'slow', ms: 300 })],
		].map(([name, fault]) => [name, { fault, sees: 'result', starts: 1 }]),
	),
	...Object.fromEntries(
		[400, 401, 402, 403].map((code) => [
			String(code),
			{ fault: status(code), sees: new RegExp(`ID could not be read: .*told ${code}`), starts: 1 },
		]),
	),
	// A job that was started a moment ago may not be there yet: a 404 proves nothing yet.
	'404': { fault: status(404), sees: 'result', starts: 1 },
	redirect: {
		fault: once({ kind: 'redirect', to: 'https://example.com/' }),
		sees: /ID could not be read: .*redirects to/,
		starts: 1,
	},
	'job that vanishes': {
		fault: once({ kind: 'expire' }),
		sees: /The LABEL ID is gone: .*404 for it for \d+ s\. What it did may be paid for/,
		starts: 1,
	},
};

const OTHER_KEY = 'fc-other';
let sandbox: Sandbox;
beforeAll(async () => {
	// Crawls and batches read no [lasts:SECONDS] of what is asked.
	const lasts = (query: string) => Number(/\[lasts:([\d.]+)\]/.exec(query)?.[1] ?? 0.3) * 1000;
	const jobDurationMs = ({ query }: { query: string }) => lasts(query);
	sandbox = await startSandbox({
		lightWork: true,
		jobDurationMs,
		keys: [KEY, OTHER_KEY],
	});
});

interface Seen {
	item: INodeExecutionData | undefined;
	starts: number;
	id: string | undefined;
}

/** Runs one column of the matrix in one execution: an item for each cell, each with its own fault. */
async function runColumn(
	{ name: resource, asks }: Kind,
	cells: Record<string, Cell>,
	step: 'start' | 'status',
	jobSeconds: number,
): Promise<Map<string, Seen>> {
	sandbox.reset();
	sandbox.faults.clear();
	const names = Object.keys(cells);
	const items = names.map((_name, index) => ({ q: `[lasts:${jobSeconds}]cell-${index}-` }));
	names.forEach((name, index) => {
		const cell = cells[name];
		if (cell) sandbox.faults.add({ ...cell.fault, step, query: `cell-${index}-` });
	});
	const execution = await runNode(
		sandbox,
		{
			resource,
			operation: 'start',
			...asks,
			options: { waitOptions: { maxJobsAtOnce: 100 } },
		},
		{
			items,
			node: { onError: 'continueRegularOutput' },
		},
	);
	const output = execution.items(NODE);
	const started = sandbox.stats().starts.list;
	return new Map(
		names.map((name, index) => {
			const own = started.filter(({ query }) => query.includes(`cell-${index}-`));
			return [name, { item: output[index], starts: own.length, id: own[0]?.id }];
		}),
	);
}

const COLUMNS = [
	['the start', 'start', AT_START, 0.3],
	['a check the running job', 'status', AT_LOOK, 1.5],
	['the last check', 'status', AT_LOOK, 0.3],
] as const;

/** What each cell came to, for the comparison with what it was. */
const results: Array<[cell: string, starts: number, says: string]> = [];

describe.each(KINDS.flatMap((kind) => COLUMNS.map((column) => [kind.name, ...column, kind] as const)))(
	'%s: a fault at %s',
	(kindName, columnName, step, cells, jobSeconds, kind) => {
		let column: Map<string, Seen>;
		beforeAll(async () => {
			column = await runColumn(kind, cells, step, jobSeconds);
		});

		it.each(Object.keys(cells))('%s', (name) => {
			const { item, starts, id } = column.get(name) ?? {};
			const { sees, starts: expectedStarts } = cells[name] ?? {};
			const told = String(item?.json.error ?? item?.json.status);
			results.push([
				`${kindName}, ${columnName}: ${name}`,
				starts ?? 0,
				(id === undefined ? told : told.replaceAll(id, 'ID'))
					.replaceAll(sandbox.baseUrl, 'SERVICE')
					.replace(/for \d+ s\b/, 'for SECONDS s'),
			]);
			expect(starts).toBe(expectedStarts);
			if (sees === 'result') {
				expect(item?.json).toMatchObject({ id, status: 'completed' });
				return;
			}
			// The message must name this very job, where there is one that the node can know of.
			const said = String(item?.json.error).replaceAll(kind.label, 'LABEL');
			expect(id === undefined ? said : said.replaceAll(id, 'ID')).toMatch(sees ?? /$^/);
			expect(Object.keys(item?.json ?? {})).toEqual(['error', 'details']);
		});
	},
);

it('comes to the same as before, cell by cell', () => {
	expect(results.length).toBeGreaterThan(240);
	const sorted = results.toSorted(([left], [right]) => (left < right ? -1 : 1));
	expectGoldenFile(join(__dirname, '../golden/faultMatrix.json'), jsonLines(sorted));
});

describe('a refusal for the plan’s limits', () => {
	it.each([
		['start', undefined],
		['start', 2],
		['status', undefined],
		['status', 2],
	] as const)('at the %s with Retry-After %s is waited out', async (step, retryAfter) => {
		sandbox.reset();
		sandbox.faults.clear();
		sandbox.faults.add({ step, kind: 'rateLimit', times: 1, ...(retryAfter && { retryAfter }) });
		const execution = await runNode(sandbox, startParameters(), {
			items: [{ q: '[lasts:0.3] x' }],
			// Of a credential that has its first minute before it: at the end of one the wait is short.
			credential: { baseUrl: sandbox.baseUrl, apiKey: OTHER_KEY },
		});
		expect(execution.error).toBeUndefined();
		expect(execution.items(NODE)).toHaveLength(1);
		expect(sandbox.stats().starts.total).toBe(1);
		expect(execution.hints(NODE)[0]?.message).toMatch(/Rate limits made it wait [1-3] s\./);
	});
});

describe('a service that cannot be reached', () => {
	it('is tried again for a start, because nothing can have been started', async () => {
		const dead = await startSandbox({ lightWork: true, jobDurationMs: 300 });
		const { port } = new URL(dead.baseUrl);
		await dead.stop();
		const running = runNode(dead, startParameters(), { items: [{ q: 'x' }] });
		await after(500);
		const alive = await startSandbox({
			port: Number(port),
			lightWork: true,
			jobDurationMs: 300,
		});
		const execution = await running;
		expect(execution.error).toBeUndefined();
		expect(alive.stats().starts.total).toBe(1);
	});
});
