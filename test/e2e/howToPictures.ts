import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Demo } from '../../n8n/demo.ts';
import { N8nClient, type StoredCredential, type WorkflowDefinition } from '../../n8n/client.ts';
import { readWorkflow, withCredential } from '../../n8n/examples.ts';
import { linksOf } from '../../publish/readmeLinks.ts';
import { pictureOfNodes } from './harness/canvas.ts';
import type { Editor } from './harness/editor.ts';
import { reduceColors } from './harness/ffmpeg.ts';

const WINDOW = { width: 1080, height: 720 };
const runTimeoutMs = 120_000;
const button = 'When You Press the Button';
const waitNode = 'n8n-nodes-base.wait';

/** Places for credentials that only have to be there, so that the canvas shows no missing one. */
const modelData = { apiKey: 'none', url: 'http://127.0.0.1:9/v1' };

/**
 * The canvas of the workflow of each page of docs/how-to as docs/pictures/how-to-<page>.png, after a run where a
 * button starts it and it ends soon.
 */
export async function takeHowToPictures(
	demo: Demo,
	editor: Editor,
	{ root, isWanted }: { root: string; isWanted: (name: string) => boolean },
): Promise<void> {
	const client = new N8nClient(demo.n8n.baseUrl);
	await client.login(demo.owner);
	const credentials = await credentialsOf(client);
	await editor.page.setViewportSize(WINDOW);
	for (const { name, file } of workflowsOf(path.join(root, 'docs/how-to'))) {
		if (!isWanted(name)) continue;
		const workflow = withoutNotes(readWorkflow(file));
		const saved = await client.createWorkflow(
			credentials.reduce((one, credential) => withCredential(one, credential), workflow),
		);
		await editor.openWorkflow(saved.id);
		const text = JSON.stringify(workflow.nodes);
		if (text.includes(button) && !text.includes(waitNode)) {
			await editor.execute();
			const notice = editor.page.getByText('Workflow executed successfully').first();
			await notice.waitFor({ timeout: runTimeoutMs });
			await notice.waitFor({ state: 'hidden', timeout: 30_000 });
		}
		await editor.fitToView();
		const picture = path.join(root, 'docs/pictures', `${name}.png`);
		await pictureOfNodes(editor.page, picture);
		reduceColors(picture);
		console.log(`${path.relative(root, picture)}: ${Math.round(statSync(picture).size / 1024)} KB`);
	}
}

/** The page says what a note in the workflow says, and a note would push the nodes behind the buttons. */
function withoutNotes(workflow: WorkflowDefinition): WorkflowDefinition {
	const isNote = (node: unknown) => JSON.stringify(node).includes('n8n-nodes-base.stickyNote');
	return { ...workflow, nodes: workflow.nodes.filter((node) => !isNote(node)) };
}

/** The pages that show a picture of their own, each with the workflow that it links to first. */
function workflowsOf(folder: string): Array<{ name: string; file: string }> {
	return readdirSync(folder)
		.filter((page) => page.endsWith('.md'))
		.flatMap((page) => {
			const name = page.replace(/\.md$/, '');
			const links = linksOf(readFileSync(path.join(folder, page), 'utf8'));
			const own = links.some(({ url }) => url.endsWith(`/how-to-${name}.png`));
			const workflow = links.find(({ url }) => url.endsWith('.json'));
			return own && workflow ? [{ name: `how-to-${name}`, file: path.join(folder, workflow.url) }] : [];
		});
}

async function credentialsOf(client: N8nClient): Promise<StoredCredential[]> {
	const [own] = await client.credentials();
	if (own === undefined) throw new Error('The demo has no credential.');
	return [own, await client.createCredential('Your Model', 'openAiApi', modelData)];
}
