/** Points 1 and 11: the packed tarball, installed and taken out again as self-hosters do. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod';
import { nodesFolder, uninstallPackage } from '../../n8n/packages.ts';
import { webDataPackage } from '../../n8n/project.ts';
import { failure, nodeOutput, waitForExecution } from './harness/executions.ts';
import { everyLine } from './harness/lines.ts';
import { credentialType, example, exampleTrigger, nodeType, type Product, startProduct } from './harness/product.ts';

const described = z.object({
	name: z.string(),
	displayName: z.string(),
	iconUrl: z.union([z.string(), z.object({ light: z.string(), dark: z.string() })]).optional(),
});
type Described = z.infer<typeof described>;

/** What n8n tells its editor about a node type or a credential type. */
async function typeInfo(product: Product, kind: 'nodes' | 'credentials', name: string): Promise<Described | undefined> {
	const { text } = await product.n8n.client.file(`/types/${kind}.json`);
	const found = z.array(z.object({ name: z.string() }).passthrough()).parse(JSON.parse(text));
	return described.optional().parse(found.find((entry) => entry.name === name));
}

function iconsOf(info: Described | undefined): string[] {
	const urls = info?.iconUrl;
	assert.ok(typeof urls === 'object', `${info?.name} has a light and a dark icon`);
	return [urls.light, urls.dark];
}

for (const version of everyLine()) {
	const point = version === '1.123' ? '1 and 11' : '1';
	describe(`${point}. install on n8n ${version}`, { timeout: 240_000 }, () => {
		let product: Product;
		const icons: string[] = [];

		before(async () => {
			product = await startProduct(version);
		});
		after(async () => {
			await product.dispose();
		});

		test('the node and its two icons are there after a start', async () => {
			const node = await typeInfo(product, 'nodes', nodeType);
			assert.equal(node?.displayName, 'Web Data');
			icons.push(...iconsOf(node));
			assert.ok(await typeInfo(product, 'nodes', `${nodeType}Tool`), 'as a tool of agents too');
		});

		test('the credential and its two icons are there', async () => {
			const credential = await typeInfo(product, 'credentials', credentialType);
			assert.equal(credential?.displayName, 'Web Data API (Firecrawl)');
			icons.push(...iconsOf(credential));
		});

		test('n8n serves the icons, light and dark', async () => {
			const served = await Promise.all(icons.map((url) => product.n8n.client.file(`/${url}`)));
			for (const { status, type, text } of served) {
				assert.equal(status, 200);
				assert.match(type, /^image\/svg\+xml/);
				assert.match(text, /^<svg /);
			}
			assert.equal(new Set(served.map(({ text }) => text)).size, 2, 'light and dark differ');
		});

		test('the first example runs and gives its page', async () => {
			const { client } = product.n8n;
			const saved = await client.createWorkflow(example('Start here', product.credential));
			const execution = await waitForExecution(client, await client.run(saved, exampleTrigger));
			assert.equal(failure(execution), undefined);
			const page = String(nodeOutput(execution, 'Scrape').at(0)?.json.markdown);
			assert.match(page, /cargo bikes/i);
		});

		test('nothing is left of it after npm uninstall', async () => {
			const { n8n } = product;
			await uninstallPackage(n8n.dataFolder);
			await n8n.restart();
			for (const name of [nodeType, `${nodeType}Tool`]) assert.equal(await typeInfo(product, 'nodes', name), undefined);
			assert.equal(await typeInfo(product, 'credentials', credentialType), undefined);
			for (const icon of icons) assert.equal((await n8n.client.file(`/${icon}`)).status, 404);
			const folder = nodesFolder(n8n.dataFolder);
			assert.equal(existsSync(path.join(folder, 'node_modules', webDataPackage)), false);
			const manifest = readFileSync(path.join(folder, 'package.json'), 'utf8');
			assert.doesNotMatch(manifest, new RegExp(webDataPackage));
		});
	});
}
