import { n8nLog } from '../../engine/index.ts';
import { until } from '../sandbox/client';
import { resumeCallOf, suspendingCrawl, openWaitingSetup, notify } from './suspension';
import type { WaitingSetup } from './suspension';
import { errorText } from './research';

let setup: WaitingSetup;
const logged: string[] = [];

beforeEach(() => {
	vi.spyOn(n8nLog(), 'info').mockImplementation((text) => void logged.push(text));
});
afterEach(async () => {
	vi.restoreAllMocks();
	logged.length = 0;
	await setup.stop();
});

const startedIds = () => setup.sandbox.stats().starts.list.map(({ id }) => id);
const told = (executionId: string) =>
	logged.find((line) => line.startsWith(`Execution ${executionId}, node "Web Data": stopped.`));

describe('Stop in an execution that was woken', () => {
	it('while it reads the pages: says that the job had ended', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 500 });
		const stop = new AbortController();
		const { executionId } = await setup.run(suspendingCrawl(setup.sandbox), {
			signal: stop.signal,
		});
		setup.sandbox.faults.add({ kind: 'slow', step: 'crawlStatus', skip: 1, ms: 5000 });
		await until('the call that wakes it', () => setup.host.calls.some(({ woke }) => woke));
		stop.abort();
		const ended = await setup.host.ended(executionId);
		const [jobId] = startedIds();
		expect(ended.run.status).toBe('canceled');
		expect(told(executionId)).toContain(`Had ended before (Crawl · Get collects them): ${jobId}.`);
		expect(told(executionId)).not.toContain('Cancelled');
	});

	it('while a job runs on that could not be read: cancels it', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 60_000 });
		const stop = new AbortController();
		const suspended = await setup.run(suspendingCrawl(setup.sandbox), { signal: stop.signal });
		const { executionId } = suspended;
		const fault = { kind: 'status', httpStatus: 403, error: 'Forbidden' } as const;
		const mend = setup.sandbox.faults.add({ ...fault, step: 'crawlStatus', times: 1 });
		const { url, secret } = resumeCallOf(suspended, setup);
		await notify(url, secret);
		mend();
		await until('the call that wakes it', () => setup.host.calls.some(({ woke }) => woke));
		await until('a check', () => setup.sandbox.stats().polls.total > 1);
		stop.abort();
		const ended = await setup.host.ended(executionId);
		expect(errorText(ended)).toContain(`Cancelled at the service: ${startedIds()[0]}.`);
		expect(told(executionId)).toContain(`Cancelled at the service: ${startedIds()[0]}.`);
		expect(setup.sandbox.stats().jobsRunning).toBe(0);
	});
});
