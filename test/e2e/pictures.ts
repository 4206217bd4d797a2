/**
 * `npm run pictures`: takes the pictures of README and docs from the real editor, the newest n8n;
 * `npm run pictures -- how-to search` those whose names begin so. Needs ffmpeg besides Chromium.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Demo, startDemo } from '../../n8n/demo.ts';
import { N8nClient } from '../../n8n/client.ts';
import { newestN8n, projectRoot, webDataPackage } from '../../n8n/project.ts';
import { Editor } from './harness/editor.ts';
import { reduceColors } from './harness/ffmpeg.ts';
import { takeHowToPictures } from './howToPictures.ts';
import { manualTrigger, workflow } from './harness/workflows.ts';

const root = projectRoot();
const folder = path.join(root, 'docs/pictures');
const wanted = process.argv.slice(2);
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.some((start) => name.startsWith(start));

/** Two pixels for each, so that text stays sharp. Fields and output side by side are as wide as GitHub shows them. */
const panelWindow = { width: 1440, height: 810, scale: 2 };

/** n8n's own buttons beside what a picture is about, and its link below the fields. */
const DISTRACTIONS = ['ndv-edit-pinned-data', 'ndv-pin-data', 'node-feature-request']
	.map((id) => `[data-test-id="${id}"]`)
	.join(', ');

/** A node with nothing set but what to read; the address is the sandbox's own site. */
interface Pictured {
	type: 'webData' | 'webDataTrigger';
	name: string;
	parameters: object;
	/** What the output holds when the node has run. */
	output: RegExp;
	windowHeight: number;
}

const pictured: Record<string, Pictured> = {
	crawl: {
		type: 'webData',
		name: 'Crawl a site',
		parameters: { resource: 'crawl', operation: 'start', url: 'https://example.com' },
		output: /markdown/,
		windowHeight: 900,
	},
	'website-changed': {
		type: 'webDataTrigger',
		name: 'When a Page Changes',
		parameters: {
			event: 'websiteChanged',
			urls: 'https://example.com/costs\nhttps://example.com/safety',
		},
		output: /monitorId/,
		windowHeight: 860,
	},
};

/** A workflow with this node, as a user has it who has chosen it and typed what to read. */
async function makeWorkflow({ n8n, owner }: Demo, { type, name, parameters }: Pictured): Promise<string> {
	const client = new N8nClient(n8n.baseUrl);
	await client.login(owner);
	const [credential] = await client.credentials();
	if (credential === undefined) throw new Error('The demo has no credential.');
	const isTrigger = type === 'webDataTrigger';
	const node = {
		name,
		type: `${webDataPackage}.${type}`,
		typeVersion: 1,
		parameters,
		credential,
		...(isTrigger && { settings: { webhookId: 'picture' } }),
	};
	const nodes = isTrigger ? [node] : [manualTrigger, node];
	return (await client.createWorkflow(workflow(name, nodes))).id;
}

async function takePictures(demo: Demo, editor: Editor): Promise<void> {
	const { page } = editor;
	for (const [name, node] of Object.entries(pictured)) {
		if (!isWanted(name)) continue;
		await page.setViewportSize({ width: panelWindow.width, height: node.windowHeight });
		await editor.openWorkflow(await makeWorkflow(demo, node));
		const opened = await editor.openNode(node.name);
		await page.addStyleTag({ content: `${DISTRACTIONS} { display: none !important }` });
		await page.locator('[data-test-id="node-execute-button"]').first().click();
		await opened.outputText(node.output);
		await page.locator('[data-test-id="output-panel"]').getByText('Schema').click();
		await page.locator('.el-notification').first().waitFor({ state: 'hidden' });
		await page.mouse.move(0, 0);
		await page.waitForTimeout(1_000);
		const file = path.join(folder, `${name}.png`);
		await editor.screenshot(file, await opened.fieldsAndOutput());
		reduceColors(file);
		console.log(`${path.relative(root, file)}: ${Math.round(statSync(file).size / 1024)} KB`);
		await opened.close();
	}
}

const dataFolder = mkdtempSync(path.join(tmpdir(), 'web-data-pictures-'));
mkdirSync(folder, { recursive: true });
const demo = await startDemo({ root, version: newestN8n, dataFolder, env: {}, say: console.log });
try {
	const editor = await Editor.open(demo.n8n.baseUrl, demo.owner, panelWindow);
	try {
		await takePictures(demo, editor);
		await takeHowToPictures(demo, editor, { root, isWanted });
	} finally {
		await editor.close();
	}
} finally {
	await demo.stop();
	rmSync(dataFolder, { recursive: true, force: true });
}
