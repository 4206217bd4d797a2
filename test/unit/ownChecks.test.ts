import { processClock, unnoticedClock } from '../../nodes/WebData/run/connection/processClock';
import {
	checkAgain,
	checkNoMore,
	checkSuspended,
} from '../../nodes/WebData/run/suspension/checks/ownChecks';

const URL_OF_7 = 'http://localhost:5678/webhook-waiting/7/job-ended?signature=hush';

/** Sleeps of the checks that have not ended: other timers of the process are not theirs. */
let sleeps = 0;

beforeEach(() => {
	sleeps = 0;
	vi.useFakeTimers();
	vi.spyOn(Math, 'random').mockReturnValue(0.5);
	// Jest's clock moves setTimeout alone. The class AbortSignal is shared with what other files left running.
	vi.spyOn(unnoticedClock, 'sleep').mockImplementation(async (ms) => {
		sleeps += 1;
		await processClock.sleep(ms);
		sleeps -= 1;
	});
});
afterEach(() => {
	checkNoMore('hush-hush');
	vi.useRealTimers();
	vi.restoreAllMocks();
});

/** What a context of n8n has that the checks use; requests are answered so. */
function n8n(answer: () => unknown) {
	const sent: unknown[] = [];
	const warnings: string[] = [];
	const ctx = {
		getExecutionId: () => '7',
		getNode: () => ({ name: 'Crawl' }),
		logger: { warn: (text: string) => warnings.push(text) },
		helpers: {
			async httpRequest(options: unknown) {
				sent.push(options);
				return await Promise.resolve(answer());
			},
		},
	};
	return { ctx: ctx as unknown as Parameters<typeof checkSuspended>[0], sent, warnings };
}

const call = () => ({ url: URL_OF_7, suspendedMs: Date.now(), untilMs: Date.now() + 3_600_000 });
const finished = { statusCode: 409, body: { message: 'The execution "7 has finished already.' } };

it('calls where the service is to call, with the same secret, follows nobody elsewhere, and ends', async () => {
	const answers = [{ statusCode: 409, body: { message: 'is running already.' } }, finished];
	const { ctx, sent, warnings } = n8n(() => answers.shift());
	checkSuspended(ctx, call(), 'hush-hush');
	await vi.advanceTimersByTimeAsync(1999);
	expect(sent).toEqual([]);
	await vi.advanceTimersByTimeAsync(600_000);
	const request = {
		method: 'POST',
		url: URL_OF_7,
		headers: { 'x-web-data-secret': 'hush-hush', 'x-web-data-patient': 'yes' },
		body: {},
		json: true,
		timeout: 60_000,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
	expect(sent).toEqual([request, request]);
	expect(warnings).toEqual([]);
	expect(sleeps).toBe(0);
});

it('warns once where nobody answers, without secrets', async () => {
	const { ctx, sent, warnings } = n8n(() => {
		throw new Error('connect ECONNREFUSED hush');
	});
	checkSuspended(ctx, call(), 'hush-hush');
	// A second past the end: the two clocks are rounded differently.
	await vi.advanceTimersByTimeAsync(3_601_000);
	expect(sent.length).toBeGreaterThan(10);
	expect(warnings).toEqual([
		'Execution 7, node "Crawl": n8n\'s main process does not answer at http://localhost:5678, where the service is to call it. If the service does not reach it there either, the execution waits until Max Wait: set WEBHOOK_URL, for workers too, to the main process\'s address.',
	]);
	expect(sleeps).toBe(0);
});

it('checks an execution that another process has suspended once the service has called it', async () => {
	const { ctx, sent } = n8n(() => finished);
	checkAgain(ctx, call(), 'hush-hush');
	await vi.advanceTimersByTimeAsync(2000);
	expect(sent).toHaveLength(1);
	expect(sleeps).toBe(0);
});

it('keeps what n8n gave for the latest execution, not the data of each', async () => {
	const [first, latest] = [n8n(() => finished), n8n(() => finished)];
	checkSuspended(first.ctx, call(), 'hush-hush');
	checkSuspended(latest.ctx, call(), 'hush-too');
	await vi.advanceTimersByTimeAsync(5000);
	expect([first.sent.length, latest.sent.length]).toEqual([0, 2]);
});
