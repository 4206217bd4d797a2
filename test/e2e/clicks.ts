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
import { startListener } from '../sandbox/listener.ts';
import { tasks } from './harness/tasks.ts';
import { manualTrigger, workflow } from './harness/workflows.ts';

const WORDS = [
	...['crawl', 'scrape', 'search', 'map', 'pdf', 'browser', 'agent', 'firecrawl'],
	...['website changed', 'rss', 'fetch', 'download', 'internet', 'web', 'monitor', 'extract'],
];
const OWN = ['Web Data', 'Web Data Poll', 'Web Data Poll Trigger', 'Web Data Trigger'];
const BEGIN = '<!-- clicks: npm run clicks writes what follows -->';
const END = '<!-- clicks end -->';

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

/** The place of each of our nodes among what the search shows behind a node that is there. */
async function measureRanks({ n8n }: Product, editor: Editor): Promise<string[]> {
	const { id } = await n8n.client.createWorkflow(workflow('Ranks', [manualTrigger]));
	await editor.openWorkflow(id);
	const ranks: string[] = [];
	for (const word of WORDS) {
		const found = await editor.searchNodes(word);
		const places = found.flatMap((name, index) =>
			OWN.includes(name) ? [`${name} ${index + 1}`] : [],
		);
		ranks.push(places.length === 0 ? 'not found' : `${places.join(', ')} of ${found.length}`);
		console.log(`${word}: ${ranks.at(-1)}`);
	}
	return ranks;
}

function table(heads: string[], rows: string[][]): string {
	const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
	return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
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
			const ranks = await measureRanks(product, editor);
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
const text = readFileSync(notes, 'utf8');
const [before = '', rest = ''] = text.split(BEGIN);
const [, after = ''] = rest.split(END);
const heads = lines.map((version) => `n8n ${version}`);
const written = [
	BEGIN,
	table(
		['task', ...heads],
		tasks.map(({ name }, row) => [name, ...columns.map(({ clicks }) => clicks[row] ?? '')]),
	),
	table(
		['word', ...heads],
		WORDS.map((word, row) => [word, ...columns.map(({ ranks }) => ranks[row] ?? '')]),
	),
	END,
].join('\n\n');
writeFileSync(notes, `${before}${written}${after}`);
console.log('Written to test/e2e/NOTES.md; npm run format lines the tables up.');
