// Names everything that stands between this tree and npm: `npm run check:publish [-- --tag v1.2.3]`.
// Fails until nothing is left. `npm version` runs it before it writes a version, and says which.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { wrongCategories } from './categories.ts';
import { copyReviewed } from './folders.ts';
import { readManifest, repositoryPage } from './manifest.ts';
import type { Manifest } from './manifest.ts';
import { layOutPackage } from './packageFolder.ts';
import { missingFacts } from './placeholders.ts';
import { scan } from './scan.ts';

const { values } = parseArgs({ options: { tag: { type: 'string' } } });
const root = path.join(import.meta.dirname, '../..');
const work = path.join(root, '.package');
const [sources, packed, unpacked] = ['sources', 'packed', 'unpacked'].map((name) =>
	path.join(root, '.reviewed', name),
) as [string, string, string];

const manifest = readManifest(root);
const facts = missingFacts(manifest, readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'), {
	version: process.env.npm_new_version,
	tag: values.tag,
});
// Without an address of the repository there is no README to publish.
const isScanned = repositoryPage(manifest) !== undefined && (await scanPackage());

for (const { where, what } of facts) console.log(`to fill in: ${where}: ${what}`);
const wrong = wrongCategories(root);
for (const category of wrong) console.log(`not among n8n's ten categories: ${category}`);
if (facts.length === 0) console.log('nothing to fill in');
process.exitCode = isScanned && facts.length + wrong.length === 0 ? 0 : 1;

/** With which n8n installs this tarball by variables; the checksum is the one that npm will name (`dist.integrity`). */
function installEntry({ name, version }: Manifest, tarball: Buffer): string {
	const checksum = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
	return `N8N_COMMUNITY_PACKAGES=${JSON.stringify([{ name, version, checksum }])}`;
}

/** Packs and scans, and says what the scanner says; true when it has passed. */
async function scanPackage(): Promise<boolean> {
	layOutPackage(root, work);
	rmSync(path.join(root, '.reviewed'), { recursive: true, force: true });
	copyReviewed(root, sources);
	for (const folder of [packed, unpacked]) mkdirSync(folder, { recursive: true });
	execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', packed], {
		cwd: work,
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	for (const tarball of readdirSync(packed)) {
		const file = path.join(packed, tarball);
		execFileSync('tar', ['-xzf', file, '-C', unpacked, '--strip-components=1']);
	}
	for (const tarball of readdirSync(packed))
		console.log(installEntry(manifest, readFileSync(path.join(packed, tarball))));
	const { passed, details } = await scan(root, { sources, unpacked });
	console.log(passed ? "n8n's scanner: passed, sources and tarball" : `n8n's scanner:\n${details}`);
	return passed;
}
