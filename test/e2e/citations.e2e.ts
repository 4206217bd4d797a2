/** Links of citations, in a real browser: they lead to their sentence, or to no place in the page. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type Browser, chromium } from 'playwright-core';
import { toMarkdown } from '../../sandbox/html/markdown.ts';
import { citedPages } from './harness/cited-pages.ts';
import { browserPath, flags } from './harness/editor.ts';

interface QuotedPage {
	find(quote: string): { quote: string } | undefined;
	jumpTo(quote: string): string | undefined;
}

/** As it is built: the package's own files. */
const { QuotedPage } = createRequire(import.meta.url)('../../dist/nodes/research/claims/passages.js') as {
	QuotedPage: new (markdown: string) => QuotedPage;
};

/** How far the sentence is from the middle of the window, and how far the page was scrolled, in pixels. */
const placeOf = (number: number): string => `(() => {
	const { top, bottom } = document.querySelector('[data-quote="${number}"]').getBoundingClientRect();
	return { away: Math.abs((top + bottom) / 2 - window.innerHeight / 2), scrolled: window.scrollY };
})()`;
const TWO_FRAMES = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

/** Makes of which Markdown does not say that their words stand in two boxes: there a browser may mark nothing. */
const UNSEEN = /two lines of a cell|inline block/;

const PAGES = citedPages(4, Number(process.env.SEED ?? 1));
/** Where the middle of the sentence may lie from the middle of the window, in pixels. */
const NEAR = 120;

describe('links of citations', { timeout: 300_000 }, () => {
	let server: Server;
	let browser: Browser;
	let baseUrl = '';

	before(async () => {
		server = createServer((request, response) => {
			const page = PAGES[Number(new URL(request.url ?? '', 'http://localhost').pathname.slice(1))];
			response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page?.html ?? '');
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		browser = await chromium.launch({ executablePath: browserPath(), args: flags });
	});

	after(async () => {
		await browser.close();
		server.close();
	});

	test('200 quotes of 40 pages: right, or without a directive', { timeout: 300_000 }, async () => {
		const context = await browser.newContext({ viewport: { width: 800, height: 600 } });
		const page = await context.newPage();
		const table = {
			right: 0,
			without: 0,
			elsewhere: [] as string[],
			nowhere: [] as string[],
			unseen: [] as string[],
			notFound: 0,
		};
		const without = new Map<string, number>();
		for (const [at, { name, html, sentences }] of PAGES.entries()) {
			const quoted = new QuotedPage(toMarkdown(html));
			for (const { number, holder, text } of sentences) {
				const found = quoted.find(text) ?? quoted.find(text.replace(/[^\p{L}\p{M}\p{N}\s]/gu, ''));
				const jump = quoted.jumpTo(found?.quote ?? text);
				if (!found) table.notFound += 1;
				if (jump === undefined) {
					table.without += 1;
					without.set(holder, (without.get(holder) ?? 0) + 1);
					continue;
				}
				await page.goto('about:blank');
				await page.goto(`${baseUrl}/${at}#:~:text=${jump}`);
				await page.evaluate(TWO_FRAMES);
				const { away, scrolled } = (await page.evaluate(placeOf(number))) as { away: number; scrolled: number };
				const said = `${name}, ${holder}: ${decodeURIComponent(jump)} (${text})`;
				if (scrolled === 0) table[UNSEEN.test(holder) ? 'unseen' : 'nowhere'].push(said);
				else if (away > NEAR) table.elsewhere.push(said);
				else table.right += 1;
			}
		}
		await context.close();
		console.log(JSON.stringify({ ...table, without: { all: table.without, ...Object.fromEntries(without) } }, null, 1));
		assert.deepEqual([table.elsewhere, table.nowhere], [[], []]);
		assert.ok(table.right >= 200, `${table.right} are right`);
	});
});
