/** Both triggers in a whole n8n: the monitor and the calls of one, the polls of the other, and what they start. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Execution, StoredWorkflow } from '../../tools/n8n/client.ts';
import { field } from '../sandbox/client.ts';
import { type Listener, startListener } from '../sandbox/listener.ts';
import { failure, nodeOutput, waitForExecution, waitForExecutions } from './harness/executions.ts';
import { everyLine } from './harness/lines.ts';
import { example } from './harness/product.ts';
import { activatePolling, CHANGING, NEXT, settled, soon, TRIGGER, TriggerBench, watching } from './harness/triggers.ts';

const EVENTS = { event: 'jobEvent', jobOutput: 'event' };

/** n8n polls at most once a minute, of each time that is set: these are every other second of it. */
const EVERY_OTHER_SECOND = Array.from({ length: 30 }, (_, place) => ({
	mode: 'custom',
	cronExpression: `${place * 2} * * * * *`,
}));

for (const version of everyLine()) {
	describe(`triggers on n8n ${version}`, { timeout: 1_200_000 }, () => {
		let bench: TriggerBench;

		before(async () => {
			bench = await TriggerBench.start(version);
		});
		after(async () => await bench.product.dispose());

		describe('Web Data Trigger while it is active', () => {
			afterEach(async () => await bench.deactivateAll());

			test('activated and deactivated ten times it leaves no monitor behind', async () => {
				const saved = await bench.save('Ten times', 'e2e-ten', watching());
				for (let time = 0; time < 10; time += 1) {
					await bench.activate(saved, 'e2e-ten');
					await bench.onlyMonitor();
					await bench.product.n8n.client.deactivate(saved);
					await bench.monitors(0);
				}
			});

			test('a changed page starts the workflow; the first check only sets the mark', async () => {
				const { client } = bench.product.n8n;
				const saved = await bench.save('Changed', 'e2e-changed', watching());
				await bench.activate(saved, 'e2e-changed');
				const { id } = Object(await bench.onlyMonitor()) as { id: unknown };
				await bench.check(id);
				await bench.check(id);
				const [execution] = await waitForExecutions(client, saved.id);
				const ended = await client.execution(execution?.id ?? '');
				assert.equal(failure(ended), undefined);
				const [item] = nodeOutput(ended, NEXT);
				assert.equal(item?.json.url, CHANGING);
				assert.equal(item?.json.status, 'changed');
			});

			test('a call with a wrong signature or none gets 401 and starts nothing', async () => {
				const { n8n, sandbox } = bench.product;
				const saved = await bench.save('Signed', 'e2e-signed', EVENTS);
				await bench.activate(saved, 'e2e-signed');
				const url = bench.hookUrl('e2e-signed');
				const body = { type: 'crawl.completed', id: 'x' };
				for (const sign of ['none', 'wrong'] as const) {
					assert.equal(await sandbox.webhooks.forge({ url, body, sign }), 401);
				}
				assert.equal(await sandbox.webhooks.forge({ url, body: '[]', sign: 'right' }), 400);
				await settled();
				assert.deepEqual(await n8n.client.executions(saved.id), []);
				assert.equal(await sandbox.webhooks.forge({ url, body, sign: 'right' }), 200);
				await waitForExecutions(n8n.client, saved.id);
			});

			test('a finished crawl of another workflow comes with all its pages', async () => {
				const { client } = bench.product.n8n;
				const saved = await bench.save('Result', 'e2e-result', { event: 'jobEvent' });
				await bench.activate(saved, 'e2e-result');
				const start = {
					url: bench.product.sandbox.siteUrl,
					limit: 5,
					webhook: { url: bench.hookUrl('e2e-result'), metadata: { city: 'Tromsø' } },
				};
				await bench.ask('POST', '/v2/crawl', start);
				const [execution] = await waitForExecutions(client, saved.id);
				const ended = await client.execution(execution?.id ?? '');
				assert.equal(failure(ended), undefined);
				const items = nodeOutput(ended, NEXT);
				assert.equal(items.length, 5);
				assert.deepEqual(items[0]?.json.jobMetadata, { city: 'Tromsø' });
			});

			test('a result that cannot be read is refused, so that the call comes again, and ends as a failed execution', async () => {
				const { n8n, sandbox } = bench.product;
				const settings = { credential: bench.unsigned };
				const saved = await bench.save('Unread', 'e2e-unread', { event: 'jobEvent' }, settings);
				await bench.activate(saved, 'e2e-unread');
				const id = '01a1ffaa-742a-707a-9bc7-4a76f671b387';
				const body = { type: 'crawl.completed', id };
				// A 404 would be asked again for a minute: it may be lag.
				sandbox.faults.add({ step: 'status', kind: 'status', httpStatus: 403, times: 2 });
				const url = bench.hookUrl('e2e-unread');
				assert.equal(await sandbox.webhooks.forge({ url, body }), 503);
				const [execution] = await waitForExecutions(n8n.client, saved.id, { states: ['error'] });
				const ended = await n8n.client.execution(execution?.id ?? '');
				assert.match(failure(ended) ?? '', new RegExp(id));
				// n8n lives on and takes the next call.
				const next = { url, body: { ...body, type: 'crawl.page' } };
				assert.equal(await sandbox.webhooks.forge(next), 200);
			});

			test('its examples: imported and run as they are', async () => {
				const { client } = bench.product.n8n;
				const hookOf = ({ nodes }: { nodes: readonly unknown[] }): string => String(field(nodes[0], 'webhookId'));
				const changed = example('A changed website', bench.signed);
				const site = await client.createWorkflow(changed);
				await bench.activate(site, hookOf(changed));
				const { id } = Object(await bench.onlyMonitor()) as { id: unknown };
				await bench.check(id);
				await bench.ask('PATCH', `/v2/monitor/${String(id)}`, {
					targets: [{ type: 'scrape', urls: [CHANGING] }],
				});
				await bench.check(id);
				const [told] = await waitForExecutions(client, site.id);
				const message = nodeOutput(await client.execution(told?.id ?? ''), 'Send the Message');
				assert.equal(message[0]?.json.message, `${CHANGING} is new`);

				const files = example('Files of a crawl', bench.signed);
				const job = await client.createWorkflow(files);
				await bench.activate(job, hookOf(files));
				const webhook = bench.hookUrl(hookOf(files));
				await bench.ask('POST', '/v2/crawl', { url: 'https://example.com', limit: 3, webhook });
				const [done] = await waitForExecutions(client, job.id);
				const stored = nodeOutput(await client.execution(done?.id ?? ''), 'Store the Files');
				assert.equal(stored.length, 3);
				assert.equal(typeof field(stored[0], 'binary.markdown.fileName'), 'string');
			});

			test('a second workflow that chooses the same monitor is not activated, and is told who has it', async () => {
				const { client, logFile } = bench.product.n8n;
				const webhook = { url: 'http://mine.example/hook' };
				const made = await bench.ask('POST', '/v2/monitor', {
					name: 'Mine',
					schedule: { text: 'hourly' },
					targets: [{ type: 'scrape', urls: [CHANGING] }],
					webhook,
				});
				const id = String(field(made, 'data.id'));
				const hookOfMonitor = async (): Promise<unknown> =>
					field(await bench.ask('GET', `/v2/monitor/${id}`), 'data.webhook.url');
				const monitorId = { __rl: true, mode: 'id', value: id };
				const existing = { event: 'websiteChanged', triggerOptions: { monitorId } };
				const first = await bench.save('First', 'e2e-first', existing);
				await bench.activate(first, 'e2e-first');
				const url = bench.hookUrl('e2e-first');
				await soon('its webhook', async () => ((await hookOfMonitor()) === url ? true : undefined));
				const second = await bench.save('Second', 'e2e-second', existing);
				// n8n 1.123 answers with the reason; n8n 2.40 answers before it tries, five times in 15 s, and logs it.
				const answer = await client.activate(second).catch(String);
				const said = `is in use by the workflow at ${url}`;
				await soon('the reason', () =>
					`${String(answer)}${readFileSync(logFile, 'utf8')}`.includes(said) ? true : undefined,
				);
				await client.deactivate(second).catch(() => undefined);
				assert.equal(await hookOfMonitor(), url);
				await client.deactivate(first);
				await soon('the webhook of its owner', async () =>
					(await hookOfMonitor()) === webhook.url ? true : undefined,
				);
				await bench.ask('DELETE', `/v2/monitor/${id}`);
			});

			test('a monitor that cannot be removed is named in the log of n8n, and taken up again', async () => {
				const { n8n, sandbox } = bench.product;
				const saved = await bench.save('Left', 'e2e-left', watching());
				await bench.activate(saved, 'e2e-left');
				const id = String(field(await bench.onlyMonitor(), 'id'));
				const fault = { kind: 'status', step: 'monitor', httpStatus: 403 } as const;
				sandbox.faults.add({ ...fault, error: 'told 403' });
				await n8n.client.deactivate(saved);
				const said = `The monitor ${id} of ${bench.hookUrl('e2e-left')} could not be removed`;
				await soon('its name in the log', () => (readFileSync(n8n.logFile, 'utf8').includes(said) ? true : undefined));
				// n8n 2.40 tries three times.
				await settled(5000);
				sandbox.faults.clear();
				await bench.activate(saved, 'e2e-left');
				assert.equal(field(await bench.onlyMonitor(), 'id'), id);
			});

			test('Listen for test event leaves the production monitor alone', async () => {
				const { client } = bench.product.n8n;
				const saved = await bench.save('Listen', 'e2e-listen', watching());
				await bench.activate(saved, 'e2e-listen');
				const production = await bench.onlyMonitor();
				const workflowData = await client.call(`/workflows/${saved.id}`);
				const body = { workflowData, triggerToStartFrom: { name: TRIGGER } };
				const answer = await client.call(`/workflows/${saved.id}/run`, { method: 'POST', body });
				assert.equal(field(answer, 'waitingForWebhook'), true);
				const [execution] = await waitForExecutions(client, saved.id);
				const ended = await waitForExecution(client, execution?.id ?? '');
				assert.equal(ended.mode, 'manual');
				assert.equal(nodeOutput(ended, NEXT)[0]?.json.status, 'new');
				assert.deepEqual(await bench.onlyMonitor(), production);
			});
		});

		describe('Web Data Poll Trigger: the first poll sets the mark, later ones start what is new', () => {
			let site: Listener;
			let saved: StoredWorkflow;
			const paths = ['/tea', '/cake'];

			before(async () => {
				site = await startListener(({ url }) => {
					const links = paths.map((path) => `<a href="${path}">${path}</a>`).join('');
					return { body: `<title>Shop ${url}</title><main><h1>Shop</h1>${links}</main>` };
				});
			});
			after(async () => {
				await bench.product.n8n.client.deactivate(saved);
				await site.stop();
			});

			const polls = async (count: number): Promise<void> => {
				const { sandbox } = bench.product;
				const before = sandbox.stats().calls.map ?? 0;
				await soon(`${count} polls`, () => ((sandbox.stats().calls.map ?? 0) >= before + count ? true : undefined));
			};
			const newest = async (count: number): Promise<Execution> => {
				const { client } = bench.product.n8n;
				const [execution] = await waitForExecutions(client, saved.id, { count });
				return await client.execution(execution?.id ?? '');
			};
			const messages = (execution: Execution): unknown[] =>
				nodeOutput(execution, 'Send the Message').map(({ json }) => json.message);

			test('a page that was not there starts the workflow of the example once', async () => {
				const { client } = bench.product.n8n;
				const asItIs = example('New pages of a competitor', bench.product.credential);
				const text = JSON.stringify(asItIs.nodes).replaceAll('https://example.com', site.url);
				const nodes = JSON.parse(text) as Array<{ parameters: Record<string, unknown> }>;
				Object.assign(nodes[0]?.parameters ?? {}, { pollTimes: { item: EVERY_OTHER_SECOND } });
				saved = await client.createWorkflow({ ...asItIs, nodes });

				await activatePolling(client, saved);
				await polls(2);
				assert.deepEqual(await client.executions(saved.id), []);

				paths.push('/soup');
				const started = await newest(1);
				assert.equal(failure(started), undefined);
				const [message, ...more] = messages(started);
				assert.match(String(message), new RegExp(`^Shop /soup \\(${site.url}/soup\\)`));
				assert.deepEqual(more, []);

				await polls(2);
				assert.equal((await client.executions(saved.id)).length, 1);
			});

			test('an outage is one failed execution, and the page that came meanwhile is told after it', async () => {
				const { client } = bench.product.n8n;
				const end = bench.product.sandbox.faults.add({ step: 'map', kind: 'status', httpStatus: 403 });
				assert.match(failure(await newest(2)) ?? '', /does not allow/);
				paths.push('/bread');
				await polls(2);
				assert.equal((await client.executions(saved.id)).length, 2);
				end();
				const [message] = messages(await newest(3));
				assert.match(String(message), /^Shop \/bread/);
			});
		});

		// One kill for all: a start of n8n takes longer than all that is checked.
		describe('when n8n is killed and started again', () => {
			const event = { type: 'crawl.completed', id: '', webhookId: 'one' };
			const ids = { monitor: '', again: '', lost: '', polled: '', crawl: '' };

			const calls = async (webhookId: string, body: Record<string, unknown>): Promise<void> => {
				const { webhooks } = bench.product.sandbox;
				await soon('n8n to take calls again', async () => {
					const call = { url: bench.hookUrl(webhookId), body, sign: 'right' } as const;
					return (await webhooks.forge(call)) === 200 ? true : undefined;
				});
			};

			before(async () => {
				const { n8n, sandbox } = bench.product;
				const { forge } = sandbox.webhooks;
				const killed = await bench.save('Killed', 'e2e-killed', watching());
				await bench.activate(killed, 'e2e-killed');
				ids.monitor = String(field(await bench.onlyMonitor(), 'id'));

				const settings = { credential: bench.unsigned };
				const again = await bench.save('Again', 'e2e-again', EVENTS, settings);
				await bench.activate(again, 'e2e-again');
				ids.again = again.id;
				await soon('what n8n stores of the activation', async () =>
					field(await n8n.client.call(`/workflows/${again.id}`), 'staticData') ? true : undefined,
				);
				// No signature proves the event, so the service is asked for its job.
				event.id = String(field(await bench.ask('POST', '/v2/crawl', { url: sandbox.siteUrl, limit: 1 }), 'id'));
				const call = { url: bench.hookUrl('e2e-again'), body: event };
				const answers = await Promise.all(Array.from({ length: 10 }, () => forge(call)));
				assert.deepEqual(new Set(answers), new Set([200]));
				await waitForExecutions(n8n.client, again.id);

				const lost = await bench.save('Lost', 'e2e-lost', { event: 'jobEvent' });
				await bench.activate(lost, 'e2e-lost');
				ids.lost = lost.id;
				const parameters = {
					pollTimes: { item: [{ mode: 'everyMinute' }] },
					event: 'jobFinished',
					kinds: ['crawl'],
					output: 'result',
				};
				const poll = { type: 'webDataPollTrigger' };
				const polled = await bench.save('Polled', 'e2e-polled', parameters, poll);
				await bench.activatePolling(polled);
				ids.polled = polled.id;

				// A hosted service would call again, after 1, 5 and 15 minutes.
				const callAgain = sandbox.webhooks.add({ kind: 'lose', event: 'crawl.completed' });
				await n8n.crash();
				const webhook = { url: bench.hookUrl('e2e-lost'), events: ['completed'] };
				const crawl = { url: sandbox.siteUrl, limit: 3, webhook };
				ids.crawl = String(field(await bench.ask('POST', '/v2/crawl', crawl), 'id'));
				await soon('the end of the crawl', () => (sandbox.stats().jobsRunning === 0 ? true : undefined));
				callAgain();
				await n8n.restart();
			});
			after(async () => await bench.deactivateAll());

			test('the same monitor, and no second one', async () => {
				// At another port: n8n 1.123 mends the address at its start, n8n 2.40 at the next activation.
				const data = [{ monitorId: ids.monitor, checkId: 'x' }];
				await calls('e2e-killed', { type: 'monitor.page', id: 'x', data });
				assert.equal(field(await bench.onlyMonitor(), 'id'), ids.monitor);
			});

			test('an event that came ten times before and comes again has started one execution', async () => {
				await calls('e2e-again', event);
				await settled();
				assert.equal((await bench.product.n8n.client.executions(ids.again)).length, 1);
			});

			test('a job that ended meanwhile is lost for the trigger; Job Finished of the poll trigger brings it', async () => {
				const { client } = bench.product.n8n;
				const [execution] = await waitForExecutions(client, ids.polled);
				const ended = await client.execution(execution?.id ?? '');
				assert.equal(failure(ended), undefined);
				const pages = nodeOutput(ended, NEXT).map(({ json }) => json);
				assert.equal(pages.length, 3);
				for (const { markdown } of pages) assert.match(String(markdown), /\w{3}/);
				await calls('e2e-lost', { type: 'crawl.started', id: ids.crawl });
				assert.deepEqual(await client.executions(ids.lost), []);
				assert.equal((await client.executions(ids.polled)).length, 1);
			});
		});
	});
}
