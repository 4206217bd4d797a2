import { z } from 'zod';

import { repositoryPage } from './manifest.ts';
import type { Manifest } from './manifest.ts';

/** What a maintainer has to fill in before the package can be published. */
interface ToFillIn {
	where: string;
	what: string;
}

const OWNER = 'OWNER';
const SHAPE = '{ "type": "git", "url": "git+https://github.com/<owner>/<name>.git" }';

/** n8n's linter wants both. */
const authorShape = z.object({ name: z.string().min(1), email: z.string().regex(/@/) });

/** What is about to be published; what is left out is as package.json has it. */
interface Release {
	version?: string | undefined;
	tag?: string | undefined;
}

/**
 * What stands in the repository in place of a fact that only its maintainers know, and what of a
 * release is missing.
 *
 * @param changelog text of CHANGELOG.md
 */
export function missingFacts(
	manifest: Manifest,
	changelog: string,
	{ version = manifest.version, tag }: Release = {},
): ToFillIn[] {
	const found: ToFillIn[] = [];
	const page = repositoryPage(manifest);
	if (page === undefined) {
		found.push({ where: 'package.json, repository.url', what: `the repository as ${SHAPE}` });
	} else if (page.includes(`/${OWNER}/`)) {
		found.push({
			where: 'package.json, repository.url',
			what: `the owner of the repository instead of ${OWNER}; the address for bugs and all links of the README follow`,
		});
	}
	const { data: author } = authorShape.safeParse(manifest.author);
	if (author === undefined || /\.example$/.test(author.email)) {
		found.push({
			where: 'package.json, author',
			what: 'a name and an address that answers, as { "name": …, "email": … }',
		});
	}
	if (!hasSection(changelog, version)) {
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

/** True when something stands below the heading. */
function hasSection(changelog: string, version: string): boolean {
	const lines = changelog.split(/\r?\n/);
	const heading = lines.indexOf(`## ${version}`);
	const next = lines.slice(heading + 1).find((line) => line !== '');
	return heading >= 0 && next !== undefined && !next.startsWith('## ');
}
