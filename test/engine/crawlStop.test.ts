import { after, batchStart, crawlStart, errorText, runNode } from './run';
import type { INodeParameters } from 'n8n-workflow';

import { startPageService } from './pageService';
import type { PageService, PageServiceParts } from './pageService';

let service: PageService;

const endless = { job: () => ({ looksLeft: 1000 }) };
const runsOn = { options: { waitOptions: { cancelOnStop: false } } };

/** Runs until `isTime`, stops the execution, and gives it time to clean up. */
async function stopWhen(parts: PageServiceParts, parameters: INodeParameters, isTime: () => boolean, count = 1) {
	service = await startPageService(parts);
	const stop = new AbortController();
	const running = runNode(service, parameters, {
		items: Array.from({ length: count }, (_unused, index) => ({
			url: `https://x.example/${index}`,
		})),
		signal: stop.signal,
	});
	while (!isTime()) await after(20);
	stop.abort();
	const execution = await running;
	await after(300);
	return execution;
}

it('switched off: the job runs on, and the error names it', async () => {
	const execution = await stopWhen(endless, crawlStart(runsOn), () => service.count('GET') > 0);
	expect(service.count('DELETE')).toBe(0);
	expect(errorText(execution)).toContain('Still running at the service: job-0');
});

it('cancels no job that nobody waits for: it is to outlive the execution', async () => {
	const isSecond = (url: unknown) => url === 'https://x.example/1';
	await stopWhen(
		{
			...endless,
			instead: ({ method, body }) =>
				method === 'POST' && isSecond(body.url) ? { body: { success: true, id: 'late' }, delayMs: 5000 } : undefined,
		},
		crawlStart({ url: '={{ $json.url }}', waitForCompletion: false }),
		() => service.count('POST') > 1,
		2,
	);
	expect(service.count('DELETE')).toBe(0);
});

it('cancels every job that the execution started, unless told otherwise', async () => {
	const execution = await stopWhen(endless, crawlStart({ url: '={{ $json.url }}' }), () => service.count('GET') > 2, 3);
	expect([...service.jobs.values()].map(({ state }) => state)).toEqual(Array(3).fill('cancelled'));
	expect(execution.run.status).toBe('canceled');
	expect(errorText(execution)).toContain('Cancelled at the service: job-0, job-1, job-2.');
});

it('cancels no batch scrape that it only added URLs to', async () => {
	const parameters = batchStart({ options: { appendToId: 'job-0' } });
	const execution = await stopWhen(endless, parameters, () => service.count('GET') > 0, 2);
	expect(service.count('DELETE')).toBe(0);
	expect(errorText(execution)).toContain('Still running at the service: job-0');
});

it('cancels a job that was being checked when Stop came', async () => {
	const execution = await stopWhen(
		{
			...endless,
			instead: ({ method }) => (method === 'GET' ? { body: { status: 'scraping' }, delayMs: 1500 } : undefined),
		},
		crawlStart(),
		() => service.count('GET') > 0,
	);
	expect(service.count('DELETE')).toBe(1);
	expect(errorText(execution)).toContain('Cancelled at the service: job-0.');
});

it('cancels a job whose start was under way when Stop came', async () => {
	const execution = await stopWhen(
		{
			...endless,
			instead: ({ method }) => {
				if (method !== 'POST') return undefined;
				const id = 'late';
				const rest = { body: {}, pages: [], errors: [], state: 'scraping', looksLeft: 9 };
				service.jobs.set(id, { id, ...rest });
				return { body: { success: true, id }, delayMs: 1200 };
			},
		},
		batchStart(),
		() => service.count('POST') > 0,
	);
	expect(service.jobs.get('late')?.state).toBe('cancelled');
	expect(errorText(execution)).toContain('Cancelled at the service: late.');
});

it('tries again when the service refuses the cancel, and gives up within seconds', async () => {
	const begin = Date.now();
	const execution = await stopWhen(
		{
			...endless,
			instead: ({ method }) => (method === 'DELETE' ? { status: 500, body: { error: 'Oops' } } : undefined),
		},
		crawlStart(),
		() => service.count('GET') > 0,
	);
	expect(service.count('DELETE')).toBe(3);
	expect(errorText(execution)).toContain('Still running at the service: job-0');
	expect(Date.now() - begin).toBeLessThan(8000);
});

it('asks again for a job that the service does not know yet', async () => {
	const unknown = { status: 404, body: { success: false, error: 'Job not found' } };
	const execution = await stopWhen(
		{
			...endless,
			instead: ({ method }) => (method === 'DELETE' && service.count('DELETE') <= 4 ? unknown : undefined),
		},
		crawlStart(),
		() => service.count('GET') > 0,
	);
	expect(service.count('DELETE')).toBe(5);
	expect(errorText(execution)).toContain('Cancelled at the service: job-0');
});

it('leaves a job alone that was started elsewhere', async () => {
	const get = { resource: 'crawl', operation: 'get', jobId: 'job-9', waitForCompletion: true };
	const begun = stopWhen(endless, get, () => service.count('GET') > 0);
	while (!(service as PageService | undefined)) await after(5);
	const rest = { body: {}, pages: [], errors: [], state: 'scraping', looksLeft: 999 };
	service.jobs.set('job-9', { id: 'job-9', ...rest });
	await begun;
	expect(service.count('DELETE')).toBe(0);
});
