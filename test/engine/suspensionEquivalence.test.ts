import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import type { Execution } from '../../tools/n8n-engine/index.ts';
import type { Step } from '../../sandbox/control/faultBook.ts';
import { until } from '../sandbox/client';
import { resumeCallOf, openWaitingSetup, notify, withoutTimes } from './suspension';
import type { WaitingSetup } from './suspension';
import { errorText, hintsOf, NODE } from './run';

/** What becomes of the job of one item. */
const FATES = ['ends', 'quick', 'fails', 'cancelled', 'empty', 'refused', 'unreadable'] as const;
type Fate = (typeof FATES)[number];

interface Kind {
	resource: string;
	step: 'crawl' | 'batch' | 'extract' | 'agent';
	asks: INodeParameters;
	outputs: string[];
}

const URL = '=https://site.example/{{ $json.fate }}-{{ $json.n }}';
const KINDS: Kind[] = [
	{
		resource: 'crawl',
		step: 'crawl',
		asks: { url: URL, pageLimit: '={{ $json.n + 1 }}' },
		outputs: ['pages', 'job', 'status', 'fullPages', 'file'],
	},
	{
		resource: 'batchScrape',
		step: 'batch',
		asks: { url: URL },
		outputs: ['pages', 'job', 'status', 'fullPages', 'file'],
	},
	{
		resource: 'extract',
		step: 'extract',
		asks: { urls: URL, prompt: '={{ $json.fate }}-{{ $json.n }}' },
		outputs: ['simplified', 'fullRecord'],
	},
	{
		resource: 'agent',
		step: 'agent',
		asks: { prompt: '={{ $json.fate }}-{{ $json.n }}' },
		outputs: ['simplified', 'fullRecord'],
	},
];

const scenario = fc.record({
	kind: fc.constantFrom(...KINDS),
	fates: fc.array(fc.constantFrom(...FATES), { minLength: 1, maxLength: 6 }),
	output: fc.nat(4),
	onError: fc.constantFrom(
		'continueRegularOutput',
		'continueErrorOutput',
		'continueRegularOutput',
		'continueErrorOutput',
		'stopWorkflow',
	),
	onFailure: fc.constantFrom('fail', 'output'),
});

function setFates({ sandbox }: WaitingSetup, step: Kind['step']): void {
	const [start, status] = [`${step}Start`, `${step}Status`] as [Step, Step];
	const rule = (query: Fate, at: Step) => ({ query, step: at });
	const { faults } = sandbox;
	const body = (state: string) => ({
		success: true,
		status: state,
		total: 0,
		completed: 0,
		data: [],
	});
	faults.add({ kind: 'status', httpStatus: 402, ...rule('refused', start) });
	faults.add({ kind: 'failJob', error: 'No luck', ...rule('fails', start) });
	faults.add({ kind: 'body', body: body('cancelled'), ...rule('cancelled', status) });
	faults.add({ kind: 'body', body: body('completed'), ...rule('empty', status) });
	faults.add({ kind: 'status', httpStatus: 403, error: 'Not now', ...rule('unreadable', status) });
}

/** A file as its text: ids and times stand in it, too. */
function readable(name: string, value: unknown): unknown {
	if (name === 'duration') return 'as long as it took';
	return name === 'data' && typeof value === 'string' ? Buffer.from(value, 'base64').toString() : value;
}

/** The same but for ids, times, and how long it took. */
function timeless(value: unknown): unknown {
	const names = new Map<string, string>();
	const text = JSON.stringify(value, readable).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => {
		names.set(id, names.get(id) ?? `id ${names.size}`);
		return names.get(id) ?? '';
	});
	return JSON.parse(withoutTimes(text));
}

function whatCameOut(execution: Execution) {
	// What stops a run stops it at another moment: which item it is, and what is known of the others, may differ.
	if (execution.run.status === 'error') return 'error';
	return timeless({
		status: execution.run.status,
		error: errorText(execution),
		items: execution.items(NODE),
		failed: execution.items(NODE, 1),
		hints: hintsOf(execution),
	});
}

/**
 * A call that comes before n8n has stored the execution is made again by the hosted service. Else the node's own
 * calls are left, which for two minutes do not give up a job that cannot be read.
 */
async function callAgain(setup: WaitingSetup, suspended: Execution): Promise<void> {
	await until('the jobs to end', () => setup.sandbox.stats().jobsRunning === 0);
	const { url, secret } = resumeCallOf(suspended, setup);
	await notify(url, secret);
}

describe('Wait in the Background', () => {
	it('puts out what Wait for the Result does', async () => {
		let parkings = 0;
		await fc.assert(
			fc.asyncProperty(scenario, async ({ kind, fates, output, onError, onFailure }) => {
				const setup = await openWaitingSetup({
					lightWork: true,
					seed: 1,
					jobDurationMs: ({ query }) => (query.includes('quick') ? 1 : 150),
				});
				setFates(setup, kind.step);
				const items = fates.map((fate, n) => ({ fate, n }));
				const run = async (waitForCompletion: string | boolean) => {
					const suspended = await setup.run(
						{
							resource: kind.resource,
							operation: 'start',
							...kind.asks,
							output: kind.outputs[output % kind.outputs.length] ?? '',
							waitForCompletion,
							options: { waitOptions: { onFailure } },
						},
						{ items, node: { onError } },
					);
					if (suspended.run.status === 'waiting') {
						parkings += 1;
						await callAgain(setup, suspended);
					}
					return await setup.host.ended(suspended.executionId);
				};
				const held = await run(true);
				const freed = await run('free');
				expect(whatCameOut(freed)).toEqual(whatCameOut(held));
			}),
			{ numRuns: 8, endOnFailure: true },
		);
		expect(parkings).toBeGreaterThan(0);
	}, 180_000);
});
