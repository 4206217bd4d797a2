/** The polling trigger in a whole n8n: the first poll sets the mark, later ones start what is new. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Execution, StoredWorkflow } from '../../n8n/client.ts';
import { type Listener, startListener } from '../sandbox/listener.ts';
import { failure, nodeOutput, waitForExecutions } from './harness/executions.ts';
import { everyLine } from './harness/lines.ts';
import { example, type Product, sharedProduct } from './harness/product.ts';
import { activatePolling, soon } from './harness/triggers.ts';

/** n8n polls at most once a minute, of each time that is set: these are every other second of it. */
const EVERY_OTHER_SECOND = Array.from({ length: 30 }, (_, place) => ({
	mode: 'custom',
	cronExpression: `${place * 2} * * * * *`,
}));

for (const version of everyLine()) {
	describe(`Web Data Poll Trigger on n8n ${version}`, { timeout: 120_000 }, () => {
		let product: Product;
		let site: Listener;
		let saved: StoredWorkflow;
		const paths = ['/tea', '/cake'];

		before(async () => {
			product = await sharedProduct(version);
			site = await startListener(({ url }) => {
				const links = paths.map((path) => `<a href="${path}">${path}</a>`).join('');
				return { body: `<title>Shop ${url}</title><main><h1>Shop</h1>${links}</main>` };
			});
		});
		after(async () => {
			await product.n8n.client.deactivate(saved);
			await site.stop();
		});

		const polls = async (count: number): Promise<void> => {
			const { sandbox } = product;
			const before = sandbox.stats().calls.map ?? 0;
			await soon(`${count} polls`, () => ((sandbox.stats().calls.map ?? 0) >= before + count ? true : undefined));
		};
		const newest = async (count: number): Promise<Execution> => {
			const { client } = product.n8n;
			const [execution] = await waitForExecutions(client, saved.id, { count });
			return await client.execution(execution?.id ?? '');
		};
		const messages = (execution: Execution): unknown[] =>
			nodeOutput(execution, 'Send the Message').map(({ json }) => json.message);

		test('a page that was not there starts the workflow of the example once', async () => {
			const { client } = product.n8n;
			const asItIs = example('New pages of a competitor', product.credential);
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
			const { client } = product.n8n;
			const end = product.sandbox.faults.add({ step: 'map', kind: 'status', httpStatus: 403 });
			assert.match(failure(await newest(2)) ?? '', /does not allow/);
			paths.push('/bread');
			await polls(2);
			assert.equal((await client.executions(saved.id)).length, 2);
			end();
			const [message] = messages(await newest(3));
			assert.match(String(message), /^Shop \/bread/);
		});
	});
}
