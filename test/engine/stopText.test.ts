import { startPageService } from './pageService';
import type { PageService, PageServiceParts } from './pageService';
import { after, crawlStart, errorText, runNode } from './run';

let service: PageService;

// What runs on is told only where Stop does not cancel it.
const options = { waitOptions: { cancelOnStop: false } };
const parameters = crawlStart({ url: '={{ $json.url }}', options });
const items = Array.from({ length: 4 }, (_unused, index) => ({
	url: `https://x.example/${index}`,
}));

/** Runs four crawls until `isTime`, then stops the execution. */
async function stopWhen(parts: PageServiceParts, isTime: () => boolean) {
	service = await startPageService(parts);
	const stop = new AbortController();
	const running = runNode(service, parameters, { items, signal: stop.signal });
	while (!isTime()) await after(20);
	stop.abort();
	const execution = await running;
	await after(600);
	return execution;
}

describe('Stop tells apart', () => {
	it('what has ended, what runs on, and what was being started', async () => {
		const execution = await stopWhen(
			{
				job: ({ url }) => ({ looksLeft: url === 'https://x.example/0' ? 0 : 1000 }),
				instead: ({ method, body }) =>
					method === 'POST' && body.url === 'https://x.example/3'
						? { body: { success: true, id: 'late' }, delayMs: 5000 }
						: undefined,
			},
			() => service.count('GET') > 4,
		);
		const message = errorText(execution);
		expect(message).toContain('The execution was canceled');
		expect(message).toContain('Had ended before (Crawl · Get collects them): job-0.');
		expect(message).toContain('Still running at the service: job-1, job-2.');
		expect(message).toContain(
			'The start was under way for item 3: its crawl may have been started, and may be paid for.',
		);
	});
});

it('starts that are under way when the execution is stopped are named, and stored as unclear', async () => {
	const execution = await stopWhen(
		{
			instead: ({ method }) => (method === 'POST' ? { body: { success: true, id: 'late' }, delayMs: 2000 } : undefined),
		},
		() => service.count('POST') === items.length,
	);
	expect(errorText(execution)).toContain(
		'The start was under way for items 0, 1, 2, 3: their crawls may have been started',
	);
	for (const item of items.keys()) expect(execution.stored).toContain(`"crawl:0:${item}"`);
});
