import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { publishedManifest, readManifest } from '../../tools/release/manifest.ts';

const ROOT = join(__dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

interface Manifest {
	dependencies?: unknown;
	n8n: { nodes: string[]; credentials: string[] };
	scripts: Record<string, string>;
	allowScripts?: Record<string, boolean>;
}
const manifest = JSON.parse(read('package.json')) as Manifest;

interface Lock {
	packages: Record<string, { hasInstallScript?: boolean }>;
}

interface Packed {
	files: Array<{ path: string }>;
}

describe('the published package', () => {
	const [packed] = JSON.parse(
		execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
			cwd: ROOT,
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		}),
	) as Packed[];
	const files = packed?.files.map(({ path }) => path) ?? [];

	it('ships dist, and what npm always adds', () => {
		const others = files.filter((file) => !file.startsWith('dist/'));
		expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
	});

	it('ships code, data and icons: no tests, no maps, no address of the machine that built it', () => {
		const odd = files.filter((file) => file.startsWith('dist/') && !/\.(js|json|svg)$/.test(file));
		expect(odd).toEqual([]);
		expect(files.filter((file) => /\.test\.|tsbuildinfo/.test(file))).toEqual([]);
		const built = files.filter((file) => file.startsWith('dist/'));
		expect(built.filter((file) => read(file).includes(ROOT))).toEqual([]);
	});

	it('ships every node and credential it declares, with its codex and both icons', () => {
		const codexFiles = manifest.n8n.nodes.map((file) => file.replace(/\.js$/, '.json'));
		const isInline = (file: string) => /\n\s+codex: \{\n/.test(read(file.replace(/on$/, '')));
		expect(files).toEqual(
			expect.arrayContaining([
				...manifest.n8n.nodes,
				...manifest.n8n.credentials,
				...codexFiles.filter((file) => !isInline(file)),
			]),
		);
		const iconsOf = (file: string) => [...read(file).matchAll(/file:[./]+(icons\/[\w.-]+)/g)].map(([, icon]) => icon);
		const icons = [...manifest.n8n.nodes, ...manifest.n8n.credentials].map(iconsOf);
		for (const both of icons)
			expect(both).toEqual([expect.stringMatching(/\.svg$/), expect.stringMatching(/\.dark\.svg$/)]);
		expect(files).toEqual(expect.arrayContaining(icons.flat().map((icon) => `dist/${icon}`)));
		// A node is told from the others on a canvas; the credential has the icon of Web Data.
		expect(new Set(icons.flat()).size).toBe(2 * manifest.n8n.nodes.length);
	});

	it('has no runtime dependencies and needs nothing but n8n-workflow and Node', () => {
		expect(manifest.dependencies).toBeUndefined();
		const required = files
			.filter((file) => file.endsWith('.js'))
			.flatMap((file) => [...read(file).matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name))
			.filter((name) => name !== undefined && !name.startsWith('.'));
		expect(new Set(required)).toEqual(new Set(['n8n-workflow', 'node:crypto']));
	});
});

describe('what is installed to develop it', () => {
	// Since version 12 npm runs no install script that nobody has decided on: without that of `node` the
	// scripts of this project run under whatever Node.js the machine has.
	it('has a decision on each install script, and runs that of Node.js', () => {
		const { allowScripts = {} } = manifest;
		const { packages } = JSON.parse(read('package-lock.json')) as Lock;
		const withScript = Object.entries(packages)
			.filter(([, { hasInstallScript }]) => hasInstallScript === true)
			.map(([folder]) => folder.replace(/^.*node_modules\//, ''));
		expect(Object.keys(allowScripts).sort()).toEqual(withScript.sort());
		expect(allowScripts.node).toBe(true);
		// The package is published without it: it holds for this clone.
		expect(publishedManifest(readManifest(ROOT))).not.toHaveProperty('allowScripts');
	});
});

describe('the lock file', () => {
	it('holds no download addresses', () => {
		expect(read('package-lock.json')).not.toMatch(/"resolved": "https?:/);
	});
});
