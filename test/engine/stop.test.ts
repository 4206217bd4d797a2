import type { INodeParameters } from 'n8n-workflow';

import { n8nLog } from '../../tools/n8n-engine/index.ts';
import type { NodeOverride } from '../../tools/n8n-engine/index.ts';
import type { FaultRule } from '../../sandbox/control/faultBook.ts';
import type { SandboxStats } from '../../sandbox/control/statistics.ts';
import { serve, service } from './pageService';
import type { PageServiceParts } from './pageService';
import { after, batchStart, crawlStart, errorText, runNode, startParameters, startSandbox } from './run';

const logged: string[] = [];

beforeEach(() => {
	logged.length = 0;
	jest.spyOn(n8nLog(), 'info').mockImplementation((text) => void logged.push(text));
});

const endless: PageServiceParts = { job: () => ({ looksLeft: 1000 }) };
/** Crawls that never end, but for that of the first item. */
const firstEnds: PageServiceParts = {
	job: ({ url }) => ({ looksLeft: url === 'https://x.example/0' ? 0 : 1000 }),
};
const runsOn = { options: { waitOptions: { cancelOnStop: false } } };
const ofItems = (more = {}) => crawlStart({ url: '={{ $json.url }}', ...more });

/** Runs until `isTime`, stops the execution, and gives it time to clean up. */
async function stopWhen(
	parts: PageServiceParts,
	parameters: INodeParameters,
	isTime: () => boolean | Promise<boolean>,
	{ count = 1, node = {} }: { count?: number; node?: NodeOverride } = {},
) {
	await serve(parts);
	const stop = new AbortController();
	const items = Array.from({ length: count }, (_unused, index) => ({ url: `https://x.example/${index}` }));
	const running = runNode(service, parameters, { items, node, signal: stop.signal });
	while (!(await isTime())) await after(20);
	stop.abort();
	const execution = await running;
	await after(600);
	return execution;
}

const isChecked = () => service.count('GET') > 0;
const states = () => [...service.jobs.values()].map(({ state }) => state);
const runningJob = (id: string) =>
	service.jobs.set(id, { id, body: {}, pages: [], errors: [], state: 'scraping', looksLeft: 999 });

it('switched off: the job runs on, and the error names it', async () => {
	const execution = await stopWhen(endless, crawlStart(runsOn), isChecked);
	expect(service.count('DELETE')).toBe(0);
	expect(errorText(execution)).toContain('Still running at the service: job-0');
});

it('says how much was done and paid for, and how to get it, in the log and in the custom data', async () => {
	const status = { success: true, status: 'scraping', completed: 49, total: 60, creditsUsed: 49, data: [] };
	const instead: PageServiceParts['instead'] = ({ method }) => (method === 'GET' ? { body: status } : undefined);
	const execution = await stopWhen({ ...endless, instead }, crawlStart(), () => service.count('GET') > 1);
	const done = '49 of 60 pages done (= 49 credits): Crawl · Get';
	expect(logged.join(' ')).toContain(
		`Cancelled at the service: job-0. ${done} with the option On Failure returns them.`,
	);
	expect(execution.run.data.resultData.metadata).toMatchObject({ webDataDone_Web_Data: `${done} returns them` });
});

it('cancels no job that nobody waits for: it is to outlive the execution', async () => {
	const instead: PageServiceParts['instead'] = ({ method, body }) =>
		method === 'POST' && body.url === 'https://x.example/1'
			? { body: { success: true, id: 'late' }, delayMs: 5000 }
			: undefined;
	const isTime = () => service.count('POST') > 1;
	await stopWhen({ ...endless, instead }, ofItems({ waitForCompletion: false }), isTime, { count: 2 });
	expect(service.count('DELETE')).toBe(0);
});

it('cancels every job that the execution started, unless told otherwise', async () => {
	const execution = await stopWhen(endless, ofItems(), () => service.count('GET') > 2, { count: 3 });
	expect(states()).toEqual(Array(3).fill('cancelled'));
	expect(execution.run.status).toBe('canceled');
	expect(errorText(execution)).toContain('Cancelled at the service: job-0, job-1, job-2.');
});

it('cancels no batch scrape that it only added URLs to', async () => {
	const parameters = batchStart({ options: { appendToId: 'job-0' } });
	const execution = await stopWhen(endless, parameters, isChecked, { count: 2 });
	expect(service.count('DELETE')).toBe(0);
	expect(errorText(execution)).toContain('Still running at the service: job-0');
});

it('cancels a job whose start was under way when Stop came', async () => {
	const instead: PageServiceParts['instead'] = ({ method }) => {
		if (method !== 'POST') return undefined;
		runningJob('late');
		return { body: { success: true, id: 'late' }, delayMs: 1200 };
	};
	const execution = await stopWhen({ ...endless, instead }, batchStart(), () => service.count('POST') > 0);
	expect(service.jobs.get('late')?.state).toBe('cancelled');
	expect(errorText(execution)).toContain('Cancelled at the service: late.');
});

it('tries again when the service refuses the cancel, and gives up within seconds', async () => {
	const begin = Date.now();
	const instead: PageServiceParts['instead'] = ({ method }) =>
		method === 'DELETE' ? { status: 500, body: { error: 'Oops' } } : undefined;
	const execution = await stopWhen({ ...endless, instead }, crawlStart(), isChecked);
	expect(service.count('DELETE')).toBe(3);
	expect(errorText(execution)).toContain('Still running at the service: job-0');
	expect(Date.now() - begin).toBeLessThan(8000);
});

it('asks again for a job that the service does not know yet', async () => {
	const unknown = { status: 404, body: { success: false, error: 'Job not found' } };
	const instead: PageServiceParts['instead'] = ({ method }) =>
		method === 'DELETE' && service.count('DELETE') <= 4 ? unknown : undefined;
	const execution = await stopWhen({ ...endless, instead }, crawlStart(), isChecked);
	expect(service.count('DELETE')).toBe(5);
	expect(errorText(execution)).toContain('Cancelled at the service: job-0');
});

it('leaves a job alone that was started elsewhere', async () => {
	const get = { resource: 'crawl', operation: 'get', jobId: 'job-9', waitForCompletion: true };
	await stopWhen(endless, get, () => {
		if (!service.jobs.has('job-9')) runningJob('job-9');
		return isChecked();
	});
	expect(service.count('DELETE')).toBe(0);
});

describe('what is said of a stop', () => {
	it('tells apart what has ended, what runs on, and what was being started', async () => {
		const instead: PageServiceParts['instead'] = ({ method, body }) =>
			method === 'POST' && body.url === 'https://x.example/3'
				? { body: { success: true, id: 'late' }, delayMs: 5000 }
				: undefined;
		const isTime = () => service.count('GET') > 4;
		const message = errorText(await stopWhen({ ...firstEnds, instead }, ofItems(runsOn), isTime, { count: 4 }));
		expect(message).toContain('The execution was canceled');
		expect(message).toContain('Had ended before (Crawl · Get collects them): job-0.');
		expect(message).toContain('Still running at the service: job-1, job-2.');
		expect(message).toContain(
			'The start was under way for item 3: its crawl may have been started, and may be paid for.',
		);
	});

	it('names starts that were under way, and stores them as unclear', async () => {
		const instead: PageServiceParts['instead'] = ({ method }) =>
			method === 'POST' ? { body: { success: true, id: 'late' }, delayMs: 2000 } : undefined;
		const isTime = () => service.count('POST') === 4;
		const execution = await stopWhen({ instead }, ofItems(runsOn), isTime, { count: 4 });
		expect(errorText(execution)).toContain(
			'The start was under way for items 0, 1, 2, 3: their crawls may have been started',
		);
		for (const item of [0, 1, 2, 3]) expect(execution.stored).toContain(`"crawl:0:${item}"`);
	});

	it("is one sentence in n8n's log for each thing that became of the jobs, with their ids", async () => {
		const { executionId } = await stopWhen(firstEnds, ofItems(), () => service.count('GET') > 4, { count: 2 });
		expect(logged.at(-1)).toBe(
			`Execution ${executionId}, node "Web Data": stopped. Cancelled at the service: job-1. Had ended before (Crawl · Get collects them): job-0. 2 pages done in 2 jobs (= 4 credits): Crawl · Get with the option On Failure returns them.`,
		);
	});
});

describe('the custom data of an execution that holds', () => {
	it('have its jobs as soon as they are started, the newest first', async () => {
		const { run } = await stopWhen(endless, ofItems(), () => service.count('GET') > 1, { count: 2 });
		expect(run.data.resultData.metadata).toMatchObject({ webData_Web_Data: 'Crawl · Get: job-1, job-0' });
	});
});

describe('Stop with Retry On Fail', () => {
	const stopLines = () => logged.filter((line) => line.includes('": stopped.'));
	const retries = (waitBetweenTries: number) => ({ retryOnFail: true, maxTries: 5, waitBetweenTries });

	/** Crawls that never end; the first status check is refused, so that the first try fails. */
	const failsOnce = (): PageServiceParts => {
		let refusals = 1;
		return {
			...endless,
			instead: ({ method, path }) =>
				method === 'GET' && path.startsWith('/v2/crawl/job-0') && refusals-- > 0
					? { status: 403, body: { error: 'Forbidden' } }
					: undefined,
		};
	};

	/** True when the first try is over: none of its jobs is asked for any more. */
	async function isBetweenTries(): Promise<boolean> {
		const before = service.requests.length;
		if (!isChecked()) return false;
		await after(700);
		return service.requests.length === before;
	}

	it('between two tries cancels the jobs that the try before has started, and names them once', async () => {
		await stopWhen(failsOnce(), ofItems(), isBetweenTries, { count: 3, node: retries(4000) });
		await after(8000);
		expect(service.count('POST')).toBe(3);
		expect(states()).toEqual(Array(3).fill('cancelled'));
		expect(stopLines()).toEqual([expect.stringMatching(/stopped\. Cancelled at the service: job-0, job-1, job-2\.$/)]);
	});

	it.each([
		['cancelled', {}, /stopped\. Cancelled at the service: job-0, job-1\. 2 pages done/],
		[
			'running on, where nothing is cancelled',
			runsOn,
			/stopped\. Still running at the service: job-0, job-1\. 2 pages done/,
		],
	])('says once, though n8n goes on with the tries, what is %s', async (_what, more, line) => {
		await stopWhen(failsOnce(), ofItems(more), () => service.count('GET') > 5, { count: 2, node: retries(0) });
		// n8n begins the tries that are left at once; nothing tells from outside that they are over.
		await after(1500);
		expect(stopLines()).toEqual([expect.stringMatching(line)]);
		expect(service.count('POST')).toBe(2);
	});
});

describe('Stop in each stage of a run', () => {
	const ITEMS = 12;
	const PAGES = 35;
	const address = "'https://example.com/costs?stop=' + $json.q";
	const pagesOf = `Array.from({ length: ${PAGES} }, (_, page) => ${address} + '&page=' + page)`;
	const jobs: Record<string, INodeParameters> = {
		'deep researches': startParameters(),
		agents: { resource: 'agent', operation: 'start', prompt: '={{ $json.q }}' },
		crawls: crawlStart({ url: `={{ ${address} }}`, pageLimit: 1, output: 'job' }),
		batches: batchStart({ urlsFrom: 'list', urls: `={{ ${address} }}`, output: 'job' }),
	};
	/** Each job has its pages in several slices, and they are put out. */
	const withPages: Record<string, INodeParameters> = {
		crawls: crawlStart({ url: `={{ ${address} }}`, pageLimit: PAGES, output: 'pages' }),
		batches: batchStart({
			urlsFrom: 'list',
			urls: `={{ ${pagesOf}.concat('https://gone.invalid/') }}`,
			output: 'pages',
		}),
	};

	interface Stage {
		when: string;
		/** What keeps the execution in it long enough to be met. */
		faults?: FaultRule[];
		/** What is seen of it at the service. */
		isReached: (stats: SandboxStats) => boolean;
		of?: Record<string, INodeParameters>;
	}
	const calls = ({ calls: all }: SandboxStats, step: string) =>
		Object.entries(all).reduce((sum, [name, count]) => sum + (name.endsWith(step) ? count : 0), 0);
	const slow = (step: FaultRule['step'], more: Partial<FaultRule> = {}): FaultRule[] => [
		{ step, kind: 'slow', ms: 2000, ...more } as FaultRule,
	];
	const refused = ({ faults }: SandboxStats) => Object.values(faults).some((count) => count > 0);

	const stages: Stage[] = [
		{ when: 'before the first start', isReached: () => true },
		{ when: 'on the way to a start', faults: slow('start'), isReached: (seen) => calls(seen, 'Start') > 0 },
		{
			when: 'on the way back from a start',
			faults: slow('start', { when: 'after' }),
			isReached: ({ starts }) => starts.total > 0,
		},
		{
			when: 'in the pause after a start was refused',
			faults: [{ step: 'start', kind: 'rateLimit', retryAfter: 5, skip: 4 }],
			isReached: refused,
		},
		{ when: 'while jobs run', isReached: ({ starts }) => starts.total === ITEMS },
		{ when: 'during a check', faults: slow('status'), isReached: (seen) => calls(seen, 'Status') > 0 },
		{
			when: 'in the pause after a check was refused',
			faults: [{ step: 'status', kind: 'rateLimit', retryAfter: 5 }],
			isReached: refused,
		},
		{
			when: 'between two tries of a check',
			faults: [{ step: 'status', kind: 'status', httpStatus: 502 }],
			isReached: refused,
		},
		{
			when: 'while a lost start is looked for',
			faults: [{ step: 'start', kind: 'reset', when: 'after', skip: 2, times: 3 }, ...slow('activity')],
			isReached: (seen) => calls(seen, 'activity') > 0,
		},
		{
			when: 'while slices are read',
			faults: slow('slice'),
			isReached: (seen) => calls(seen, 'slice') > 0,
			of: withPages,
		},
		{
			when: 'while the failed pages are read',
			faults: slow('errors'),
			isReached: (seen) => calls(seen, 'errors') > 0,
			of: withPages,
		},
	];
	const cases = stages.flatMap(({ of = jobs, ...stage }) =>
		Object.entries(of).map(([what, parameters]) => ({ what, parameters, ...stage })),
	);

	it.each(cases)('$when, $what: it ends at once, sends no more, and tells of each job', async (one) => {
		const sandbox = await startSandbox({ lightWork: true, jobDurationMs: 1500, sliceSize: 10 });
		for (const fault of one.faults ?? []) sandbox.faults.add(fault);
		const words = Array.from({ length: ITEMS }, (_unused, item) => `stop-${item}-`);
		const stop = new AbortController();
		const waitOptions = { maxWait: 30, maxJobsAtOnce: ITEMS, cancelOnStop: false };
		const options = { waitOptions, ...(one.parameters.output === 'pages' && { failedPages: true }) };
		const running = runNode(
			sandbox,
			{ ...one.parameters, options },
			{
				items: words.map((q) => ({ q })),
				signal: stop.signal,
			},
		);
		for (let waits = 0; waits < 1000 && !one.isReached(sandbox.stats()); waits++) await after(20);
		expect(one.isReached(sandbox.stats())).toBe(true);
		stop.abort();
		const stoppedMs = Date.now();
		const execution = await running;
		expect(execution.run.status).toBe('canceled');
		expect(Date.now() - stoppedMs).toBeLessThan(1000);
		await after(60_000);
		const { starts, lastRequestAtMs } = sandbox.stats();
		expect(lastRequestAtMs ?? 0).toBeLessThan(stoppedMs + 1000);
		const said = errorText(execution);
		const underWay = /under way for items? ([\d, ]+)/.exec(said)?.[1]?.split(', ') ?? [];
		const details = JSON.stringify(execution.error && 'context' in execution.error ? execution.error.context : {});
		for (const { id, query } of starts.list) {
			const item = words.findIndex((word) => query.includes(word));
			expect(said.includes(id) || details.includes(id) || underWay.includes(String(item))).toBe(true);
		}
	});
});
