/** `npm run pictures`: takes the pictures of the README from the real editor, n8n 2.40. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { startDemo } from '../../n8n/demo.ts';
import type { Demo } from '../../n8n/demo.ts';
import { projectRoot } from '../../n8n/project.ts';
import { Editor } from './harness/editor.ts';

const root = projectRoot();
const folder = path.join(root, 'docs/pictures');

/** Wide enough for the panel's three columns; twice the pixels, so that text stays sharp. */
const WINDOW = { width: 1440, height: 860, scale: 1.5 };

async function takePictures(demo: Demo, editor: Editor): Promise<void> {
	const picture = (name: string) => editor.screenshot(path.join(folder, `${name}.png`));
	const open = async (words: string) => {
		const workflow = demo.workflows.find(({ name }) => name.includes(words));
		if (workflow === undefined) throw new Error(`No example has "${words}" in its name.`);
		await editor.openWorkflow(workflow.id);
	};
	const { page } = editor;

	await open('by hand');
	await editor.execute();
	await page.getByText('Workflow executed successfully').first().waitFor({ timeout: 120_000 });
	await page.waitForTimeout(6000);
	await editor.fitToView();
	await picture('workflow');
	await editor.openNode('Research');
	await page.waitForTimeout(1500);
	await picture('panel');
	await editor.closeNode();

	await open('list of questions');
	await picture('list');
	await open('survives a restart');
	await picture('durable');
}

const dataFolder = mkdtempSync(path.join(tmpdir(), 'web-data-pictures-'));
mkdirSync(folder, { recursive: true });
const say = (line: string) => void process.stdout.write(`${line}\n`);
const demo = await startDemo({ root, version: '2.40', dataFolder, env: {}, say });
try {
	const editor = await Editor.open(demo.n8n.baseUrl, demo.owner, WINDOW);
	try {
		await takePictures(demo, editor);
	} finally {
		await editor.close();
	}
} finally {
	await demo.stop();
	rmSync(dataFolder, { recursive: true, force: true });
}
