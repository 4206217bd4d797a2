/** `npm run pictures`: takes the pictures of the README from the real editor, n8n 2.40. */
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Demo, startDemo } from '../../n8n/demo.ts';
import { projectRoot } from '../../n8n/project.ts';
import { Editor } from './harness/editor.ts';

const root = projectRoot();
const folder = path.join(root, 'docs/pictures');

/** Wide enough for the panel's three columns; a fifth more pixels, so that text stays sharp. */
const panelWindow = { width: 1440, height: 810, scale: 1.2 };
/** The canvas needs less: its nodes are drawn larger in a smaller window. */
const canvasWindow = { width: 1120, height: 720 };
const runTimeoutMs = 120_000;

/** Runs the open workflow and waits until its notices have gone. */
async function runToEnd({ page }: Editor, execute: () => Promise<void>): Promise<void> {
	await execute();
	const notice = page.getByText('Workflow executed successfully').first();
	await notice.waitFor({ timeout: runTimeoutMs });
	await notice.waitFor({ state: 'hidden', timeout: 30_000 });
}

async function takePictures(demo: Demo, editor: Editor): Promise<void> {
	const { page } = editor;
	const picture = async (name: string): Promise<void> => {
		const file = path.join(folder, `${name}.png`);
		await editor.screenshot(file);
		console.log(`${path.relative(root, file)}: ${Math.round(statSync(file).size / 1024)} KB`);
	};
	const open = async (words: string): Promise<void> => {
		const workflow = demo.workflows.find(({ name }) => name.includes(words));
		if (workflow === undefined) throw new Error(`No example has "${words}" in its name.`);
		await editor.openWorkflow(workflow.id);
	};

	await page.setViewportSize(canvasWindow);
	await open('survives a restart');
	await picture('durable');
	await open('list of questions');
	await picture('list');
	await open('by hand');
	await runToEnd(editor, () => editor.execute());
	await editor.fitToView();
	await picture('workflow');

	await page.setViewportSize(panelWindow);
	const panel = await editor.openNode('Research');
	await panel.outputText(/finalAnalysis/);
	await page.waitForTimeout(1_000);
	await picture('panel');

	await panel.choose('output', 'Report File');
	await page.locator('[data-test-id="node-execute-button"]').click();
	await page.locator('[data-test-id="ndv-view-binary-data"]').waitFor({ timeout: runTimeoutMs });
	await panel.viewFile();
	await page.waitForTimeout(6_000);
	await picture('report');
	await panel.close();
}

const dataFolder = mkdtempSync(path.join(tmpdir(), 'web-data-pictures-'));
mkdirSync(folder, { recursive: true });
const demo = await startDemo({ root, version: '2.40', dataFolder, env: {}, say: console.log });
try {
	const editor = await Editor.open(demo.n8n.baseUrl, demo.owner, panelWindow);
	try {
		await takePictures(demo, editor);
	} finally {
		await editor.close();
	}
} finally {
	await demo.stop();
	rmSync(dataFolder, { recursive: true, force: true });
}
