import { cpSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/** What n8n's reviewers lint of a repository: the sources of nodes and credentials, and package.json. */
const REVIEWED = [
	'nodes',
	'credentials',
	'icons',
	'package.json',
	'eslint.config.mjs',
	'tsconfig.json',
	'tsconfig.build.json',
];

/**
 * Copies the part of the repository that reviewers lint. n8n's configuration holds every file for a
 * node's, and it may not be changed in strict mode; tests and the sandbox are none and use Node.js freely.
 *
 * @param into made anew; within the clone, so that the linter finds its packages
 */
export function copyReviewed(root: string, into: string): void {
	rmSync(into, { recursive: true, force: true });
	mkdirSync(into, { recursive: true });
	for (const name of REVIEWED) cpSync(path.join(root, name), path.join(into, name), { recursive: true });
}
