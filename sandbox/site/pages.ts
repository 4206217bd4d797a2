import { readFileSync } from 'node:fs';

/** One page of the site. Texts are the project's own; their figures are made up to be plausible. */
export interface SitePage {
	path: string;
	title: string;
	/** For the description in the page's head. */
	description: string;
	/** Headings with their paragraphs. */
	sections: ReadonlyArray<{ heading: string; paragraphs: readonly string[] }>;
	/** Paths of pages to read next. */
	related: readonly string[];
}

function readPage(text: string): SitePage {
	const [head = '', ...sections] = text.split(/^## /m);
	const [title = '', ...facts] = head.trim().split(/\n+/);
	const fact = (name: string): string =>
		facts.find((line) => line.startsWith(`- ${name}: `))?.slice(name.length + 4) ?? '';
	return {
		path: fact('Path'),
		title,
		description: fact('Description'),
		related: fact('Related').split(', '),
		sections: sections.map((section) => {
			const [heading = '', ...paragraphs] = section.trim().split(/\n+/);
			return { heading, paragraphs };
		}),
	};
}

function readPages(file: string): SitePage[] {
	const texts = readFileSync(new URL(file, import.meta.url), 'utf8').split(/^# /m);
	return texts.slice(1).map(readPage);
}

/** All pages of `pages.md`, in the order of the navigation. */
export const PAGES: readonly SitePage[] = readPages('./pages.md');

/** Pages of twelve made-up firms, each on a site of its own; a path is a whole address here. */
export const FIRM_PAGES: readonly SitePage[] = readPages('./firms.md');

/** The hosts of the sites of firms. */
export const FIRM_HOSTS: ReadonlySet<string> = new Set(FIRM_PAGES.map(({ path }) => new URL(path).hostname));

/** The page at this address of example.com or of a firm, if there is one. */
export function ownPage(url: string): SitePage | undefined {
	const { hostname, pathname } = new URL(url);
	if (hostname === 'example.com') return PAGES.find(({ path }) => path === pathname);
	return FIRM_PAGES.find(({ path }) => path === `https://${hostname}${pathname}`);
}
