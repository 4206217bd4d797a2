import type { INodeParameters } from 'n8n-workflow';
import { crawlStart, callTool, jsonOf, NODE, runNode } from './run';
import { scraped, serve, service } from './pageService';
import type { Json } from './pageService';

/** Paragraphs of about 90 characters, each with its number. */
const TEXT = Array.from(
	{ length: 500 },
	(_unused, at) => `Paragraph ${at} of a long page, which says one thing. It says it in two sentences.`,
).join('\n\n');

const scrape = (more: INodeParameters): INodeParameters => ({
	resource: 'page',
	operation: 'scrape',
	url: 'https://a.example/',
	...more,
});

const longPage = (name: string): Json => ({ ...scraped(`https://site.example/${name}`), markdown: TEXT });

const answerWith = async (data: unknown) => await serve({ instead: () => ({ body: { success: true, data } }) });

describe('Max Characters per Page', () => {
	it('cuts at a paragraph, and From Character reads on until nothing is left', async () => {
		await answerWith(longPage('a'));
		const parts: string[] = [];
		for (let from: unknown = 0; from !== undefined;) {
			const scrapeOptions = { maxPageCharacters: 10_000, fromCharacter: Number(from) };
			const [item] = jsonOf((await runNode(service, scrape({ scrapeOptions }))).items(NODE));
			expect(item?.length).toBe(TEXT.length);
			parts.push(String(item?.markdown));
			from = item?.cutAt;
		}
		expect(parts).toHaveLength(Math.ceil(TEXT.length / 10_000));
		expect(parts.every((part) => part.length <= 10_000 && part.startsWith('Paragraph'))).toBe(true);
		expect(parts.join('')).toBe(TEXT);
	});

	it.each([
		['pages', ({ markdown }: Json) => markdown],
		['job', ({ pages }: Json) => (pages as Json[])[0]?.markdown],
	])('cuts each page of a crawl (%s), and no emoji', async (output, markdownOf) => {
		await serve({ job: () => ({ pages: [{ ...longPage('a'), markdown: '\u{1F469}\u200D\u{1F467}'.repeat(50) }] }) });
		const parameters = crawlStart({ output, scrapeOptions: { maxPageCharacters: 98 } });
		const [item] = jsonOf((await runNode(service, parameters)).items(NODE));
		expect(markdownOf(item ?? {})).toBe('\u{1F469}\u200D\u{1F467}'.repeat(19));
	});

	it('cuts no file', async () => {
		await serve({ job: () => ({ pages: [longPage('a')] }) });
		const parameters = crawlStart({ output: 'file', scrapeOptions: { maxPageCharacters: 98 } });
		const [file] = jsonOf((await runNode(service, parameters)).items(NODE));
		expect(file?.bytes).toBeGreaterThan(TEXT.length);
	});
});

describe('an AI agent', () => {
	const items = async (parameters: INodeParameters): Promise<Json[]> => {
		const { texts } = await callTool(service, { mode: 'manual', parameters, args: [{}], path: 'invoke' });
		return JSON.parse(texts[0] ?? '[]') as Json[];
	};

	it('gets 20,000 characters of a page, and one note that says how to get the rest', async () => {
		await answerWith(longPage('a'));
		const [page, note, ...more] = await items(scrape({}));
		expect(String(page?.markdown).length).toBe(page?.cutAt);
		expect(page?.cutAt).toBeGreaterThan(19_000);
		expect(page?.length).toBe(TEXT.length);
		expect(note?.message).toMatch(/^One page is cut: .*Question.*Highlights.*From Character/);
		expect(more).toEqual([]);
	});

	it('gets what stands behind a picture, which takes no room', async () => {
		const picture = `![chart](data:image/png;base64,${'iVBORw0KGgo'.repeat(6_000)})`;
		await answerWith({ ...longPage('a'), markdown: `${picture}\n\n${TEXT}` });
		const [page] = await items(scrape({}));
		const shown = `![chart](image/png, left out)\n\n${TEXT}`;
		expect(page).toMatchObject({ markdown: shown.slice(0, Number(page?.cutAt)), length: shown.length });
		expect(page?.cutAt).toBeGreaterThan(19_000);
	});

	it('is told of no cut by data that has a field of that name', async () => {
		await answerWith({ ...scraped('https://site.example/a'), json: { cutAt: 5, length: 9 } });
		expect(await items(scrape({}))).toHaveLength(1);
	});

	it('gets as much as is set', async () => {
		await answerWith(longPage('a'));
		const all = await items(scrape({ scrapeOptions: { maxPageCharacters: 60_000 } }));
		expect(all.map(({ markdown }) => markdown)).toEqual([TEXT]);
	});

	it('gets a part of each of ten long pages, with one note and true places', async () => {
		await answerWith({ web: Array.from({ length: 10 }, (_unused, at) => ({ ...longPage(`${at}`), title: 'A' })) });
		const all = await items({ resource: 'search', operation: 'search', query: 'long pages', withContent: true });
		expect(JSON.stringify(all).length).toBeLessThan(110_000);
		const pages = all.slice(0, 10);
		for (const { markdown, cutAt, length } of pages) {
			expect(TEXT.startsWith(String(markdown))).toBe(true);
			expect([cutAt, length]).toEqual([String(markdown).length, TEXT.length]);
			expect(cutAt).toBeGreaterThan(8_000);
		}
		expect(all.slice(10)).toEqual([{ message: expect.stringContaining('Highlights') as string }]);
	});
});
