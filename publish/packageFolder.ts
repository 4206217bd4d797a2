import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { addressesOf, publishedManifest, readManifest } from './manifest.ts';
import { withAbsoluteLinks } from './readmeLinks.ts';

/**
 * Lays out what is published, for `npm publish <folder>`: the build, the licence, the README with
 * addresses that work outside the repository. The repository's own files stay as they are.
 *
 * @param root the clone, already built
 * @param into made anew
 */
export function layOutPackage(root: string, into: string): void {
	rmSync(into, { recursive: true, force: true });
	mkdirSync(into, { recursive: true });
	const manifest = readManifest(root);
	const at = (file: string): string => path.join(into, file);
	for (const name of ['dist', 'LICENSE']) cpSync(path.join(root, name), at(name), { recursive: true });
	const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
	writeFileSync(at('README.md'), withAbsoluteLinks(readme, addressesOf(manifest)));
	writeFileSync(at('package.json'), `${JSON.stringify(publishedManifest(manifest), undefined, '\t')}\n`);
}
