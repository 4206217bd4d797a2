import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

interface Manifest {
	dependencies?: unknown;
	n8n: { nodes: string[]; credentials: string[] };
	scripts: Record<string, string>;
}
const manifest = JSON.parse(read('package.json')) as Manifest;

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

	it('ships every node and credential it declares, with codex file and both icons', () => {
		expect(files).toEqual(
			expect.arrayContaining([
				...manifest.n8n.nodes,
				...manifest.n8n.credentials,
				...manifest.n8n.nodes.map((file) => file.replace(/\.js$/, '.json')),
				'dist/icons/web-data.svg',
				'dist/icons/web-data.dark.svg',
			]),
		);
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

describe('the lock file', () => {
	it('holds no download addresses', () => {
		expect(read('package-lock.json')).not.toMatch(/"resolved": "https?:/);
	});
});
