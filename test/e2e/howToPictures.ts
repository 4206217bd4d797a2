import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Demo } from '../../n8n/demo.ts';
import { N8nClient, type StoredCredential } from '../../n8n/client.ts';
import { readWorkflow, withCredential } from '../../n8n/examples.ts';
import { nodesArea } from './harness/canvas.ts';
import type { Editor } from './harness/editor.ts';

const WINDOW = { width: 1080, height: 720 };
const runTimeoutMs = 120_000;
const button = 'When You Press the Button';

/** Places for credentials that only have to be there, so that the canvas shows no missing one. */
const modelData = { apiKey: 'none', url: 'http://127.0.0.1:9/v1' };

/**
 * The canvas of each workflow of docs/how-to, after a run where a button starts it, as
 * docs/pictures/how-to-<name>.png.
 */
export async function takeHowToPictures(demo: Demo, editor: Editor, root: string): Promise<void> {
	const client = new N8nClient(demo.n8n.baseUrl);
	await client.login(demo.owner);
	const credentials = await credentialsOf(client);
	await editor.page.setViewportSize(WINDOW);
	for (const name of namesIn(path.join(root, 'docs/how-to'))) {
		const workflow = readWorkflow(path.join(root, 'docs/how-to', `${name}.json`));
		const saved = await client.createWorkflow(
			credentials.reduce((one, credential) => withCredential(one, credential), workflow),
		);
		await editor.openWorkflow(saved.id);
		if (JSON.stringify(workflow.nodes).includes(button)) {
			await editor.execute();
			const notice = editor.page.getByText('Workflow executed successfully').first();
			await notice.waitFor({ timeout: runTimeoutMs });
			await notice.waitFor({ state: 'hidden', timeout: 30_000 });
		}
		await editor.fitToView();
		await editor.page.mouse.move(0, 0);
		const file = path.join(root, 'docs/pictures', `how-to-${name}.png`);
		await editor.screenshot(file, await nodesArea(editor.page));
		console.log(`${path.relative(root, file)}: ${Math.round(statSync(file).size / 1024)} KB`);
	}
}

function namesIn(folder: string): string[] {
	return readdirSync(folder)
		.filter((file) => file.endsWith('.json'))
		.map((file) => file.replace(/\.json$/, ''));
}

async function credentialsOf(client: N8nClient): Promise<StoredCredential[]> {
	const [own] = await client.credentials();
	if (own === undefined) throw new Error('The demo has no credential.');
	return [own, await client.createCredential('Your Model', 'openAiApi', modelData)];
}
