import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

import type { RepositoryAddresses } from './readmeLinks.ts';

const manifestShape = z
	.object({
		name: z.string(),
		version: z.string(),
		// Whatever a maintainer has filled in: `missingFacts` says what n8n and npm want to see.
		author: z.unknown(),
		repository: z.unknown(),
		allowScripts: z.unknown(),
	})
	.passthrough();
const repositoryShape = z.object({
	type: z.literal('git'),
	url: z.string().regex(/^git\+https:\/\/github\.com\/[^/]+\/[^/]+\.git$/),
});

/** The part of package.json that publishing needs. */
export type Manifest = z.infer<typeof manifestShape>;

/** @throws when the name or the version is missing. */
export function readManifest(root: string): Manifest {
	const manifest: unknown = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
	return { ...(manifest as object), ...manifestShape.parse(manifest) };
}

/**
 * The repository's page. `repository.url` is the one place that names its owner; everything else is
 * made from it. Undefined when it is no GitHub address: n8n accepts packages that GitHub has built.
 */
export function repositoryPage({ repository }: Manifest): string | undefined {
	const { data } = repositoryShape.safeParse(repository);
	return data?.url.replace(/^git\+/, '').replace(/\.git$/, '');
}

function knownPage(manifest: Manifest): string {
	const page = repositoryPage(manifest);
	if (page === undefined) throw new Error('package.json: repository.url is no GitHub address.');
	return page;
}

/**
 * Where the files of this version are to be read: at its tag, so that they stay as they were.
 *
 * @throws where the repository is not known
 */
export function addressesOf(manifest: Manifest): RepositoryAddresses {
	const page = knownPage(manifest);
	const tag = `v${manifest.version}`;
	const raw = page.replace('https://github.com/', 'https://raw.githubusercontent.com/');
	return { pages: `${page}/blob/${tag}/`, files: `${raw}/${tag}/` };
}

/**
 * The manifest as it is published: with the address for bugs, which follows from the repository's, and
 * without what holds for installing this clone only.
 *
 * @throws where the repository is not known
 */
export function publishedManifest(manifest: Manifest): Manifest {
	const published = { ...manifest, bugs: { url: `${knownPage(manifest)}/issues` } };
	delete published.allowScripts;
	return published;
}
