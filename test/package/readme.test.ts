import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import { readManifest } from '../../tools/release/manifest.ts';
import { linksOf } from '../../tools/release/readmeLinks.ts';

const ROOT = path.join(__dirname, '../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const readme = read('README.md');
const headings = [...readme.matchAll(/^##? (.+)$/gm)].map(([, heading]) => heading);

/** What fits on a screen of GitHub or npm: text in lines of this file, and a picture. */
const FIRST_SCREEN_LINES = 32;

it('has what a reader of community nodes looks for, where n8n’s template has it', () => {
	expect(headings).toEqual([
		'n8n-nodes-web-data',
		'Start',
		'Recipes',
		'What comes out',
		'Install',
		'Credentials',
		'Operations',
		'Usage',
		'Compatibility',
		'Resources',
		'Test',
		'Version history',
	]);
});

it('shows on its first screen what it is, a result, the first scrape, and how to try it', () => {
	const first = readme.split('\n').slice(0, FIRST_SCREEN_LINES).join('\n');
	const pictures = linksOf(first).filter(({ url }) => url.startsWith('docs/pictures/'));
	expect(pictures).toHaveLength(1);
	expect(first).toContain('without losing a job or paying for it twice');
	expect(first).toContain('**Execute step**');
	for (const command of ['npm ci && npm start', 'npm ci && npm run demo']) {
		expect(first).toContain(command);
	}
});

it('has the command that CI takes out of it', () => {
	expect(read('.ci/run')).toContain("'/^## Test/,/^## /p' README.md");
	expect(readme).toMatch(/^## Test\n\n```bash\nnpm ci && npm test\n```$/m);
});

it('is read in a minute, with the first one in a picture that loads quickly', () => {
	const unfolded = readme.replace(/<details>[^]*?<\/details>/g, '');
	expect(unfolded.split('\n').length).toBeLessThan(132);
	const pictures = linksOf(readme).map(({ url }) => url);
	const minute = 'docs/pictures/first-minute.webp';
	expect(pictures).toContain(minute);
	expect(statSync(path.join(ROOT, minute)).size).toBeLessThan(2 * 1024 * 1024);
});

it('leaves long tables to docs', () => {
	const tables = readme.match(/(^\|.*\n)+/gm) ?? [];
	for (const table of tables) expect(table.split('\n').length).toBeLessThan(20);
});

it('is where the panel’s links lead to', () => {
	const { name } = readManifest(ROOT);
	const anchors = headings.map((heading = '') => heading.toLowerCase().replaceAll(' ', '-'));
	const linking = [
		'credentials/WebDataApi.credentials.ts',
		...['WebData', 'WebDataTrigger', 'WebDataPollTrigger'].map((node) => `nodes/${node}/${node}.node.json`),
	];
	for (const file of linking) {
		const links = [...read(file).matchAll(/npmjs\.com\/package\/([\w-]+)#([\w-]+)/g)];
		expect(links.length).toBeGreaterThan(0);
		for (const [, packageName, anchor] of links) {
			expect(packageName).toBe(name);
			expect(anchors).toContain(anchor);
		}
	}
});

it('names scripts that exist, as CONTRIBUTING.md does', () => {
	const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
	const named = [...`${readme}${read('CONTRIBUTING.md')}`.matchAll(/`npm run (?:--silent )?([\w:-]+)/g)];
	expect(named.length).toBeGreaterThan(10);
	for (const [, script = ''] of named) expect(scripts).toHaveProperty([script]);
});

it('promises nothing of security without a test', () => {
	const [promised = '', rest = ''] = read('SECURITY.md').split('## What it does not promise');
	const promises = promised.split(/^- /m).slice(1);
	expect(promises.length).toBeGreaterThan(5);
	const named = (text: string) => [...text.matchAll(/`(test\/[\w/.]+\.ts)`/g)].map(([, file = '']) => file);
	for (const promise of promises) {
		expect(named(promise)).not.toEqual([]);
		for (const file of named(promise)) expect(read(file)).toContain('expect(');
	}
	for (const file of named(rest)) expect(read(file)).toContain('expect(');
});
