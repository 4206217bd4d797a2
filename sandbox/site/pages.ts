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

/** All pages of `pages.md`, in the order of the navigation. */
export const PAGES: readonly SitePage[] = readFileSync(new URL('./pages.md', import.meta.url), 'utf8')
	.split(/^# /m)
	.slice(1)
	.map(readPage);

/** The page of the site at this address of example.com, if it has one. */
export function ownPage(url: string): SitePage | undefined {
	const { hostname, pathname } = new URL(url);
	return hostname === 'example.com' ? PAGES.find(({ path }) => path === pathname) : undefined;
}
