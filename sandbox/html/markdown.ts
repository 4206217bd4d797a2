import TurndownService from 'turndown';
import type { MarkdownNode } from 'turndown';

function isHeaderRow(row: MarkdownNode): boolean {
	if (row.parentNode?.nodeName === 'THEAD') return true;
	if (row.previousElementSibling) return false;
	// The first row of the table counts as its header: Markdown has no table without one.
	const section = row.parentNode;
	return section?.nodeName === 'TABLE' || !section?.previousElementSibling;
}

function buildConverter(): TurndownService {
	const converter = new TurndownService();
	// The line break after each link is the recorded server's own (scrape-01, "Related").
	converter.addRule('link', {
		filter: (node) => node.nodeName === 'A' && Boolean(node.getAttribute('href')),
		replacement(content, node) {
			const title = node.getAttribute('title');
			const href = node.getAttribute('href')?.trim() ?? '';
			return `[${content.trim()}](${href}${title ? ` "${title}"` : ''})\n`;
		},
	});
	converter.addRule('cell', {
		filter: ['td', 'th'],
		replacement: (content) =>
			` ${content
				.trim()
				.replace(/\s*\n\s*/g, ' ')
				.replaceAll('|', '\\|')} |`,
	});
	converter.addRule('row', {
		filter: 'tr',
		replacement(content, node) {
			const rule = isHeaderRow(node) ? `\n|${' --- |'.repeat(node.children.length)}` : '';
			return `\n|${content}${rule}`;
		},
	});
	converter.addRule('section', {
		filter: ['thead', 'tbody', 'tfoot'],
		replacement: (content) => content,
	});
	converter.addRule('table', {
		filter: 'table',
		replacement: (content) => `\n\n${content.trim()}\n\n`,
	});
	return converter;
}

let converter: TurndownService | undefined;

/** The HTML as Markdown, in the manner of the recorded server (scrape-01 to scrape-06). */
export function toMarkdown(html: string): string {
	converter ??= buildConverter();
	return converter.turndown(html);
}
