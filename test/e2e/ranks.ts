/**
 * `npm run ranks`: at which place of n8n's node search 30 words find this package and the other most used one for
 * Firecrawl, both installed. Downloads the other package, and writes the table into test/e2e/NOTES.md.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installPackage } from '../../n8n/packages.ts';
import { projectRoot } from '../../n8n/project.ts';
import { Editor } from './harness/editor.ts';
import { Instance, testOwner } from './harness/instance.ts';
import { packedTarball } from './harness/product.ts';
import { between, measureRanks, OWN_NODES, table, WORDS } from './harness/ranks.ts';

/** The node that is used most for this service. */
const OTHER_PACKAGE = '@mendable/n8n-nodes-firecrawl';
const OTHER_VERSION = '2.1.2';

/** What n8n's list calls the node of the other package. */
const OTHER_NODE = 'Firecrawl';
const MARKS: [string, string] = ['<!-- ranks: npm run ranks writes what follows -->', '<!-- ranks end -->'];

const dataFolder = mkdtempSync(path.join(tmpdir(), 'web-data-ranks-'));
try {
	await installPackage(dataFolder, `${OTHER_PACKAGE}@${OTHER_VERSION}`);
	const n8n = await Instance.start({ dataFolder, tarball: await packedTarball() });
	try {
		const editor = await Editor.open(n8n.running.baseUrl, testOwner);
		try {
			const ranks = await measureRanks(n8n, editor, [...OWN_NODES, OTHER_NODE]);
			const rows = WORDS.map((word, row) => [word, ranks[row] ?? '']);
			const notes = path.join(projectRoot(), 'test/e2e/NOTES.md');
			const heads = ['word', `beside ${OTHER_PACKAGE} ${OTHER_VERSION}`];
			writeFileSync(notes, between(readFileSync(notes, 'utf8'), MARKS, table(heads, rows)));
		} finally {
			await editor.close();
		}
	} finally {
		await n8n.end();
	}
} finally {
	rmSync(dataFolder, { recursive: true, force: true });
}
console.log('Written to test/e2e/NOTES.md; npm run format lines the table up.');
