import { repositoryPage } from './manifest.ts';
import type { Manifest } from './manifest.ts';

/** What a maintainer has to fill in before the package can be published. */
export interface ToFillIn {
	where: string;
	what: string;
}

const OWNER = 'OWNER';

/**
 * What stands in the repository in place of a fact that only its maintainers know, and what of a
 * release is missing.
 *
 * @param changelog text of CHANGELOG.md
 * @param tag the tag that is published; undefined outside a release
 */
export function missingFacts(manifest: Manifest, changelog: string, tag?: string): ToFillIn[] {
	const { author, version } = manifest;
	const found: ToFillIn[] = [];
	if (repositoryPage(manifest).includes(`/${OWNER}/`)) {
		found.push({
			where: 'package.json, repository.url',
			what: `the owner of the repository instead of ${OWNER}; the address for bugs and all links of the README follow`,
		});
	}
	if (/\.example$/.test(author.email)) {
		found.push({ where: 'package.json, author', what: 'a name and an address that answers' });
	}
	if (!changelog.includes(`\n## ${version}\n`)) {
		found.push({ where: 'CHANGELOG.md', what: `a section "## ${version}"` });
	}
	if (tag !== undefined && tag !== `v${version}`) {
		found.push({
			where: 'package.json, version',
			what: `the version of the tag: ${version} is not ${tag}`,
		});
	}
	return found;
}
