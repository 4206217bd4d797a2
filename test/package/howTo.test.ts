import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import { loadBuiltPackage } from '../../tools/n8n-engine/index.ts';
import { readWorkflow } from '../../tools/n8n/examples.ts';
import { linksOf } from '../../tools/release/readmeLinks.ts';

const ROOT = path.join(__dirname, '../..');
const FOLDER = path.join(ROOT, 'docs/how-to');
const PICTURES = path.join(ROOT, 'docs/pictures');
const read = (file: string) => readFileSync(file, 'utf8');
const named = (ending: string) => readdirSync(FOLDER).filter((name) => name.endsWith(ending));
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

/** The files beside the page that it links to. */
const linked = (page: string, kind: 'link' | 'image') =>
	linksOf(read(path.join(FOLDER, page)))
		.filter((link) => link.kind === kind && !link.url.startsWith('http'))
		.map(({ url }) => path.join(FOLDER, url.replace(/#.*$/, '')));

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
	const text = read(path.join(FOLDER, page));

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
			const [file = '', anchor] = path.join(FOLDER, url).split('#');
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
	for (const file of named('.json')) expect(used).toContain(path.join(FOLDER, file));
	const pictures = readdirSync(PICTURES).filter((name) => name.startsWith('how-to-'));
	const shown = pages.flatMap((page) => linked(page, 'image'));
	for (const name of pictures) {
		expect(shown).toContain(path.join(PICTURES, name));
		expect(statSync(path.join(PICTURES, name)).size).toBeLessThan(MAX_PICTURE_BYTES);
	}
});

it('is listed in the README, page by page', () => {
	const [, usage = ''] = read(path.join(ROOT, 'README.md')).split('\n## Usage\n');
	const listed = linksOf(usage).map(({ url }) => url);
	for (const page of pages) expect(listed).toContain(`docs/how-to/${page}`);
});
