/**
 * `npm run pictures:comparison`: the two commonest workflows of the node that is used most for this
 * service, and the same with ours, run side by side in n8n 2.40 against the sandbox. Checks that both
 * give the same pages, and takes the pictures of the README. Downloads the other package.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installPackage } from '../../n8n/packages.ts';
import { projectRoot } from '../../n8n/project.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { pictureOfNodes } from './harness/canvas.ts';
import { Editor } from './harness/editor.ts';
import { nodeOutput, waitForExecution } from './harness/executions.ts';
import { Instance, testOwner } from './harness/instance.ts';
import {
	crawlNodes,
	OTHER_PACKAGE,
	OTHER_VERSION,
	scrapeNodes,
	toWorkflow,
} from './harness/comparedNodes.ts';
import { apiKey, credentialFor, packedTarball } from './harness/product.ts';
import { manualTrigger } from './harness/workflows.ts';

const WINDOW = { width: 1200, height: 720, scale: 2 };
/** What the README shows. */
const PICTURED = 'compare-crawl';
const textsOf = (items: ReadonlyArray<{ json: Record<string, unknown> }>) =>
	items.map(({ json }) => String(json.markdown)).sort();

async function compare(n8n: Instance, sandboxUrl: string): Promise<void> {
	const { client } = n8n;
	const theirs = await client.createCredential('Firecrawl', 'firecrawlApi', {
		baseUrl: `${sandboxUrl}/v2`,
		apiKey,
	});
	const own = await credentialFor(client, { baseUrl: sandboxUrl });
	const editor = await Editor.open(n8n.running.baseUrl, testOwner, WINDOW);
	try {
		for (const [name, nodes, ends] of [
			['compare-scrape', scrapeNodes(theirs, own), ['The Page', 'The Page too']],
			['compare-crawl', crawlNodes(theirs, own), ['The Pages', 'The Pages too']],
		] as const) {
			const saved = await client.createWorkflow(toWorkflow(name, nodes));
			await editor.openWorkflow(saved.id);
			const id = await client.run(saved, manualTrigger.name);
			const execution = await waitForExecution(client, id, { states: ['success'] });
			const [their = [], our = []] = ends.map((end) => textsOf(nodeOutput(execution, end)));
			assert.ok(our.length > 0);
			assert.deepEqual(our, their);
			console.log(`${name}: ${our.length} pages from both`);
			if (name !== PICTURED) continue;
			await editor.fitToView();
			const file = path.join(projectRoot(), 'docs/pictures', `${name}.png`);
			await pictureOfNodes(editor.page, file);
		}
	} finally {
		await editor.close();
	}
}

const dataFolder = mkdtempSync(path.join(tmpdir(), 'web-data-comparison-'));
const sandbox = await startSandbox({ keys: [apiKey], seed: 1, speed: 5 });
try {
	await installPackage(dataFolder, `${OTHER_PACKAGE}@${OTHER_VERSION}`);
	const n8n = await Instance.start({ dataFolder, tarball: await packedTarball() });
	try {
		await compare(n8n, sandbox.baseUrl);
	} finally {
		await n8n.end();
	}
} finally {
	await sandbox.stop();
	rmSync(dataFolder, { recursive: true, force: true });
}
