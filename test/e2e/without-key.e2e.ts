/** An n8n without any credential for the package, and the hosted service, which answers some requests without a key. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { Editor } from './harness/editor.ts';
import { asHosted, type HostedAddress } from './harness/hosted.ts';
import { Instance, testOwner } from './harness/instance.ts';
import { outerLines } from './harness/lines.ts';
import { credentialType, packedTarball } from './harness/product.ts';
import { manualTrigger, workflow } from './harness/workflows.ts';

for (const version of outerLines()) {
	describe(`without a key on n8n ${version}`, { timeout: 600_000 }, () => {
		let sandbox: Sandbox;
		let hosted: HostedAddress;
		let n8n: Instance;
		let editor: Editor;

		before(async () => {
			sandbox = await startSandbox({ keyless: {}, speed: 20 });
			hosted = await asHosted(sandbox.baseUrl);
			n8n = await Instance.start({ version, tarball: await packedTarball(), env: hosted.env });
			editor = await Editor.open(n8n.running.baseUrl, testOwner);
			const saved = await n8n.client.createWorkflow(workflow('Empty', [manualTrigger]));
			await editor.openWorkflow(saved.id);
		});
		after(async () => {
			await editor.close();
			await n8n.dispose();
			hosted.stop();
			await sandbox.stop();
		});

		test('a new node has its first page after an address and a click', async () => {
			await editor.searchNodes('scrape');
			await editor.chooseNode('Web Data');
			const panel = await editor.chooseAction('Scrape page to text or structured data');
			await panel.type('url', 'https://example.com');
			await panel.execute();
			assert.match(await panel.outputText(/markdown/), /Cargo bikes for city deliveries/);
			assert.match(await panel.outputText(/free limits/), /Firecrawl answered without a key/);
			await panel.close();
		});

		test('a crawl says that it needs a key, and where to get one', async () => {
			await editor.searchNodes('crawl');
			await editor.chooseNode('Web Data');
			const panel = await editor.chooseAction('Crawl website and get all pages');
			await panel.type('url', 'https://example.com');
			await panel.execute();
			const said = await panel.outputText(/needs a Firecrawl key/);
			assert.match(said, /Crawl needs a Firecrawl key: create the credential Web Data API \(Firecrawl\)/);
			await panel.close();
		});

		test('nothing but what needs no key was asked for', () => {
			assert.deepEqual(
				sandbox.requests().map(({ method, path, status }) => `${method} ${path} ${status}`),
				['POST /v2/scrape 200'],
			);
		});

		test('the test of a credential without a key says what works without one', async () => {
			const data = { baseUrl: 'https://api.firecrawl.dev', apiKey: '' };
			const credential = await n8n.client.createCredential('Without a Key', credentialType, data);
			const { status, message } = await n8n.client.testCredential(credential);
			assert.equal(status, 'OK', message);
			assert.match(message ?? '', /Without a key, only Scrape/);
		});
	});
}
