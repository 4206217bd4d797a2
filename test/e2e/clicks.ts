/**
 * `npm run clicks`: how many clicks and seconds eleven tasks take in n8n's editor, and at which place of the node
 * search 16 words find this package. Writes both into test/e2e/NOTES.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readN8nVersion, projectRoot } from '../../n8n/project.ts';
import { Editor } from './harness/editor.ts';
import { Hand } from './harness/hand.ts';
import { testOwner } from './harness/instance.ts';
import { outerLines } from './harness/lines.ts';
import { startProduct, type Product } from './harness/product.ts';
import { between, measureRanks, OWN_NODES, table, WORDS } from './harness/ranks.ts';
import { startListener } from '../sandbox/listener.ts';
import { tasks } from './harness/tasks.ts';

const MARKS: [string, string] = [
	'<!-- clicks: npm run clicks writes what follows -->',
	'<!-- clicks end -->',
];

/** Clicks and seconds of each task. */
async function measureTasks({ n8n }: Product, editor: Editor, pdfUrl: string): Promise<string[]> {
	const measured: string[] = [];
	for (const task of tasks) {
		await editor.page.goto(`${n8n.running.baseUrl}/workflow/new`);
		await editor.page.locator('[data-test-id="canvas-add-button"]').waitFor();
		const hand = new Hand(editor.page);
		const open = async (id: string): Promise<void> => await editor.openWorkflow(id);
		const beganAt = Date.now();
		try {
			await task.do({ hand, client: n8n.client, pdfUrl, open });
			const seconds = Math.round((Date.now() - beganAt) / 1000);
			measured.push(`${hand.clicks} / ${seconds} s`);
		} catch (error) {
			console.error(error);
			measured.push('failed');
			process.exitCode = 1;
		}
		console.log(`${task.name}: ${measured.at(-1)}`);
	}
	return measured;
}

const pdf = readFileSync(path.join(projectRoot(), 'test/fixtures/files/report.pdf'));
const files = await startListener(() => ({ type: 'application/pdf', body: pdf }));
const lines = process.argv.length > 2 ? process.argv.slice(2).map(readN8nVersion) : outerLines();
const columns: Array<{ clicks: string[]; ranks: string[] }> = [];
for (const version of lines) {
	const product = await startProduct(version);
	try {
		const editor = await Editor.open(product.n8n.running.baseUrl, testOwner);
		try {
			const ranks = await measureRanks(product.n8n, editor, OWN_NODES);
			columns.push({ clicks: await measureTasks(product, editor, files.url), ranks });
		} finally {
			await editor.close();
		}
	} finally {
		await product.dispose();
	}
}

await files.stop();

const notes = path.join(projectRoot(), 'test/e2e/NOTES.md');
const heads = lines.map((version) => `n8n ${version}`);
const written = [
	table(
		['task', ...heads],
		tasks.map(({ name }, row) => [name, ...columns.map(({ clicks }) => clicks[row] ?? '')]),
	),
	table(
		['word', ...heads],
		WORDS.map((word, row) => [word, ...columns.map(({ ranks }) => ranks[row] ?? '')]),
	),
].join('\n\n');
writeFileSync(notes, between(readFileSync(notes, 'utf8'), MARKS, written));
console.log('Written to test/e2e/NOTES.md; npm run format lines the tables up.');
