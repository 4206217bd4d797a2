/** What the service says of a run of a data tool by its codes, what is sent then, by n8n's Retry, too, and what it costs. */
import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/server.ts';
import type { Execution } from '../../tools/n8n-engine/index.ts';
import { errorText, KEY, killedInNode, NODE, retryNode, runNode, startSandbox } from './run';
import { startInBetween } from './serviceInBetween';
import type { ServiceInBetween } from './serviceInBetween';

const RUN: INodeParameters = {
	resource: 'dataTool',
	operation: 'run',
	provider: { __rl: true, mode: 'list', value: 'open-registry' },
	capability: { __rl: true, mode: 'id', value: 'company-profile' },
	inputsAs: 'json',
	inputsJson: '{"name":"Kestrel"}',
};

let sandbox: Sandbox;
let service: ServiceInBetween;

beforeEach(async () => {
	sandbox = await startSandbox({ keys: [KEY] });
	service = await startInBetween(sandbox);
});

const idsSent = (): unknown[] => service.requests.map(({ headers }) => headers['x-request-id']);
const kestrel = (execution: Execution): unknown => execution.items(NODE)[0]?.json.data;

/** A refusal in the service's own envelope. */
const refused = (status: number, code: string | undefined, error: string) => ({
	status,
	body: { success: false, error, ...(code !== undefined && { code }), chargeId: 'charge-1' },
});

const IN_FLIGHT = refused(409, 'request_in_flight', 'This request is running');
const UNRESOLVED = refused(503, 'request_unresolved', 'The end of this request is not known');

/** Answers these one after the other, the last of them for ever; `pass` lets the service answer, `lost` loses that. */
function answering(...answers: Array<'pass' | 'lost' | ReturnType<typeof refused>>): void {
	let next = 0;
	service.interpose = async (_request, pass) => {
		const answer = answers[Math.min(next, answers.length - 1)] ?? 'pass';
		next += 1;
		if (typeof answer === 'object') return answer;
		const passed = await pass();
		if (answer === 'lost') throw new Error('lost');
		return passed;
	};
}

describe('Of an id that the service knows', () => {
	it('one that is at work is asked for each 5 s with the same id, and its paid answer collected', async () => {
		answering('lost', IN_FLIGHT, IN_FLIGHT, IN_FLIGHT, 'pass');
		const began = Date.now();
		const execution = await runNode(service, RUN);
		expect(errorText(execution)).toBe('');
		expect(kestrel(execution)).toHaveProperty('name', 'Kestrel Couriers');
		expect(idsSent()).toHaveLength(5);
		expect(new Set(idsSent()).size).toBe(1);
		expect(Date.now() - began).toBeGreaterThanOrEqual(15_000);
		expect(sandbox.stats().creditsUsed).toBe(5);
	});

	it.each([
		[undefined, 80_000],
		[10_000, 40_000],
	])('one that stays at work is asked for until the time limit %s and 30 s are over', async (timeout, mostMs) => {
		answering(IN_FLIGHT);
		const began = Date.now();
		const parameters = timeout === undefined ? RUN : { ...RUN, options: { timeout } };
		const failed = await runNode(service, parameters);
		expect(Date.now() - began).toBeGreaterThan(mostMs - 11_000);
		expect(Date.now() - began).toBeLessThanOrEqual(mostMs + 1000);
		const [id] = idsSent();
		expect(errorText(failed)).toContain('still at work on this request: This request is running (request_in_flight)');
		expect(errorText(failed)).toContain(`under the request ID ${id}`);
		expect(errorText(failed)).toContain('a new execution would be charged again');
		// It goes on with the same id.
		answering('pass');
		expect(errorText(await retryNode(service, failed, parameters))).toBe('');
		expect(new Set(idsSent()).size).toBe(1);
	});

	it('Stop ends that wait within a second', async () => {
		answering(IN_FLIGHT);
		const stop = new AbortController();
		setTimeout(() => stop.abort(), 7000);
		const began = Date.now();
		await runNode(service, RUN, { signal: stop.signal });
		expect(Date.now() - began).toBeLessThan(8000);
	});

	it('one without a known end is not sent again, and each Retry sends the same id', async () => {
		answering('lost', UNRESOLVED);
		const failed = await runNode(service, RUN, { node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 } });
		expect(errorText(failed)).toContain('does not know what has become of this request');
		expect(errorText(failed)).toContain('Firecrawl may have done this and charged for it');
		// The lost one, the answer about it, and that of the second try.
		expect(idsSent()).toHaveLength(3);
		const retried = await retryNode(service, failed, RUN);
		expect(errorText(retried)).toContain('request_unresolved');
		await retryNode(service, retried, RUN);
		expect(new Set(idsSent()).size).toBe(1);
		expect(idsSent()).toHaveLength(5);
	});

	it.each([
		['is at work', IN_FLIGHT],
		['has no known end', UNRESOLVED],
	])('after a kill of n8n, one that %s keeps its id in each further Retry', async (_what, answer) => {
		const killed = await killedInNode(service, RUN);
		answering(answer);
		const failed = await retryNode(service, killed, RUN);
		expect(errorText(failed)).toContain('charged for it');
		answering('pass');
		expect(errorText(await retryNode(service, failed, RUN))).toBe('');
		expect(new Set(idsSent()).size).toBe(1);
		expect(sandbox.stats().creditsUsed).toBe(5);
	});
});

describe('Before anything has run', () => {
	it.each([
		[402, 'insufficient_credits', 'needs up to 40 credits reserved', 'does not have enough credits for this data tool'],
		[403, 'AGENT_INDEX_ONLY', 'Confirm first', 'This API key is not confirmed yet'],
		[403, 'paid_plan_required', 'A paid plan is required', 'needs a paid plan'],
		[403, undefined, 'Access to open-registry is disabled for this organization.', 'has turned this provider off'],
		[403, undefined, 'This endpoint is not enabled for this team.', 'This team has no data tools'],
		[403, undefined, 'Provider tools do not support zero data retention.', 'keeps no data'],
		[403, undefined, 'An API key is required for provider tools.', 'need an API key'],
		[403, undefined, 'This key may not use the format json', 'Firecrawl refuses this data tool'],
		[404, 'unknown_provider', 'Unknown provider: open-registry', 'There is no such provider'],
	])('%s %s: %s', async (status, code, said, told) => {
		answering(refused(status, code, said));
		const failed = await runNode(service, RUN);
		expect(errorText(failed)).toContain(told);
		expect(errorText(failed)).toContain(said.replace(/\.$/, ''));
		if (code !== undefined) expect(errorText(failed)).toContain(code);
		expect(errorText(failed)).toContain('nothing was charged');
		expect(idsSent()).toHaveLength(1);
		answering('pass');
		expect(errorText(await retryNode(service, failed, RUN))).toBe('');
		expect(sandbox.stats().creditsUsed).toBe(5);
	});

	it.each([
		[503, 'billing_unavailable', 'Billing is unavailable'],
		[503, undefined, 'Provider request unavailable. Retry with the same x-request-id.'],
		[504, 'deadline_exceeded', 'The provider did not begin in time'],
	])('%s %s: sent again with the same id', async (status, code, said) => {
		answering(refused(status, code, said), refused(status, code, said), 'pass');
		expect(errorText(await runNode(service, RUN))).toBe('');
		expect(idsSent()).toHaveLength(3);
		expect(new Set(idsSent()).size).toBe(1);
		expect(sandbox.stats().creditsUsed).toBe(5);
	});

	it('other calls under the same id are refused, and no more is sent', async () => {
		answering(refused(409, 'duplicate_request', 'This id was used with other calls'));
		expect(errorText(await runNode(service, RUN))).toContain('duplicate_request');
		expect(idsSent()).toHaveLength(1);
	});
});

it('a refusal after a lost answer does not say that nothing was charged', async () => {
	answering('lost', refused(403, undefined, 'This endpoint is not enabled for this team.'));
	const failed = await runNode(service, RUN);
	expect(sandbox.stats().creditsUsed).toBe(5);
	expect(errorText(failed)).toContain('This team has no data tools');
	expect(errorText(failed)).not.toMatch(/nothing was charged/i);
	expect(errorText(failed)).toContain('charged for it');
});
