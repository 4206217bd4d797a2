/** The polling trigger in a whole n8n: the first poll sets the mark, later ones start what is new. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { StoredWorkflow } from '../../n8n/client.ts';
import { n8nVersions } from '../../n8n/project.ts';
import { type Listener, startListener } from '../sandbox/listener.ts';
import { failure, nodeOutput, waitForExecutions } from './harness/executions.ts';
import { example, type Product, sharedProduct } from './harness/product.ts';
import { activatePolling, soon } from './harness/triggers.ts';

/** n8n polls at most once a minute, of each time that is set: these are every other second of it. */
const EVERY_OTHER_SECOND = Array.from({ length: 30 }, (_, place) => ({
	mode: 'custom',
	cronExpression: `${place * 2} * * * * *`,
}));

for (const version of n8nVersions) {
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

		test('a page that was not there starts the workflow of the example once', async () => {
			const { client } = product.n8n;
			const { sandbox } = product;
			const polls = async (count: number): Promise<void> => {
				const before = sandbox.stats().calls.map ?? 0;
				await soon(`${count} polls`, () =>
					(sandbox.stats().calls.map ?? 0) >= before + count ? true : undefined,
				);
			};
			const asItIs = example('New pages of a competitor', product.credential);
			const text = JSON.stringify(asItIs.nodes).replaceAll('https://example.com', site.url);
			const nodes = JSON.parse(text) as Array<{ parameters: Record<string, unknown> }>;
			Object.assign(nodes[0]?.parameters ?? {}, { pollTimes: { item: EVERY_OTHER_SECOND } });
			saved = await client.createWorkflow({ ...asItIs, nodes });

			await activatePolling(client, saved);
			await polls(2);
			assert.deepEqual(await client.executions(saved.id), []);

			paths.push('/soup');
			const [execution] = await waitForExecutions(client, saved.id);
			const ended = await client.execution(execution?.id ?? '');
			assert.equal(failure(ended), undefined);
			const messages = nodeOutput(ended, 'Send the Message').map(({ json }) => json.message);
			assert.equal(messages.length, 1);
			assert.match(String(messages[0]), new RegExp(`^Shop /soup \\(${site.url}/soup\\)`));

			await polls(2);
			assert.equal((await client.executions(saved.id)).length, 1);
		});
	});
}
