import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import { loadBuiltPackage } from '../../tools/n8n-engine/index.ts';
import { readWorkflow } from '../../tools/n8n/examples.ts';
import { linksOf } from '../../tools/release/readmeLinks.ts';

const ROOT = path.join(__dirname, '../..');
const DOCS = path.join(ROOT, 'docs');
const PICTURES = path.join(ROOT, 'docs/pictures');
const read = (file: string) => readFileSync(file, 'utf8');
const FOLDERS = ['how-to', 'recipes'];
/** The files of both folders with this ending, below docs. */
const named = (ending: string) =>
	FOLDERS.flatMap((folder) =>
		readdirSync(path.join(DOCS, folder))
			.filter((name) => name.endsWith(ending))
			.map((name) => `${folder}/${name}`),
	);
const pages = named('.md');

/** A page is read while the editor is open beside it. */
const MAX_LINES = 40;
/** Sharp pictures have two pixels for each of the window. */
const MAX_PICTURE_BYTES = 120 * 1024;

/** What pages name in bold besides the panels: n8n's own buttons and nodes. */
const N8N_WORDS = [
	'+',
	'Tool',
	'Web Data Tool',
	'Split Out',
	'Choose Branch',
	'Retry',
	'On Error',
	'Let the model define this parameter',
	'Tool Description',
	'Retry On Fail',
];

const at = (page: string) => path.join(DOCS, page);
const besides = (page: string, url: string) => path.join(DOCS, path.dirname(page), url);

/** The files beside the page that it links to. */
const linked = (page: string, kind: 'link' | 'image') =>
	linksOf(read(at(page)))
		.filter((link) => link.kind === kind && !link.url.startsWith('http'))
		.map(({ url }) => besides(page, url.replace(/#.*$/, '')));

/** Every name in a description: of fields, their values, and the fields within. */
function namesIn(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(namesIn);
	if (typeof value !== 'object' || value === null) return [];
	const { displayName, name, ...rest } = value as Record<string, unknown>;
	return [displayName, name]
		.filter((text) => typeof text === 'string')
		.map((text) => text.replace(/ \((Seconds|Milliseconds)\)$/, ''))
		.concat(namesIn(Object.values(rest)));
}

describe.each(pages)('%s', (page) => {
	const text = read(at(page));

	it('is short', () => {
		expect(text.split('\n').length).toBeLessThanOrEqual(MAX_LINES);
	});

	it('shows its workflow in a small picture', () => {
		const [picture, ...others] = linked(page, 'image');
		expect(others).toEqual([]);
		expect(statSync(picture ?? '').size).toBeGreaterThan(1000);
	});

	it('has a workflow to import', () => {
		const workflows = linked(page, 'link').filter((file) => file.endsWith('.json'));
		expect(workflows.length).toBeGreaterThan(0);
		for (const file of workflows) expect(readWorkflow(file).nodes.length).toBeGreaterThan(1);
	});

	it('leads to files, and to headings that they have', () => {
		for (const { url } of linksOf(text).filter((link) => !link.url.startsWith('http'))) {
			const [file = '', anchor] = besides(page, url).split('#');
			expect(existsSync(file)).toBe(true);
			if (anchor === undefined) continue;
			const anchors = [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
				heading.toLowerCase().replaceAll(' ', '-'),
			);
			expect(anchors).toContain(anchor);
		}
	});

	it('names in bold what the panels have, by the name that they show', async () => {
		const { descriptions, credentialTypes } = await loadBuiltPackage(ROOT);
		const known = new Set([...namesIn([descriptions, ...credentialTypes.values()]), ...N8N_WORDS]);
		const bold = [...text.matchAll(/\*\*(.+?)\*\*/g)].flatMap(([, words = '']) => words.split(/ [·→] /));
		expect(bold.filter((word) => !known.has(word))).toEqual([]);
	});
});

it('has a page for each workflow and a workflow for each picture', () => {
	const used = pages.flatMap((page) => linked(page, 'link'));
	for (const file of named('.json')) expect(used).toContain(at(file));
	const pictures = readdirSync(PICTURES).filter((name) => /^(?:how-to|recipe)-/.test(name));
	const shown = pages.flatMap((page) => linked(page, 'image'));
	for (const name of pictures) {
		expect(shown).toContain(path.join(PICTURES, name));
		expect(statSync(path.join(PICTURES, name)).size).toBeLessThan(MAX_PICTURE_BYTES);
	}
});

it('is listed in the README, page by page', () => {
	const listed = linksOf(read(path.join(ROOT, 'README.md'))).map(({ url }) => url);
	for (const page of pages) expect(listed).toContain(`docs/${page}`);
});

it('has five recipes, each with its result first, what it costs and what it never does', () => {
	const recipes = pages.filter((page) => page.startsWith('recipes/'));
	expect(recipes).toHaveLength(5);
	for (const page of recipes) {
		const lines = read(at(page)).split('\n');
		expect(lines[2]).toMatch(/^!\[.+\]\(\.\.\/pictures\/recipe-/);
		expect(lines.filter((line) => line.startsWith('## '))).toEqual([
			'## Try it',
			'## Make it your own',
			'## How it works',
			'## What it costs',
			'## What it never does',
		]);
	}
});
