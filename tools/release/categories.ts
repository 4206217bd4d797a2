import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { z } from 'zod';

/** What n8n's linter of community nodes allows in a codex file (rule valid-node-categories, newer than the one installed). */
const CATEGORIES: readonly string[] = [
	'Data & Storage',
	'Finance & Accounting',
	'Marketing & Content',
	'Productivity',
	'Miscellaneous',
	'Sales',
	'Development',
	'Analytics',
	'Communication',
	'Utility',
];

const shape = z.object({ categories: z.array(z.string()).optional() });

/** The categories of codex files below `root` that n8n does not allow, as `file: category`. */
export function wrongCategories(root: string): string[] {
	const nodes = path.join(root, 'nodes');
	return readdirSync(nodes).flatMap((name) => {
		const file = path.join(nodes, name, `${name}.node.json`);
		if (!existsSync(file)) return [];
		const { categories = [] } = shape.parse(JSON.parse(readFileSync(file, 'utf8')));
		return categories
			.filter((category) => !CATEGORIES.includes(category))
			.map((category) => `nodes/${name}/${name}.node.json: ${category}`);
	});
}
