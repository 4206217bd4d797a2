import { load } from 'cheerio';

import type { OwnSite } from '../web/ownSite.ts';

/** A page of a browser as code drives it, by the names of Playwright. Of other sites it shows nothing. */
export type StandInPage = Record<string, unknown>;

const BLANK = '<html><head><title>Page</title></head><body><h1>Page</h1></body></html>';

/** The page of one session: it loads the sandbox's own pages, fills their forms and sends them. */
export function standInPage(own: OwnSite): StandInPage {
	let address = 'about:blank';
	let shown = load(BLANK);
	let filled = new Map<string, string>();

	const visit = async (url: string, form?: URLSearchParams): Promise<void> => {
		address = new URL(url, address === 'about:blank' ? undefined : address).href;
		filled = new Map();
		shown = load(BLANK);
		if (!own.has(address)) return;
		const { url: place, headers } = own.locate(address);
		const sent = form && { method: 'POST', body: form };
		const answer = await fetch(place, { headers, ...sent });
		shown = load(await answer.text());
	};

	const find = (selector: string) => {
		const found = shown(selector);
		if (found.length === 0) throw new Error(`Timeout 30000ms exceeded: waiting for "${selector}"`);
		return found;
	};

	const fill = async (selector: string, value: string): Promise<void> => {
		filled.set(find(selector).first().attr('name') ?? selector, value);
	};

	const click = async (selector: string): Promise<void> => {
		const element = find(selector).first();
		const link = element.attr('href');
		if (link !== undefined) return visit(link);
		const form = element.closest('form');
		if (form.length === 0) return;
		await visit(form.attr('action') ?? address, new URLSearchParams([...filled]));
	};

	const texts = (selector: string): string[] =>
		shown(selector)
			.toArray()
			.map((one) => shown(one).text().trim());
	const textContent = async (selector: string): Promise<string> => find(selector).first().text();
	const done = async (): Promise<void> => undefined;

	return {
		goto: (url: string) => visit(url),
		url: () => address,
		title: async () => shown('title').text(),
		content: async () => shown.html(),
		textContent,
		innerText: textContent,
		click,
		fill,
		press: done,
		waitForSelector: async (selector: string) => void find(selector),
		waitForTimeout: done,
		locator: (selector: string) => ({
			allTextContents: async () => texts(selector),
			allInnerTexts: async () => texts(selector),
			textContent: () => textContent(selector),
			count: async () => texts(selector).length,
			click: () => click(selector),
			fill: (value: string) => fill(selector, value),
		}),
	};
}
