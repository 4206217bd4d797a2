import { FIRM_PAGES, PAGES } from './pages.ts';
import type { SitePage } from './pages.ts';

/** A part of the site that changes on demand: a handbook of a product and a shop. Nothing else links to it. */
const EDITIONS = [1, 2] as const;
export type Edition = (typeof EDITIONS)[number];

/** A page of one edition. Several texts: one for each edition. */
interface Text {
	title: string;
	text: string | { 1?: string; 2?: string };
}

/**
 * From edition 1 to 2: three pages change (limits, install, prices), one is new (backups), one is gone (fax).
 * The start page lists the pages, so its links change; its own text does not.
 */
const HANDBOOK: Readonly<Record<string, Text>> = {
	install: {
		title: 'Install the route planner',
		text: {
			1: '## With a package\nInstall the route planner with the package of the depot.\n\n## With Docker\nThe container needs 2 GB of memory.\n\n    docker run planner:3',
			2: '## With a package\nInstall the route planner with the package of the depot.\n\n## With Docker\nThe container needs 4 GB of memory.\n\n    docker run planner:4',
		},
	},
	limits: {
		title: 'Limits of the route planner',
		text: {
			1: 'A tour holds at most 80 stops. A depot plans up to 40 riders a day.',
			2: 'A tour holds at most 120 stops. A depot plans up to 40 riders a day.',
		},
	},
	prices: {
		title: 'Licences of the route planner',
		text: {
			1: 'A licence costs 19 euros a rider and month.',
			2: 'A licence costs 21 euros a rider and month.',
		},
	},
	riders: {
		title: 'Add a rider',
		text: 'Open Riders and press Add. A rider signs in with the number on the badge.',
	},
	maps: {
		title: 'Maps and closed roads',
		text: 'Maps are renewed each Sunday night. Mark a closed road on the map to plan around it.',
	},
	fax: {
		title: 'Send tours by fax',
		text: { 1: 'Tours are sent by fax when a depot has no network.' },
	},
	backups: {
		title: 'Backups of the tours',
		text: { 2: 'Backups of all tours are written each night at 2 and kept for 30 days.' },
	},
};

interface Article {
	name: string;
	/** In euros, by edition. None: not on offer then. */
	price: { 1?: number; 2?: number };
}

/** From edition 1 to 2: one price changes, one article is new, one is gone. */
const SHOP: Readonly<Record<string, Article>> = {
	'cargo-bike': { name: 'Cargo bike', price: { 1: 4500, 2: 4290 } },
	battery: { name: 'Battery', price: { 1: 640, 2: 640 } },
	'winter-tyres': { name: 'Winter tyres', price: { 1: 95 } },
	'child-seat': { name: 'Child seat', price: { 2: 149 } },
};

function handbookPage(name: string, edition: Edition): string | undefined {
	const page = HANDBOOK[name];
	const text = typeof page?.text === 'string' ? page.text : page?.text[edition];
	return page && text !== undefined ? wrap(page.title, proseOf(text)) : undefined;
}

function shopPage(name: string, edition: Edition): string | undefined {
	const article = SHOP[name];
	const price = article?.price[edition];
	if (!article || price === undefined) return undefined;
	const data = {
		'@context': 'https://schema.org',
		'@type': 'Product',
		name: article.name,
		sku: name,
		offers: { '@type': 'Offer', price, priceCurrency: 'EUR' },
	};
	const linked = `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
	return wrap(article.name, `<p>${article.name}: ${price} EUR.</p>`, linked);
}

/** The page of this path in this edition; undefined where it has none. */
export function editionPage(path: string, edition: Edition): string | undefined {
	const [, part, name = '', ...more] = path.split('/');
	if (more.length > 0) return undefined;
	const renderOne = part === 'handbook' ? handbookPage : part === 'shop' ? shopPage : undefined;
	if (renderOne === undefined) return undefined;
	if (name !== '') return renderOne(name, edition);
	const names = Object.keys(part === 'handbook' ? HANDBOOK : SHOP);
	const shown = names.filter((each) => renderOne(each, edition) !== undefined);
	const title = part === 'handbook' ? 'Handbook of the route planner' : 'Shop';
	return listPage(title, `/${part}`, shown);
}

/** The edition that the page of this name below `/try/` publishes, such as `edition-2`. */
export function publishedBy(name: string): Edition | undefined {
	return EDITIONS.find((edition) => name === `edition-${edition}`);
}

/** A page as HTML: what stands outside `main` is left out by readers of the main content. */
function wrap(title: string, body: string, head = '', nav = ''): string {
	return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${nav}<main><h1>${title}</h1>${body}</main></body></html>`;
}

/** Headings, code that is indented, and paragraphs. */
function proseOf(text: string): string {
	const blocks = text.split('\n\n').flatMap((block) => block.split(/(?<=^## .*)\n/));
	return blocks
		.map((block) => {
			if (block.startsWith('## ')) return `<h2>${block.slice(3)}</h2>`;
			if (block.startsWith('    ')) return `<pre><code>${block.trim()}</code></pre>`;
			return `<p>${block}</p>`;
		})
		.join('\n');
}

/** The start page: the links stand outside `main`, so that its own text stays the same when a page comes or goes. */
function listPage(title: string, under: string, names: readonly string[]): string {
	const links = names.map((name) => `<li><a href="${under}/${name}">${name}</a></li>`);
	const nav = `<nav><ul>${links.join('')}</ul></nav>`;
	return wrap(title, '<p>Choose a page on the left.</p>', '', nav);
}

// Pages behind a form, for browser sessions to log in. They are in no sitemap, and nothing links to them.

const ORDERS = [
	['1001', 'Cargo bike', '3'],
	['1002', 'Winter tyres', '8'],
	['1003', 'Child seat', '2'],
];

const page = (title: string, body: string): string =>
	`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;

const FORM =
	'<form method="post" action="/members"><label>Name <input name="name" id="name"></label> <label>Password <input name="password" id="password" type="password"></label> <button type="submit">Log in</button></form>';

/** What `/members` shows: the form, or with a name and the password `sandbox` the orders as a table. */
export function membersPage(sent: URLSearchParams): string {
	if (!sent.has('password')) return page('Log in', FORM);
	if (!sent.get('name') || sent.get('password') !== 'sandbox') {
		return page('Log in', `<p id="wrong">Name or password is wrong.</p>${FORM}`);
	}
	const cells = (row: string[]): string => row.map((text) => `<td>${text}</td>`).join('');
	const rows = ORDERS.map((row) => `<tr>${cells(row)}</tr>`).join('');
	return page(
		'Your orders',
		`<table id="orders"><thead><tr><th>Order</th><th>Article</th><th>Pieces</th></tr></thead><tbody>${rows}</tbody></table>`,
	);
}

function escapeText(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function linkTo(path: string): string {
	const title = PAGES.find((page) => page.path === path)?.title ?? path;
	return `<li><a href="${path}">${escapeText(title)}</a></li>`;
}

/** Whoever scrapes `https://example.com` from the sandbox reads first that these pages are its own. */
const OWN_SITE =
	'<p>This is a sample site of the sandbox, which stands in for example.com here: places, firms and figures are made up.</p>\n';

/** A page of a firm as HTML. Its links lead to all pages of its site. */
export function renderFirmPage({ path, title, description, sections }: SitePage): string {
	const { origin } = new URL(path);
	const siblings = FIRM_PAGES.filter((page) => page.path.startsWith(`${origin}/`));
	const links = siblings.map((page) => `<li><a href="${page.path}">${escapeText(page.title)}</a></li>`);
	const head = `<meta name="description" content="${escapeText(description)}">`;
	const body = sections.map(
		({ heading, paragraphs }) =>
			`<h2>${escapeText(heading)}</h2>\n${paragraphs.map((text) => `<p>${escapeText(text)}</p>`).join('\n')}`,
	);
	return wrap(escapeText(title), body.join('\n'), head, `<nav><ul>${links.join('')}</ul></nav>`);
}

/** The page as HTML: navigation and footer stand outside `main`, so that a reader can leave them out. */
export function renderPage(page: SitePage): string {
	const sections = page.sections.map(
		({ heading, paragraphs }) =>
			`<section><h2>${escapeText(heading)}</h2>\n${paragraphs.map((text) => `<p>${escapeText(text)}</p>`).join('\n')}</section>`,
	);
	return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(page.title)}</title>
<meta name="description" content="${escapeText(page.description)}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>body{font:16px/1.6 system-ui,sans-serif;margin:0 auto;max-width:46rem;padding:1rem;color:#1c2b26}nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1rem;list-style:none;padding:0}a{color:#1f6f54}footer{color:#5a6b65;font-size:.85rem;border-top:1px solid #ccd8d3}</style>
</head>
<body>
<nav><ul>${PAGES.map(({ path }) => linkTo(path)).join('')}</ul></nav>
<main>
<h1>${escapeText(page.title)}</h1>
${page.path === '/' ? OWN_SITE : ''}${sections.join('\n')}
<aside><h2>Read next</h2><ul>${page.related.map(linkTo).join('')}</ul></aside>
</main>
<footer><p>Sample pages of the sandbox. Places, firms and figures are made up.</p></footer>
</body>
</html>
`;
}
