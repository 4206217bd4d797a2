import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

import { addressesOf, publishedManifest, readManifest } from '../../tools/release/manifest.ts';
import { wrongCategories } from '../../tools/release/categories.ts';
import { DOCS_PAGES } from '../../tools/release/packageFolder.ts';
import { missingFacts } from '../../tools/release/placeholders.ts';
import { isRelative, linksOf, withAbsoluteLinks } from '../../tools/release/readmeLinks.ts';
import { outerLines, everyLine } from '../e2e/harness/lines.ts';

const ROOT = path.join(__dirname, '../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const manifest = readManifest(ROOT);
const pages = [
	'README.md',
	'CONTRIBUTING.md',
	'SECURITY.md',
	'examples/README.md',
	...readdirSync(path.join(ROOT, 'docs'), { recursive: true }).map((name) => `docs/${String(name)}`),
];

describe('what is there to read', () => {
	it.each(everyLine(''))('README says what was run on n8n %s and its Node.js', (line) => {
		const { dependencies } = JSON.parse(read(`tools/n8n/versions/${line}/package.json`)) as {
			dependencies: { n8n: string; node: string };
		};
		const [nodeMajor = ''] = dependencies.node.split('.');
		const row = new RegExp(`^\\| ${dependencies.n8n.replaceAll('.', '\\.')}\\b[^|]*\\| ${nodeMajor} +\\|`, 'm');
		expect(read('README.md')).toMatch(row);
	});

	it.each(pages.filter((name) => name.endsWith('.md')))('%s leads to files that exist', (page) => {
		const dead = linksOf(read(page))
			.filter(isRelative)
			.map(({ url }) => path.join(path.dirname(page), url.replace(/#.*$/, '')))
			.filter((file) => !existsSync(path.join(ROOT, file)));
		expect(dead).toEqual([]);
	});

	it('has no relative address in the package, and otherwise the same words', () => {
		const at = addressesOf(manifest);
		const packed = withAbsoluteLinks(read('README.md'), at);
		expect(linksOf(packed).filter(isRelative)).toEqual([]);
		expect(packed.replaceAll(at.files, '').replaceAll(at.pages, '')).toBe(read('README.md'));
	});

	it('shows its pictures from the tag of its version', () => {
		const packed = withAbsoluteLinks(read('README.md'), addressesOf(manifest));
		const pictures = linksOf(packed).filter(({ kind }) => kind === 'image');
		const own = pictures.filter(({ url }) => !url.startsWith('https://img.shields.io/'));
		expect(own.length).toBeGreaterThan(1);
		for (const { url } of own) expect(url).toContain(`/v${manifest.version}/`);
	});

	it.each([
		['[r]: docs/a.md', '[r]: https://pages.example/docs/a.md'],
		['![p][p]\n\n[p]: a.png', '![p][p]\n\n[p]: https://files.example/a.png'],
		['<img src="a.png">', '<img src="https://files.example/a.png">'],
		['a <a href="a.md">b</a>', 'a <a href="https://pages.example/a.md">b</a>'],
		['<a href="#b">b</a>', '<a href="#b">b</a>'],
	])('makes an address absolute however it is written: %s', (written, packed) => {
		const at = { pages: 'https://pages.example/', files: 'https://files.example/' };
		expect(withAbsoluteLinks(written, at)).toBe(packed);
	});
});

it('codex files have categories that n8n allows', () => {
	expect(wrongCategories(ROOT)).toEqual([]);
});

it('the Docs link of each node leads to a page of its own', () => {
	const nodes = readdirSync(path.join(ROOT, 'nodes')).filter((name) =>
		existsSync(path.join(ROOT, 'nodes', name, `${name}.node.ts`)),
	);
	expect(Object.keys(DOCS_PAGES).sort()).toEqual(nodes.sort());
	for (const page of Object.values(DOCS_PAGES)) expect(existsSync(path.join(ROOT, page))).toBe(true);
});

describe('CONTRIBUTING', () => {
	it('shows an operation as it is', () => {
		const [, code] = /```ts\n(.*?)```/s.exec(read('CONTRIBUTING.md')) ?? [];
		expect(code).toBeDefined();
		expect(read('nodes/WebData/resources/support.ts')).toContain(code);
	});
});

describe('what a maintainer has to fill in', () => {
	const changelog = read('CHANGELOG.md');

	// Both hold before it is done and after.
	it('is the owner of the repository and who answers for the package, and nothing else', () => {
		expect(['package.json, repository.url', 'package.json, author']).toEqual(
			expect.arrayContaining(missingFacts(manifest, changelog).map(({ where }) => where)),
		);
	});

	it('is found where the owner and the address are made up', () => {
		const repository = { type: 'git', url: 'git+https://github.com/OWNER/x.git' };
		const author = { name: 'x', email: 'x@x.example' };
		expect(missingFacts({ ...manifest, repository, author }, changelog)).toHaveLength(2);
	});

	it('is nothing once both are there', () => {
		expect(missingFacts(filledIn(), changelog, { tag: `v${manifest.version}` })).toEqual([]);
	});

	it('a tag of another version and a changelog without the version are named', () => {
		expect(missingFacts(filledIn(), '# Changelog\n', { tag: 'v9.9.9' }).map(({ where }) => where)).toEqual([
			'CHANGELOG.md',
			'package.json, version',
		]);
	});

	it('the owner stands in one place; what else names the repository follows from it', () => {
		expect(read('package.json').match(/github\.com/g)).toHaveLength(1);
		expect(publishedManifest(filledIn())).toMatchObject({
			bugs: { url: 'https://github.com/somebody/n8n-nodes-web-data/issues' },
		});
	});

	it('npm version checks the version that it is about to write, before it writes it', () => {
		const { preversion, release } = scripts();
		expect(release).toMatch(/^npm version /);
		expect(preversion).toContain('check:publish');
		const facts = missingFacts(filledIn(), changelog, { version: '9.9.9' });
		expect(facts.map(({ what }) => what)).toEqual(['a section "## 9.9.9"']);
	});

	function scripts() {
		return (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts;
	}

	function filledIn() {
		return {
			...manifest,
			author: { name: 'Somebody', email: 'somebody@mail.test' },
			repository: {
				type: 'git' as const,
				url: 'git+https://github.com/somebody/n8n-nodes-web-data.git',
			},
		};
	}
});

interface Workflow {
	on: Record<string, unknown>;
	permissions: Record<string, string>;
	jobs: Record<
		string,
		{
			'runs-on': string;
			needs?: string;
			environment?: string;
			permissions?: Record<string, string>;
			strategy?: { matrix: Record<string, unknown[]> };
			steps: Array<{ uses?: string; run?: string; with?: Record<string, unknown> }>;
		}
	>;
}

describe('the workflows on GitHub', () => {
	const folder = '.github/workflows';
	const names = readdirSync(path.join(ROOT, folder));
	const workflows = new Map(names.map((name) => [name, parse(read(`${folder}/${name}`)) as Workflow]));
	const stepsOf = (name: string) => Object.values(workflows.get(name)?.jobs ?? {}).flatMap(({ steps }) => steps);
	const scripts = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts;

	it.each(names)('%s: every step is an action that is pinned to a commit, or a command that exists', (name) => {
		expect(stepsOf(name).length).toBeGreaterThan(3);
		for (const { uses, run } of stepsOf(name)) {
			if (uses !== undefined)
				expect(uses).toMatch(/^actions\/(checkout|setup-node|(up|down)load-artifact)@[0-9a-f]{40}$/);
			else expect(exists(run ?? '')).toBe(true);
		}
	});

	it('tests on Node.js 20, 22 and 24', () => {
		expect(workflows.get('ci.yml')?.jobs.test?.strategy?.matrix.node).toEqual([20, 22, 24]);
	});

	it('every night all end-to-end tests run on the lines of n8n that what takes long leaves out else', () => {
		const commands = stepsOf('ci.yml').map(({ run }) => run);
		const outer = outerLines('');
		for (const version of everyLine('').filter((line) => !outer.includes(line)))
			expect(commands).toContain(`npm run test:e2e -- --n8n ${version}`);
	});

	// Whoever may push a tag must not run commands beside the token that publishes.
	it.each(names)('%s: no command holds what comes from outside', (name) => {
		for (const { run } of stepsOf(name)) expect(run ?? '').not.toContain('${{');
	});

	it.each([
		['v1.0.0', true],
		['v10.20.30', true],
		// npm publishes it only under a tag of its own, and everybody's next update would be it otherwise.
		['v1.0.0-rc.1', false],
		['v1.0.0;id', false],
		['1.0.0', false],
	])('a tag %s publishes: %s', (tag, publishes) => {
		const { push } = workflows.get('publish.yml')?.on as { push: { tags: string[] } };
		expect(push.tags.some((pattern) => isMatch(pattern, tag))).toBe(publishes);
	});

	/** As GitHub reads the pattern of a tag: a dot is a dot, a star anything, a plus one more of what is before it. */
	function isMatch(pattern: string, tag: string): boolean {
		return new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`).test(tag);
	}

	it('a tag is tested and checked before it is published, with provenance', () => {
		const publish = workflows.get('publish.yml');
		expect(Object.keys(publish?.on ?? {})).toEqual(['push']);
		const { check, publish: last } = publish?.jobs ?? {};
		const commandsOf = (job: typeof check) => job?.steps.flatMap(({ run }) => run ?? []);
		expect(commandsOf(check)).toEqual(
			expect.arrayContaining(['npm ci', 'npm test', expect.stringMatching(/^npm run check:publish -- --tag /)]),
		);
		// What is installed and run has no right to publish; what has it runs nothing of anybody's.
		expect([publish?.permissions, check?.permissions]).toEqual([{ contents: 'read' }, undefined]);
		expect(commandsOf(check)?.[0]).toBe('git merge-base --is-ancestor "$GITHUB_SHA" origin/main');
		expect(last).toMatchObject({ needs: 'check', environment: 'npm', permissions: { 'id-token': 'write' } });
		expect(commandsOf(last)).toEqual(['npm publish ./package/*.tgz --provenance --access public --ignore-scripts']);
	});

	/** True for a script of package.json, a file of the repository, or a command of npm's own. */
	function exists(command: string): boolean {
		const [program = '', first = '', second = ''] = command.split(' ');
		if (program === 'git') return first === 'merge-base';
		if (program === 'npm') return ['ci', 'test', 'publish'].includes(first) || second in scripts;
		if (program === 'node') return existsSync(path.join(ROOT, first));
		return existsSync(path.join(ROOT, program));
	}
});
