import { startedJob } from '../sandbox/client';
import { request as httpRequest } from 'node:http';

import type { Execution } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { listen } from '../helpers/script';
import { after, errorText, jsonOf, KEY, NODE, questions, runNode, startParameters, startSandbox } from './run';

// Clocks that differ, lists without a clock, and executions that ask for the same at the same time.

const MINUTES = 60_000;

let sandbox: Sandbox;

async function serve(now = Date.now): Promise<void> {
	sandbox = await startSandbox({ lightWork: true, jobDurationMs: 300, now });
}

const loseAnswers = (times: number, skip = 0) =>
	sandbox.faults.add({ step: 'start', kind: 'reset', when: 'after', times, skip });
const starts = () => sandbox.stats().starts.total;
const idsOf = (execution: Execution) => jsonOf(execution.items(NODE)).map(({ id }) => String(id));

/** A proxy that takes the Date header away, or puts another time there. Returns its address. */
async function withDate(dateOf: () => string | undefined): Promise<string> {
	const { port } = new URL(sandbox.baseUrl);
	const proxy = await listen((incoming, outgoing) => {
		const { method, headers, url: path } = incoming;
		const sent = httpRequest({ port, method, headers, path, host: '127.0.0.1' }, (answer) => {
			const date = dateOf();
			const others = Object.entries(answer.headers).filter(([name]) => name !== 'date');
			outgoing.sendDate = false;
			outgoing.removeHeader('date');
			outgoing.writeHead(answer.statusCode ?? 500, {
				...Object.fromEntries(others),
				...(date && { date }),
			});
			answer.pipe(outgoing);
		});
		sent.on('error', () => incoming.socket.destroy());
		incoming.pipe(sent);
	});
	return proxy.baseUrl;
}

it.each([-10, 10])('finds a lost start when the clock of the service is %i minutes off', async (by) => {
	await serve(() => Date.now() + by * MINUTES);
	loseAnswers(1);
	const execution = await runNode(sandbox, startParameters(), { items: questions(3) });
	expect(errorText(execution)).toBe('');
	expect(execution.items(NODE)).toHaveLength(3);
	expect(starts()).toBe(3);
});

it.each([-10, 10])(
	'takes no wrong job, and starts none twice, when a proxy says a Date that is %i minutes off',
	async (by) => {
		await serve();
		const now = () => Date.now() + by * MINUTES;
		const baseUrl = await withDate(() => new Date(now()).toUTCString());
		const credential = { baseUrl, apiKey: KEY };
		const items = questions(1);
		// Another process has asked for the same five seconds ago, by the clock of the service.
		const id = await startedJob(sandbox, '/v1/deep-research', { query: items[0]?.q });
		await after(5000);
		loseAnswers(1);
		const execution = await runNode(sandbox, startParameters(), { items, credential });
		expect(starts()).toBe(2);
		if (!execution.error) expect(idsOf(execution)).not.toContain(id);
		else expect(errorText(execution)).toContain('may have been started');
	},
);

it('says that a start may have been made when the lists do not tell the time', async () => {
	await serve();
	const credential = { baseUrl: await withDate(() => undefined), apiKey: KEY };
	loseAnswers(1);
	const execution = await runNode(sandbox, startParameters(), { items: questions(1), credential });
	expect(errorText(execution)).toContain('may have been started');
	expect(starts()).toBe(1);
});

it.each(['startAgain', 'fail'])(
	'names a start that began some seconds early by the list’s clock: %s',
	async (choice) => {
		await serve();
		// The machine that answers is 3.5 s ahead of the one that names the job.
		const baseUrl = await withDate(() => new Date(Date.now() + 3500).toUTCString());
		loseAnswers(1);
		const options = choice === 'startAgain' ? { onUnclearStart: choice } : {};
		const execution = await runNode(sandbox, startParameters({ options }), {
			items: questions(1),
			credential: { baseUrl, apiKey: KEY },
		});
		expect(starts()).toBe(1);
		expect(errorText(execution)).toContain(sandbox.stats().starts.list[0]?.id ?? '-');
	},
);
