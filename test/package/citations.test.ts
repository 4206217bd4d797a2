/** What comments cite must be in the repository: sections of docs/, and recordings of a real server. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const FOLDERS = ['credentials', 'nodes', 'sandbox', 'test', 'tools'];
const FACTS = ['docs/reference/service-notes.md', 'docs/reference/n8n-internals.md'];

/** Sections of the pages of facts that no comment cites. Each needs a reason here. */
const UNCITED: string[] = [];

/** Ways to cite documents that are not in the repository. */
const ELSEWHERE =
	/CONTRACT( sections?|\.md)|SERVICE( sections?|\.md)|N8N( facts?|\.md)|NOTES (of|\d)|NOTES[,)]|\b(sections?|facts?) \d/;

interface Source {
	file: string;
	text: string;
}

const read = (file: string): Source => ({ file, text: readFileSync(join(ROOT, file), 'utf8') });

const filesIn = (folder: string, ending: string): string[] =>
	readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith(ending) && !name.includes('node_modules'))
		.map((name) => `${folder}/${name}`);

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(page: string): string[] {
	return [...page.matchAll(/^#{2,} (.+)$/gm)].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replace(/[^a-z0-9 -]/g, '')
			.replaceAll(' ', '-'),
	);
}

/** Each block of comment lines as one text. */
function commentsOf(text: string): string[] {
	const lines = text.split('\n').map((line) => /^\s*(?:\/\*\*?|\*|\/\/)(.*)$|.*\s\/\/ (.*)$/.exec(line));
	const blocks = lines
		.map((found) => (found ? (found[1] ?? found[2] ?? '').trim() : '\n'))
		.join(' ')
		.split('\n');
	return blocks.filter((block) => block.trim() !== '');
}

/** The links to pages of docs/ that lead nowhere. */
function brokenLinks({ file, text }: Source, pages: ReadonlyMap<string, string[]>): string[] {
	return [...text.matchAll(/(docs\/[\w/-]+\.md)#([a-z0-9-]+)/g)]
		.filter(([, page = '', anchor = '']) => !pages.get(page)?.includes(anchor))
		.map(([link]) => `${file}: ${link}`);
}

/** The names of recordings in `text` that stand in no fixture. */
function missingRecordings(text: string, names: readonly string[]): string[] {
	const kinds = [...new Set(names.map((name) => name.replace(/-\d.*$/, '')))].join('|');
	const cited = text.match(new RegExp(`(?<![\\w-])(?:${kinds})-\\d[a-z0-9-]*`, 'g')) ?? [];
	return cited.filter((one) => !names.some((name) => name === one || name.startsWith(`${one}-`)));
}

const sources = FOLDERS.flatMap((folder) => filesIn(folder, '.ts'))
	.filter((file) => file !== 'test/package/citations.test.ts')
	.map(read);
const pages = new Map(filesIn('docs', '.md').map((file) => [file, anchorsOf(read(file).text)] as const));
const recordings = filesIn('test/fixtures/recorded', '.json').flatMap((file) =>
	(JSON.parse(read(file).text) as Array<{ name: string }>).map(({ name }) => name),
);

it('reads the code, the pages and the recordings', () => {
	expect(sources.length).toBeGreaterThan(500);
	for (const page of FACTS) expect(pages.get(page)?.length).toBeGreaterThan(10);
	expect(recordings.length).toBeGreaterThan(1000);
});

it('finds the section of each link in a comment', () => {
	expect(sources.flatMap((source) => brokenLinks(source, pages))).toEqual([]);
});

it('finds the section of each link between the pages', () => {
	const texts = [...pages.keys(), 'CONTRIBUTING.md'].map((file) => ({
		file,
		text: read(file).text.replace(
			/\]\(([^()#:]*\.md)?(#[^()]+)\)/g,
			(_, to: string | undefined, anchor: string) => `](${to === undefined ? file : join(dirname(file), to)}${anchor})`,
		),
	}));
	expect(texts.flatMap((page) => brokenLinks(page, pages))).toEqual([]);
});

it.each(FACTS)('keeps no section of %s that nobody cites', (page) => {
	const cited = new Set(sources.flatMap(({ text }) => text.match(/docs\/[\w/-]+\.md#[a-z0-9-]+/g) ?? []));
	const links = (pages.get(page) ?? []).map((anchor) => `${page}#${anchor}`);
	expect(links.filter((link) => !cited.has(link) && !UNCITED.includes(link))).toEqual([]);
});

it('cites no document that is not in the repository', () => {
	const found = sources.flatMap(({ file, text }) =>
		commentsOf(text)
			.filter((comment) => ELSEWHERE.test(comment))
			.map((comment) => `${file}: ${comment}`),
	);
	expect(found).toEqual([]);
});

it('has each recording that a comment or a page of facts cites', () => {
	const cited = sources.flatMap(({ file, text }) =>
		commentsOf(text)
			.filter((comment) => /recordings?\b/i.test(comment))
			.map((comment) => ({ file, text: comment })),
	);
	const found = [...cited, ...FACTS.map(read)].flatMap(({ file, text }) =>
		missingRecordings(text, recordings).map((name) => `${file}: ${name}`),
	);
	expect(found).toEqual([]);
});

it('leads from each symptom in CONTRIBUTING.md to files that exist', () => {
	const table = /## From a symptom to the code\n([^]*?)\n## /.exec(read('CONTRIBUTING.md').text)?.[1];
	const paths = [...(table ?? '').matchAll(/`([\w.-]+\/[\w./-]+)`/g)].map(([, name = '']) =>
		name.replace(/^run\//, 'nodes/run/').replace(/^service\//, 'nodes/service/'),
	);
	expect(paths.length).toBeGreaterThan(40);
	expect(paths.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
});
