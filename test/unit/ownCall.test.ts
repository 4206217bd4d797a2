import type { IExecuteFunctions } from 'n8n-workflow';

import { callSoon, callUntilStored } from '../../nodes/WebData/run/parking/ownCall';

const early = { status: 409, message: 'The execution "7" is running already.' };
const heard = { status: 200, message: 'Received.' };

/** Makes the calls against these answers; an Error stands for nobody. */
async function callsAgainst(...answers: Array<typeof heard | Error>) {
	const pauses: number[] = [];
	let calls = 0;
	let silences = 0;
	await callUntilStored({
		sleep: async (ms) => void pauses.push(ms),
		async call() {
			const answer = answers[Math.min(calls, answers.length - 1)] ?? heard;
			calls += 1;
			if (answer instanceof Error) throw answer;
			return answer;
		},
		onSilence: () => (silences += 1),
	});
	return { pauses, calls, silences };
}

describe('the call that the node makes itself when it has parked', () => {
	it('is made once, two seconds later, where n8n has stored the execution by then', async () => {
		expect(await callsAgainst(heard)).toEqual({ pauses: [2000], calls: 1, silences: 0 });
	});

	it('is made again while n8n has not, ever later, for two minutes', async () => {
		const late = await callsAgainst(early, early, heard);
		expect(late).toEqual({ pauses: [2000, 4000, 8000], calls: 3, silences: 0 });
		const never = await callsAgainst(early);
		const pauses = [2000, 4000, 8000, 16_000, 30_000, 60_000];
		expect(never).toEqual({ pauses, calls: 6, silences: 0 });
	});

	it('knows which one is the last', async () => {
		const lasts: boolean[] = [];
		await callUntilStored({
			sleep: async () => await Promise.resolve(),
			async call(isLast) {
				lasts.push(isLast);
				return await Promise.resolve(early);
			},
			onSilence: () => undefined,
		});
		expect(lasts).toEqual([false, false, false, false, false, true]);
	});

	it('is made again when the jobs could not be looked at', async () => {
		const busy = { status: 503, message: 'The jobs could not be looked at.' };
		expect(await callsAgainst(busy, { ...busy, status: 500 }, heard)).toMatchObject({ calls: 3 });
		expect(await callsAgainst({ ...busy, status: 429 }, heard)).toMatchObject({ calls: 2 });
		const ended = { status: 500, message: 'Something has finished badly.' };
		expect(await callsAgainst(ended, heard)).toMatchObject({ calls: 2 });
	});

	it.each([409, 429, 500, 503])(
		'tells nothing of an n8n that answers, with %i as often as it may',
		async (status) => {
			const busy = { status, message: 'Not now.' };
			expect(await callsAgainst(busy)).toMatchObject({ calls: 6, silences: 0 });
		},
	);

	it('is made again when the connection breaks once, and nothing is told of it', async () => {
		const broken = new Error('socket hang up');
		const calls = await callsAgainst(early, broken, early, broken, heard);
		expect(calls).toMatchObject({ calls: 5, silences: 0 });
	});

	it.each([
		[409, 'The execution "7 has finished already.'],
		[409, 'The execution "7" has finished with error.'],
		[409, 'This execution does not wait for a job.'],
		[200, 'All jobs have ended.'],
	])(
		'is not made again for an execution that does not wait for it: %i %s',
		async (status, message) => {
			expect(await callsAgainst({ status, message })).toMatchObject({ calls: 1, silences: 0 });
		},
	);

	it.each([
		[404, 'The execution "7" does not exist.'],
		[404, 'no Route matched with those values'],
		[403, 'Forbidden'],
		[301, ''],
		[200, 'Hello'],
	])(
		'tells when another n8n, or what stands before it, answers: %i %s',
		async (status, message) => {
			expect(await callsAgainst({ status, message })).toMatchObject({ calls: 6, silences: 1 });
		},
	);

	it('tells when nobody answers twice in a row, once, and is made all the same', async () => {
		const nobody = new Error('connect ECONNREFUSED');
		expect(await callsAgainst(nobody)).toMatchObject({ calls: 6, silences: 1 });
		expect(await callsAgainst(nobody, nobody, heard)).toMatchObject({ calls: 3, silences: 1 });
		const back = await callsAgainst(early, nobody, nobody, nobody, heard);
		expect(back).toMatchObject({ calls: 5, silences: 1 });
		const again = await callsAgainst(nobody, nobody, early, nobody, nobody);
		expect(again).toMatchObject({ calls: 6, silences: 1 });
	});
});

describe('as n8n sends it', () => {
	const bell = {
		url: 'http://localhost:5678/webhook-waiting/7/job-ended?signature=hush',
		headers: { 'x-secret': 'hush-hush' },
	};
	beforeEach(() => {
		jest.useFakeTimers();
		// Jest's clock moves setTimeout alone.
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
			const ending = new AbortController();
			setTimeout(() => ending.abort(), ms);
			return ending.signal;
		});
	});
	afterEach(() => {
		jest.useRealTimers();
		jest.restoreAllMocks();
	});

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
		return { ctx: ctx as unknown as IExecuteFunctions, sent, warnings };
	}

	it('goes where the service is to call, with the same secret, follows nobody elsewhere, and keeps nobody waiting', async () => {
		const answers = [
			{ statusCode: 409, body: { message: 'is running already.' } },
			{ statusCode: 409, body: { code: 409, message: 'has finished already.' } },
		];
		const { ctx, sent, warnings } = n8n(() => answers.shift());
		callSoon(ctx, bell);
		await jest.advanceTimersByTimeAsync(1999);
		expect(sent).toEqual([]);
		await jest.advanceTimersByTimeAsync(60_000);
		const call = {
			method: 'POST',
			...bell,
			headers: { ...bell.headers, 'x-web-data-patient': 'yes' },
			body: {},
			json: true,
			timeout: 60_000,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		};
		expect(sent).toEqual([call, call]);
		expect(warnings).toEqual([]);
	});

	const nobody = () => {
		throw new Error('connect ECONNREFUSED');
	};
	it.each([
		['nobody answers', nobody],
		['a worker answers', () => ({ statusCode: 404, body: '<pre>Cannot POST /webhook-waiting' })],
		['a page of a proxy answers', () => ({ statusCode: 502, body: '<html>Bad Gateway</html>' })],
		['a login page answers', () => ({ statusCode: 200, body: { title: 'Log in' } })],
		['nothing is answered', () => undefined],
	])('warns once where %s, without secrets', async (_who, answer) => {
		const { ctx, sent, warnings } = n8n(answer);
		callSoon(ctx, bell);
		await jest.advanceTimersByTimeAsync(5999);
		expect(warnings).toEqual([]);
		await jest.advanceTimersByTimeAsync(120_000);
		expect(sent).toHaveLength(6);
		expect(warnings).toEqual([
			'Execution 7, node "Crawl": n8n\'s main process does not answer at http://localhost:5678, where the service is to call it. If the service does not reach it there either, the execution waits until Max Wait: set WEBHOOK_URL, for workers too, to the main process\'s address.',
		]);
	});
});
