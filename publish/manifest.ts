import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

import type { RepositoryAddresses } from './readmeLinks.ts';

const manifestShape = z
	.object({
		name: z.string(),
		version: z.string(),
		author: z.object({ name: z.string(), email: z.string() }),
		repository: z.object({ type: z.literal('git'), url: z.string() }),
	})
	.passthrough();

/** The part of package.json that publishing needs. */
export type Manifest = z.infer<typeof manifestShape>;

/** @throws when a field that publishing needs is missing. */
export function readManifest(root: string): Manifest {
	const manifest: unknown = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
	return { ...(manifest as object), ...manifestShape.parse(manifest) };
}

/**
 * The repository's page. `repository.url` is the one place that names its owner; everything else is
 * made from it.
 *
 * @throws when it is no GitHub address: n8n accepts packages that GitHub has built.
 */
export function repositoryPage({ repository }: Manifest): string {
	const [, page] = /^git\+(https:\/\/github\.com\/[^/]+\/[^/]+)\.git$/.exec(repository.url) ?? [];
	if (page === undefined)
		throw new Error('package.json: repository.url is git+https://github.com/<owner>/<name>.git');
	return page;
}

/** Where the files of this version are to be read: at its tag, so that they stay as they were. */
export function addressesOf(manifest: Manifest): RepositoryAddresses {
	const page = repositoryPage(manifest);
	const tag = `v${manifest.version}`;
	const raw = page.replace('https://github.com/', 'https://raw.githubusercontent.com/');
	return { pages: `${page}/blob/${tag}/`, files: `${raw}/${tag}/` };
}

/** The manifest as it is published: with the address for bugs, which follows from the repository's. */
export function publishedManifest(manifest: Manifest): Manifest {
	return { ...manifest, bugs: { url: `${repositoryPage(manifest)}/issues` } };
}
