import { PAGES } from './pages.ts';
import type { SitePage } from './pages/page.ts';

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
