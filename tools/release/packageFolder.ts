import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { z } from 'zod';

import { addressesOf, publishedManifest, readManifest } from './manifest.ts';
import { withAbsoluteLinks } from './readmeLinks.ts';

/** The page that the Docs link of each node leads to. */
export const DOCS_PAGES: Readonly<Record<string, string>> = {
	WebData: 'docs/README.md',
	WebDataLoader: 'docs/VECTOR-STORES.md',
	WebDataPollTrigger: 'docs/TRIGGERS.md',
	WebDataTrigger: 'docs/TRIGGERS.md',
	WebResearch: 'docs/WEB-RESEARCH.md',
	WebResearchTool: 'docs/WEB-RESEARCH.md',
};

const codexShape = z
	.object({ resources: z.object({ primaryDocumentation: z.array(z.unknown()) }).passthrough() })
	.passthrough();

const PRIMARY = /(primaryDocumentation: \[\{ url: )[^}]+( \}\])/;

/**
 * In the repository the links lead to the package's page on npm, since only the manifest knows the repository. A node
 * without a codex file has its codex in its description.
 */
function linkDocs(into: string, pages: string): void {
	for (const [node, page] of Object.entries(DOCS_PAGES)) {
		const file = path.join(into, 'dist/nodes', node, `${node}.node.json`);
		if (!existsSync(file)) {
			const code = file.replace(/json$/, 'js');
			const text = readFileSync(code, 'utf8');
			if (!PRIMARY.test(text)) throw new Error(`${code} has no codex, and there is no file of it.`);
			writeFileSync(code, text.replace(PRIMARY, `$1'${new URL(page, pages).href}'$2`));
			continue;
		}
		const codex = codexShape.parse(JSON.parse(readFileSync(file, 'utf8')));
		codex.resources.primaryDocumentation = [{ url: new URL(page, pages).href }];
		writeFileSync(file, `${JSON.stringify(codex, undefined, 2)}\n`);
	}
}

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
	const addresses = addressesOf(manifest);
	linkDocs(into, addresses.pages);
	const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
	writeFileSync(at('README.md'), withAbsoluteLinks(readme, addresses));
	writeFileSync(at('package.json'), `${JSON.stringify(publishedManifest(manifest), undefined, '\t')}\n`);
}
