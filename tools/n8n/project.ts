import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const packageName = 'n8n-nodes-web-data';
const manifest = z.object({ name: z.string().optional() });

/**
 * The clone's root folder, found by walking up from `from` (npm scripts and tests start inside the
 * clone, so the current folder will do).
 *
 * @throws when no folder above `from` is this package.
 */
export function projectRoot(from: string = process.cwd()): string {
	let folder = path.resolve(from);
	for (;;) {
		const file = path.join(folder, 'package.json');
		if (existsSync(file)) {
			const parsed = manifest.safeParse(JSON.parse(readFileSync(file, 'utf8')));
			if (parsed.success && parsed.data.name === packageName) return folder;
		}
		const parent = path.dirname(folder);
		if (parent === folder) {
			throw new Error(`Run this inside a clone of ${packageName}: no folder above ${from} is one.`);
		}
		folder = parent;
	}
}

/** The n8n lines this package is run on, the newest first, each with a lock file of its own. */
export const n8nVersions = ['2.41', '2.40', '1.123'] as const;

/** One of the n8n lines in `tools/n8n/versions/`. */
export type N8nVersion = (typeof n8nVersions)[number];

/** What is run where nobody chooses a line. */
export const newestN8n: N8nVersion = n8nVersions[0];

/** `value` as an n8n line, or an error that lists the ones there are. */
export function readN8nVersion(value: string): N8nVersion {
	const found = n8nVersions.find((version) => version === value);
	if (found === undefined) {
		throw new Error(`There is no n8n ${value} here; there are ${n8nVersions.join(', ')}.`);
	}
	return found;
}

/** The name under which n8n loads this package; node types are `<packageName>.<node>`. */
export const webDataPackage = packageName;
