import type { INodeParameters, INodeType } from 'n8n-workflow';
import { described } from '../../tools/n8n-engine/flowNodes.ts';
import type { WorkflowFile } from '../../tools/n8n-engine/index.ts';
import { until } from '../sandbox/client';
import { notify, openWaitingSetup, resumeCallOf, suspendingCrawl } from './suspension';
import type { WaitingSetup } from './suspension';
import { after, errorText, executionOptions, jsonOf, KEY, NODE, startedIds } from './run';
import type { RunSettings } from './run';

let setup: WaitingSetup;

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

describe('two nodes that suspend one after the other', () => {
	it('each wait for their own job, and the second may read what n8n passed on of the first', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 300 });
		setup.sandbox.webhooks.add({ kind: 'lose', times: 1 });
		const second = {
			...nodeNamed('Second', 'n8n-nodes-web-data.webData', {
				...suspendingCrawl(setup.sandbox, {
					pageLimit: '={{ $json.suspendedJob.jobId.length > 9 ? 2 : 1 }}',
				}),
			}),
			credentials: { webDataApi: { id: '1', name: 'Web Data API' } },
		};
		const { executionId } = await runWith(suspendingCrawl(setup.sandbox), second);
		const [firstId] = startedIds(setup.sandbox);
		const suspended = await setup.host.timeIsUp(executionId);
		expect(jsonOf(suspended.items(NODE))).toEqual([{ suspendedJob: { jobId: firstId, collectWith: 'Crawl · Get' } }]);
		expect(suspended.run.status).toBe('waiting');
		const ended = await setup.host.ended(executionId);
		expect(ended.error).toBeUndefined();
		expect(ended.items('Second')).toHaveLength(2);
		expect(setup.sandbox.stats().starts.total).toBe(2);
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
		const [jobId = ''] = startedIds(setup.sandbox);
		expect(errorText(ended)).toContain(`Its crawl ${jobId} was started before: Crawl · Get collects it.`);
		expect(errorText(ended)).not.toContain('Nothing was sent');
		expect(setup.sandbox.stats().starts.total).toBe(1);
	});
});

/** What was answered, each time by one voice. */
const answers = () => setup.host.calls.map(({ answers: all }) => all.join(' and '));

/** Suspends a crawl whose call of its own never comes, and calls in its place when it has ended. */
async function parkUnheard(settings?: RunSettings) {
	setup.sandbox.webhooks.add({ kind: 'lose' });
	const suspended = await setup.run(suspendingCrawl(setup.sandbox), settings);
	return { suspended, ...resumeCallOf(suspended, setup), requests: setup.sandbox.stats().requests };
}

describe('what a call is told', () => {
	it('while a job runs: that it was received, and nothing goes on', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 60_000 });
		const { url, secret } = await parkUnheard();
		expect(await notify(url, secret)).toBe(200);
		expect(answers()).toEqual(['{"message":"Received."}']);
		// Were it awake, it would be running.
		expect(await notify(url, secret)).toBe(200);
		expect(setup.host.calls.some(({ woke }) => woke)).toBe(false);
	});

	it('where nothing is noted of a job: that none is waited for', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 60_000 });
		const { suspended, url, secret, requests } = await parkUnheard();
		suspended.stored = suspended.stored.replaceAll('webDataSuspended', 'somethingElse');
		expect(await notify(url, secret)).toBe(409);
		expect(answers()).toEqual(['{"message":"This execution does not wait for a job."}']);
		expect(setup.sandbox.stats().requests).toBe(requests);
	});

	it('where its jobs cannot be checked: that they cannot', async () => {
		const credential = { baseUrl: '', apiKey: KEY };
		setup = await openWaitingSetup({ jobDurationMs: 60_000 });
		credential.baseUrl = setup.sandbox.baseUrl;
		const { url, secret } = await parkUnheard({ credential });
		credential.baseUrl = 'nowhere';
		expect(await notify(url, secret)).toBe(503);
		expect(answers()).toEqual(['{"message":"The jobs could not be checked."}']);
		expect(setup.host.calls.some(({ woke }) => woke)).toBe(false);
	});

	it('within a second, whatever the check takes; and no second time after it', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 300 });
		const { suspended, url, secret } = await parkUnheard();
		await until('the job to end', () => setup.sandbox.stats().jobsRunning === 0);
		setup.sandbox.faults.add({ kind: 'slow', step: 'crawlStatus', ms: 2000, times: 1 });
		expect(await notify(url, secret)).toBe(200);
		await setup.host.ended(suspended.executionId);
		expect(answers()[0]).toBe('{"message":"Received."}');
	});
});

describe('many calls one after the other', () => {
	it('cost a check a second, and none of a job that has ended', async () => {
		setup = await openWaitingSetup({
			jobDurationMs: ({ query }) => (query.includes('quick') ? 100 : 60_000),
		});
		setup.sandbox.webhooks.add({ kind: 'lose' });
		const url = '={{ $json.url }}';
		const suspended = await setup.run(suspendingCrawl(setup.sandbox, { url }), {
			items: [{ url: `${setup.sandbox.siteUrl}?quick` }, { url: `${setup.sandbox.siteUrl}?slow` }],
		});
		const [quick = '', slow = ''] = startedIds(setup.sandbox);
		await until('the quick job to end', () => setup.sandbox.stats().jobsRunning === 1);
		const execution = resumeCallOf(suspended, setup);
		const checks = () => setup.sandbox.stats().polls.byJob;
		await notify(execution.url, execution.secret);
		const first = checks();
		const beganMs = performance.now();
		await notify(execution.url, execution.secret);
		await until('the second check', () => (checks()[slow] ?? 0) > (first[slow] ?? 0));
		expect(performance.now() - beganMs).toBeGreaterThan(700);
		expect(checks()[quick]).toBe(first[quick]);
	});
});

it('a call that comes soon after it was woken, while n8n still lists it as waiting, wakes it no second time', async () => {
	setup = await openWaitingSetup({ jobDurationMs: 300 });
	const { suspended, url, secret } = await parkUnheard();
	await until('the job to end', () => setup.sandbox.stats().jobsRunning === 0);
	expect(await notify(url, secret)).toBe(200);
	await setup.host.ended(suspended.executionId);
	setup.host.listedAsWaiting(suspended);
	expect(await notify(url, secret)).toBe(200);
	// A check comes a second after the one before it at the earliest.
	await after(3000);
	expect(setup.host.calls.filter(({ woke }) => woke)).toHaveLength(1);
});
