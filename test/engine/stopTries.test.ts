import type { INodeParameters } from 'n8n-workflow';

import { n8nLog } from '../../engine/index.ts';
import { startPageService } from './pageService';
import type { PageService } from './pageService';
import { after, crawlStart, runNode } from './run';

let service: PageService;
let logged: string[] = [];

beforeEach(() => {
	logged = [];
	vi.spyOn(n8nLog(), 'info').mockImplementation((text) => void logged.push(text));
});

/** Waits until this is so, for 8 seconds. */
async function until(isTime: () => boolean): Promise<void> {
	for (let left = 400; left > 0 && !isTime(); left--) await after(20);
}

const stopLines = () => logged.filter((line) => line.includes('": stopped.'));

/** Crawls that never end; the first status check is refused, so that the first try fails. */
async function serveFailingOnce(): Promise<void> {
	let isRefused = false;
	service = await startPageService({
		job: () => ({ looksLeft: 1000 }),
		instead: ({ method, path }) => {
			if (isRefused || method !== 'GET' || !path.startsWith('/v2/crawl/job-0')) return undefined;
			isRefused = true;
			return { status: 403, body: { error: 'Forbidden' } };
		},
	});
}

interface Stopped {
	count: number;
	waitBetweenTries: number;
	options?: INodeParameters;
	isTime: () => boolean | Promise<boolean>;
}

/** Runs crawls with Retry On Fail and stops the execution. */
async function stopRetried({ count, waitBetweenTries, options = {}, isTime }: Stopped) {
	const stop = new AbortController();
	const items = Array.from({ length: count }, (_unused, index) => ({
		url: `https://a.example/${index}`,
	}));
	const running = runNode(service, crawlStart({ url: '={{ $json.url }}', options }), {
		items,
		node: { retryOnFail: true, maxTries: 5, waitBetweenTries },
		signal: stop.signal,
	});
	for (let left = 500; left > 0 && !(await isTime()); left--) await after(20);
	stop.abort();
	await running;
}

/** True when the first try is over: none of its jobs is asked for any more. */
async function isBetweenTries(): Promise<boolean> {
	const before = service.requests.length;
	if (service.count('GET') === 0) return false;
	await after(700);
	return service.requests.length === before;
}

describe('Stop between two tries of Retry On Fail', () => {
	it('cancels the jobs that the try before has started, and names them once', async () => {
		await serveFailingOnce();
		await stopRetried({ count: 3, waitBetweenTries: 4000, isTime: isBetweenTries });
		await until(() => service.count('DELETE') >= 3);
		await after(300);
		expect(service.count('POST')).toBe(3);
		expect([...service.jobs.values()].map(({ state }) => state)).toEqual(Array(3).fill('cancelled'));
		expect(stopLines()).toEqual([expect.stringMatching(/stopped\. Cancelled at the service: job-0, job-1, job-2\.$/)]);
	}, 60_000);
});

describe('Stop with Retry On Fail, whose tries n8n goes on with', () => {
	/** n8n begins the tries that are left at once; nothing tells from outside that they are over. */
	const tries = async () => await after(1500);

	it('says once what was cancelled', async () => {
		await serveFailingOnce();
		const isTime = () => service.count('GET') > 5;
		await stopRetried({ count: 2, waitBetweenTries: 0, isTime });
		await tries();
		expect(stopLines()).toEqual([expect.stringMatching(/stopped\. Cancelled at the service: job-0, job-1\.$/)]);
		expect(service.count('POST')).toBe(2);
	});

	it('says once what runs on, where nothing is cancelled', async () => {
		await serveFailingOnce();
		const options = { waitOptions: { cancelOnStop: false } };
		const isTime = () => service.count('GET') > 5;
		await stopRetried({ count: 2, waitBetweenTries: 0, options, isTime });
		await tries();
		expect(stopLines()).toEqual([expect.stringMatching(/stopped\. Still running at the service: job-0, job-1\.$/)]);
	});
});
