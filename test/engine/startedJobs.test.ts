/** Where a person finds the jobs of an execution, however it waits and whatever becomes of it. */
import { n8nLog } from '../../engine/index.ts';
import { startPageService } from './pageService';
import type { PageService, PageServiceParts } from './pageService';
import { after, crawlStart, runNode } from './run';

let service: PageService;
const logged: string[] = [];

beforeEach(() => {
	vi.spyOn(n8nLog(), 'info').mockImplementation((text) => void logged.push(text));
});
afterEach(async () => {
	logged.length = 0;
});

const endless: PageServiceParts = { job: () => ({ looksLeft: 1000 }) };
const itemsOf = (count: number) =>
	Array.from({ length: count }, (_unused, index) => ({ url: `https://x.example/${index}` }));

/** Runs one crawl for each item until `isTime`, then stops the execution. */
async function stopWhen(
	isTime: () => boolean,
	{ parts = endless, count = 2, more = {} }: { parts?: PageServiceParts; count?: number; more?: object },
) {
	service = await startPageService(parts);
	const stop = new AbortController();
	const parameters = crawlStart({ url: '={{ $json.url }}', ...more });
	const running = runNode(service, parameters, { items: itemsOf(count), signal: stop.signal });
	while (!isTime()) await after(20);
	stop.abort();
	const execution = await running;
	await after(100);
	return execution;
}

const startedIds = () => [...service.jobs.keys()];

describe('the custom data of an execution that holds', () => {
	it('have its jobs as soon as they are started, the newest first', async () => {
		const { run } = await stopWhen(() => service.count('GET') > 1, {});
		expect(run.data.resultData.metadata).toEqual({
			webData_Web_Data: `Crawl · Get: ${startedIds().reverse().join(', ')}`,
		});
	});

	it('have the job of a start that was answered just before Stop', async () => {
		const { run } = await stopWhen(() => service.jobs.size > 0, { count: 1 });
		expect(run.data.resultData.metadata).toEqual({ webData_Web_Data: 'Crawl · Get: job-0' });
	});
});

describe("n8n's log of a stop", () => {
	it('is one sentence for each thing that became of the jobs, with their ids', async () => {
		const parts: PageServiceParts = {
			job: ({ url }) => ({ looksLeft: url === 'https://x.example/0' ? 0 : 1000 }),
		};
		const { executionId } = await stopWhen(() => service.count('GET') > 4, { parts, count: 2 });
		expect(logged.at(-1)).toBe(
			`Execution ${executionId}, node "Web Data": stopped. Cancelled at the service: job-1. Had ended before (Crawl · Get collects them): job-0.`,
		);
	});
});
