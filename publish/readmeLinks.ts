import { fromMarkdown } from 'mdast-util-from-markdown';
import { visit } from 'unist-util-visit';

/** A link or a picture of a Markdown text. */
export interface MarkdownLink {
	kind: 'link' | 'image';
	/** As it stands in the text. */
	url: string;
	/** Where `url` begins in the text. */
	offset: number;
}

/** Where a repository's files are to be read. */
export interface RepositoryAddresses {
	/** Address of a file as a page, with a slash at its end. */
	pages: string;
	/** Address of a file's bytes, with a slash at its end. */
	files: string;
}

/** All links and pictures of a Markdown text, in order; what stands in code is none. */
export function linksOf(markdown: string): MarkdownLink[] {
	const links: MarkdownLink[] = [];
	visit(fromMarkdown(markdown), (node) => {
		if (node.type !== 'link' && node.type !== 'image') return;
		const { type: kind, url, position } = node;
		// The address is what stands last in the brackets: the text before it may hold the same words.
		const end = position?.end.offset ?? 0;
		links.push({ kind, url, offset: markdown.lastIndexOf(url, end) });
	});
	return links.sort((left, right) => left.offset - right.offset);
}

/** True for an address within the repository: neither another site nor a heading of the same page. */
export function isRelative({ url }: MarkdownLink): boolean {
	return !/^([a-z][a-z\d+.-]*:|#|\/\/)/i.test(url);
}

/**
 * The text with addresses that work anywhere: npm and n8n show a README without the files beside it,
 * so its relative links and pictures are dead there.
 */
export function withAbsoluteLinks(markdown: string, at: RepositoryAddresses): string {
	return linksOf(markdown)
		.filter(isRelative)
		.reduceRight(
			(text, { kind, url, offset }) =>
				text.slice(0, offset) +
				new URL(url, kind === 'image' ? at.files : at.pages).href +
				text.slice(offset + url.length),
			markdown,
		);
}
