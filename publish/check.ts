// Names everything that stands between this tree and npm: `npm run check:publish [-- --tag v1.2.3]`.
// Fails until nothing is left.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { copyReviewed } from './folders.ts';
import { readManifest } from './manifest.ts';
import { layOutPackage } from './packageFolder.ts';
import { missingFacts } from './placeholders.ts';
import { scan } from './scan.ts';

const { values } = parseArgs({ options: { tag: { type: 'string' } } });
const root = path.join(import.meta.dirname, '..');
const work = path.join(root, '.package');
const [sources, packed, unpacked] = ['sources', 'packed', 'unpacked'].map((name) =>
	path.join(root, '.reviewed', name),
) as [string, string, string];

layOutPackage(root, work);
rmSync(path.join(root, '.reviewed'), { recursive: true, force: true });
copyReviewed(root, sources);
for (const folder of [packed, unpacked]) mkdirSync(folder, { recursive: true });
execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', packed], {
	cwd: work,
	stdio: ['ignore', 'ignore', 'inherit'],
});
for (const tarball of readdirSync(packed)) {
	execFileSync('tar', ['-xzf', path.join(packed, tarball), '-C', unpacked, '--strip-components=1']);
}

const facts = missingFacts(
	readManifest(root),
	readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'),
	values.tag,
);
const { passed, details } = await scan(root, { sources, unpacked });

console.log(passed ? "n8n's scanner: passed, sources and tarball" : `n8n's scanner:\n${details}`);
for (const { where, what } of facts) console.log(`to fill in: ${where}: ${what}`);
if (facts.length === 0) console.log('nothing to fill in');
process.exitCode = passed && facts.length === 0 ? 0 : 1;
