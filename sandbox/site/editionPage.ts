/** A page as HTML: what stands outside `main` is left out by readers of the main content. */
export function wrap(title: string, body: string, head = '', nav = ''): string {
	return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${nav}<main><h1>${title}</h1>${body}</main></body></html>`;
}

/** Headings, code that is indented, and paragraphs. */
export function proseOf(text: string): string {
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
export function listPage(title: string, under: string, names: readonly string[]): string {
	const links = names.map((name) => `<li><a href="${under}/${name}">${name}</a></li>`);
	const nav = `<nav><ul>${links.join('')}</ul></nav>`;
	return wrap(title, '<p>Choose a page on the left.</p>', '', nav);
}
