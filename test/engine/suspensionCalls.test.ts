import type { INodeParameters, INodeType } from 'n8n-workflow';

import { described, flowNodes } from '../../engine/flowNodes.ts';
import type { WorkflowFile } from '../../engine/index.ts';
import { until } from '../sandbox/client';
import { suspendingCrawl, openWaitingSetup } from './suspension';
import type { WaitingSetup } from './suspension';
import { errorText, executionOptions, jsonOf, NODE } from './research';

let setup: WaitingSetup;
afterEach(async () => await setup.stop());

/** n8n's Wait node on "On Webhook Call" with POST. */
const waitForCall: INodeType = {
	description: {
		...described('wait', { outputs: ['main'], properties: [] }),
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				path: '',
				restartWebhook: true,
			},
		],
	},
	async execute() {
		await this.putExecutionToWait(new Date(Date.now() + 3_600_000));
		return [this.getInputData()];
	},
	async webhook() {
		return { workflowData: [[{ json: { calledBy: 'somebody' } }]] };
	},
};

/** Runs the node under test, and behind it one more. */
async function runWith(parameters: INodeParameters, behind: WorkflowFile['nodes'][number]) {
	const options = await executionOptions(setup.sandbox, parameters);
	const { nodes, connections } = options.workflow;
	return await setup.host.run({
		...options,
		otherNodeTypes: { 'n8n-nodes-base.wait': waitForCall },
		workflow: {
			...options.workflow,
			nodes: [...nodes, behind],
			connections: {
				...connections,
				[NODE]: { main: [[{ node: behind.name, type: 'main', index: 0 }]] },
			},
		},
	});
}

const nodeNamed = (name: string, type: string, parameters: INodeParameters = {}) => ({
	id: name,
	name,
	type,
	typeVersion: 1,
	position: [400, 0] as [number, number],
	parameters,
});

describe('a call that comes late', () => {
	it('does not wake another node that waits in the execution', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 400 });
		const { executionId } = await runWith(suspendingCrawl(setup.sandbox), nodeNamed('Wait', 'n8n-nodes-base.wait'));
		await until('the call', () => setup.sandbox.webhooks.sent().length > 0);
		const url = setup.sandbox.webhooks.sent()[0]?.url ?? '';
		let status = 409;
		while (status === 409) status = (await fetch(url, { method: 'POST', body: '{}' })).status;
		expect(status).toBe(404);
		expect(setup.host.calls.filter(({ woke }) => woke)).toHaveLength(1);
		expect(setup.host.calls.at(-1)?.executionId).toBe(executionId);
	});
});

describe('a call that comes before n8n has stored the execution', () => {
	it('is made up for where the service calls once: the node asks to be checked soon after', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 1800 });
		// More than a second after the start it checks before it suspends, and is answered late: of a time when the job still ran.
		setup.sandbox.faults.add({
			kind: 'slow',
			step: 'crawlStart',
			when: 'after',
			ms: 1100,
			times: 1,
		});
		setup.sandbox.faults.add({
			kind: 'slow',
			step: 'crawlStatus',
			when: 'after',
			ms: 1000,
			times: 1,
		});
		const { executionId, run } = await setup.run(suspendingCrawl(setup.sandbox));
		expect(run.status).toBe('waiting');
		expect(setup.sandbox.webhooks.sent()).toMatchObject([{ status: 409, attempt: 1 }]);
		const ended = await setup.host.ended(executionId);
		expect(ended.items(NODE)).toHaveLength(3);
		expect(setup.sandbox.stats().starts.total).toBe(1);
	});
});

describe('the call that the node makes itself', () => {
	it('is made again where the jobs cannot be checked: one 404 does not end the wait', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 60_000 });
		const fault = { kind: 'status', httpStatus: 404, error: 'Job not found' } as const;
		setup.sandbox.faults.add({ ...fault, step: 'crawlStatus', times: 1 });
		const { run } = await setup.run(suspendingCrawl(setup.sandbox));
		expect(run.status).toBe('waiting');
		const answered = () => setup.host.calls.filter(({ status }) => status > 0);
		await until('its second call', () => answered().length === 2);
		expect(answered().map(({ status, woke }) => [status, woke])).toEqual([
			[503, false],
			[200, false],
		]);
	});
});

describe('two nodes that suspend one after the other', () => {
	it('each wait for their own job, and the second may read what n8n passed on of the first', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 300 });
		setup.sandbox.webhooks.add({ kind: 'lose', times: 1 });
		const second = {
			...nodeNamed('Second', 'n8n-nodes-web-data.webData', {
				...suspendingCrawl(setup.sandbox, {
					pageLimit: '={{ $json.parkedJob.jobId.length > 9 ? 2 : 1 }}',
				}),
			}),
			credentials: { webDataApi: { id: '1', name: 'Web Data API' } },
		};
		const { executionId } = await runWith(suspendingCrawl(setup.sandbox), second);
		const [firstId] = setup.sandbox.stats().starts.list.map(({ id }) => id);
		const suspended = await setup.host.timeIsUp(executionId);
		expect(jsonOf(suspended.items(NODE))).toEqual([{ parkedJob: { jobId: firstId, collectWith: 'Crawl · Get' } }]);
		expect(suspended.run.status).toBe('waiting');
		const ended = await setup.host.ended(executionId);
		expect(ended.error).toBeUndefined();
		expect(ended.items('Second')).toHaveLength(2);
		expect(setup.sandbox.stats().starts.total).toBe(2);
	});
});

/** The node in a loop of so many rounds; the first reads a page, the second two. */
async function runRounds(rounds: number) {
	const options = await executionOptions(
		setup.sandbox,
		suspendingCrawl(setup.sandbox, { pageLimit: '={{ $runIndex + 1 }}' }),
	);
	const again = {
		...nodeNamed('Again', 'n8n-nodes-base.if', {
			conditions: {
				options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
				combinator: 'and',
				conditions: [
					{
						id: '1',
						leftValue: '={{ $runIndex }}',
						rightValue: rounds - 1,
						operator: { type: 'number', operation: 'lt' },
					},
				],
			},
		}),
		typeVersion: 2,
	};
	const once = { ...nodeNamed('Once', 'n8n-nodes-base.noOp'), executeOnce: true };
	return await setup.host.run({
		...options,
		otherNodeTypes: flowNodes,
		workflow: {
			...options.workflow,
			nodes: [...options.workflow.nodes, again, once],
			connections: {
				...options.workflow.connections,
				[NODE]: { main: [[{ node: 'Again', type: 'main', index: 0 }]] },
				Again: { main: [[{ node: 'Once', type: 'main', index: 0 }], []] },
				Once: { main: [[{ node: NODE, type: 'main', index: 0 }]] },
			},
		},
	});
}

describe('three rounds of a loop', () => {
	it('suspend one after the other, and put out each its own job', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 200 });
		const { executionId } = await runRounds(3);
		const ended = await setup.host.ended(executionId);
		expect(ended.error).toBeUndefined();
		const perRun = [0, 1, 2].map((run) => ended.items(NODE, 0, run).length);
		expect(perRun).toEqual([1, 2, 3]);
		expect(setup.host.calls.filter(({ woke }) => woke)).toHaveLength(3);
	});
});

describe('a loop whose first round nobody called', () => {
	it('suspends for its second one as for the first', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 3000 });
		const { executionId } = await runRounds(2);
		const second = await setup.host.timeIsUp(executionId);
		expect(second.run.status).toBe('waiting');
		const ended = await setup.host.ended(executionId);
		expect(ended.items(NODE, 0, 1)).toHaveLength(2);
		expect(setup.sandbox.stats().starts.total).toBe(2);
	});
});

describe('what held up the starts', () => {
	it('is told as ever when the jobs have ended', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 400 });
		setup.sandbox.faults.add({ kind: 'rateLimit', step: 'crawlStart', times: 1, retryAfter: 1 });
		const ended = await setup.runToEnd(suspendingCrawl(setup.sandbox));
		const hints = ended.hints(NODE).map(({ message }) => message);
		expect(hints.join(' ')).toMatch(/Rate limits made it wait \d s\./);
	});
});

describe('an expression that is another when the execution is woken', () => {
	/** The node notes its jobs in the custom data when it suspends. */
	const once = (first: string, then: string) =>
		`={{ $execution.customData.get('webData_Web_Data') ? ${then} : ${first} }}`;

	it('loses no job: where the input is refused by then, the message names it', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 500 });
		const url = once(`'${setup.sandbox.siteUrl}'`, "''");
		const ended = await setup.runToEnd(suspendingCrawl(setup.sandbox, { url }));
		const [jobId = ''] = setup.sandbox.stats().starts.list.map(({ id }) => id);
		expect(errorText(ended)).toContain(`Its crawl ${jobId} was started before: Crawl · Get collects it.`);
		expect(errorText(ended)).not.toContain('Nothing was sent');
		expect(setup.sandbox.stats().starts.total).toBe(1);
	});

	it('puts out the pages though Wait for Completion says by then that they are not wanted', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 500 });
		const waitForCompletion = once("'free'", 'false');
		const ended = await setup.runToEnd(suspendingCrawl(setup.sandbox, { waitForCompletion }));
		expect(ended.items(NODE)).toHaveLength(3);
	});
});
