import type { INodeParameters } from 'n8n-workflow';

import type { Execution } from '../../engine/index.ts';
import { batchStart, crawlStart, hintsOf, jsonOf, NODE, retryNode, runNode, sourceItems, urlsOf } from './run';
import type { RunSettings } from './run';
import { serve, service } from './pageService';
import type { PageServiceParts } from './pageService';

/** While true, no job can be checked. */
let isRefusing: boolean;

const site = (name: string) => `https://site.example/${name}`;
const items = (...names: string[]) => names.map((name) => ({ url: site(name) }));
const MOVING = '={{ $json.url }}-{{ Math.random() }}';

/** An execution that starts its jobs and fails when it checks them. */
async function failing(
	parameters: INodeParameters,
	run: RunSettings,
	parts: PageServiceParts = {},
): Promise<Execution> {
	isRefusing = true;
	await serve({
		...parts,
		instead: ({ method }) =>
			method === 'GET' && isRefusing ? { status: 403, body: { error: 'Forbidden' } } : undefined,
	});
	const failed = await runNode(service, parameters, run);
	expect(failed.error).toBeDefined();
	return failed;
}

const asked = () => [...service.jobs.values()].map(({ body }) => body.url ?? body.urls);

describe('Retry of a failed execution in which nothing was edited', () => {
	it('takes up the job of each item, although an expression differs each time', async () => {
		const parameters = crawlStart({ url: MOVING });
		const failed = await failing(parameters, { items: items('a', 'b') });
		const again = await retryNode(service, failed, parameters);
		expect(again.error).toBeDefined();
		isRefusing = false;
		const retried = await retryNode(service, again, parameters);
		expect(service.count('POST')).toBe(2);
		expect(urlsOf(retried.items(NODE))).toEqual(asked());
		expect(sourceItems(retried.items(NODE))).toEqual([0, 1]);
		expect(hintsOf(retried).join(' ')).toContain('Reused 2 jobs from an earlier try');
		expect(hintsOf(retried).join(' ')).not.toContain('something else');
		expect(retried.context(NODE)).toMatchObject({ webDataJobs: {} });
	});

	it('takes up the batch with the same items, although the URLs differ each time', async () => {
		const parameters = batchStart({ url: MOVING });
		const failed = await failing(parameters, { items: items('a', 'b', 'c') });
		isRefusing = false;
		const retried = await retryNode(service, failed, parameters);
		expect(retried.error).toBeUndefined();
		expect(service.count('POST')).toBe(1);
		expect(urlsOf(retried.items(NODE))).toEqual(asked()[0]);
		expect(sourceItems(retried.items(NODE))).toEqual([0, 1, 2]);
	});

	it('starts a job again after a parameter was edited, and keeps it from then on', async () => {
		const parameters = crawlStart({ url: MOVING });
		const failed = await failing(parameters, { items: items('a') });
		const edited = crawlStart({ url: `${MOVING}-edited` });
		const other = await retryNode(service, failed, edited, { node: { parameters: edited } });
		expect(other.error).toBeDefined();
		isRefusing = false;
		const retried = await retryNode(service, other, edited);
		expect(urlsOf(retried.items(NODE))).toEqual([asked()[1]]);
		expect(service.count('POST')).toBe(2);
		expect(hintsOf(retried).join(' ')).toMatch(/did not use 1 job .*job-0/);
	});

	it('puts out what was started without waiting, as it was asked for first', async () => {
		let refusals = 1;
		await serve({
			instead: ({ method, body }) =>
				method === 'POST' && String(body.url).includes('/b-') && refusals-- > 0
					? { status: 403, body: { error: 'Forbidden' } }
					: undefined,
		});
		const parameters = crawlStart({ url: MOVING, waitForCompletion: false });
		const failed = await runNode(service, parameters, { items: items('a', 'b') });
		expect(failed.error).toBeDefined();
		const retried = await retryNode(service, failed, parameters);
		const out = jsonOf(retried.items(NODE));
		expect(out.map(({ url }) => url)).toEqual(asked());
		expect(service.jobs.size).toBe(2);
	});
});
