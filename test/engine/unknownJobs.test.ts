import type { NodeOverride } from '../../tools/n8n-engine/index.ts';
import type { ScriptRequest } from '../helpers/script';
import { crawlStart, errorText, hintsOf, KEY_AFTERWARDS, NODE, retryNode, runNode, urlsOf } from './run';
import { serve, service } from './pageService';

// A job whose ID came from the answer to its start exists, whatever a status request says for a while.

const NOT_FOUND = { status: 404, body: { success: false, error: 'Job not found' } };
const RETRY: NodeOverride = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
const site = (name: string) => `https://site.example/${name}`;
const starts = () => service.count('POST');

/** Status requests of a job are answered 404 from so long after its first one on, for so long. */
function deniedFor(forMs: number, afterMs = 0) {
	const begunMs = new Map<string, number>();
	return ({ method, path, atMs }: ScriptRequest) => {
		if (method !== 'GET' || !path.startsWith('/v2/crawl/')) return undefined;
		const sinceMs = begunMs.get(path) ?? atMs;
		begunMs.set(path, sinceMs);
		const isDenied = atMs >= sinceMs + afterMs && atMs < sinceMs + afterMs + forMs;
		return isDenied ? NOT_FOUND : undefined;
	};
}

it('waits for a job that the service answers 404 for some seconds after its start, and starts no other one', async () => {
	await serve({
		instead: deniedFor(6000, 1500),
		job: () => ({ looksLeft: 2 }),
	});
	const execution = await runNode(service, crawlStart(), { node: RETRY });
	expect(errorText(execution)).toBe('');
	expect(urlsOf(execution.items(NODE))).toEqual(['https://site.example/']);
	expect(starts()).toBe(1);
});

it('waits on for a job of a typed ID that was seen, although the service answers 404 for some seconds', async () => {
	await serve({ instead: deniedFor(6000, 1500), job: () => ({ looksLeft: 2 }) });
	await runNode(service, crawlStart({ waitForCompletion: false }));
	const [jobId = ''] = [...service.jobs.keys()];
	const get = { resource: 'crawl', operation: 'get', jobId, waitForCompletion: true };
	// Another process of n8n has started it.
	const credential = { baseUrl: service.baseUrl, apiKey: KEY_AFTERWARDS };
	const execution = await runNode(service, get, { credential });
	expect(errorText(execution)).toBe('');
	expect(urlsOf(execution.items(NODE))).toEqual(['https://site.example/']);
});

it('does not pay again in a Retry for jobs that the service answers 404 for some seconds', async () => {
	await serve();
	let isRefused = true;
	service.instead = ({ method, path }) =>
		method === 'GET' && path.startsWith('/v2/crawl/') && isRefused
			? { status: 403, body: { error: 'Forbidden' } }
			: undefined;
	const parameters = crawlStart({ url: '={{ $json.url }}' });
	const names = ['a', 'b', 'c', 'd', 'e'];
	const failed = await runNode(service, parameters, {
		items: names.map((name) => ({ url: site(name) })),
	});
	expect(failed.error).toBeDefined();
	const before = starts();
	isRefused = false;
	service.instead = deniedFor(5000);
	const retried = await retryNode(service, failed, parameters);
	expect(errorText(retried)).toBe('');
	expect(urlsOf(retried.items(NODE))).toEqual(names.map(site));
	expect(before).toBe(5);
	expect(starts()).toBe(5);
});

it('starts a job again that is gone, once it is answered 404 for a minute of a try, and names it', async () => {
	await serve();
	service.instead = ({ method, path }) =>
		method === 'GET' && path.startsWith('/v2/crawl/job-0') ? NOT_FOUND : undefined;
	const execution = await runNode(service, crawlStart(), { node: RETRY });
	expect(errorText(execution)).toBe('');
	expect(urlsOf(execution.items(NODE))).toEqual(['https://site.example/']);
	expect(starts()).toBe(2);
	expect(hintsOf(execution).join(' ')).toContain('job-0');
});

it('asks for a minute, however short Max Wait is, and starts no other job for one that is there again', async () => {
	await serve({ instead: deniedFor(50_000) });
	const parameters = crawlStart({ options: { waitOptions: { maxWait: 3 } } });
	const execution = await runNode(service, parameters, { node: { ...RETRY, maxTries: 2 } });
	expect(errorText(execution)).toBe('');
	expect(starts()).toBe(1);
});
