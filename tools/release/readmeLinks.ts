import { fromMarkdown } from 'mdast-util-from-markdown';
import { visit } from 'unist-util-visit';

/** A link or a picture of a Markdown text. */
interface MarkdownLink {
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

/** All links and pictures of a Markdown text, HTML in it included, in order; what stands in code is none. */
export function linksOf(markdown: string): MarkdownLink[] {
	const links: MarkdownLink[] = [];
	const tree = fromMarkdown(markdown);
	const pictures = new Set<string>();
	visit(tree, 'imageReference', ({ identifier }) => void pictures.add(identifier));
	visit(tree, (node) => {
		const { type, position } = node;
		if (type === 'html') {
			links.push(...linksOfHtml(node.value, position?.start.offset ?? 0));
		} else if (type === 'link' || type === 'image' || type === 'definition') {
			const isPicture = type === 'image' || (type === 'definition' && pictures.has(node.identifier));
			const kind = isPicture ? 'image' : 'link';
			// The address is what stands last in the brackets: the text before it may hold the same words.
			const offset = markdown.lastIndexOf(node.url, position?.end.offset ?? 0);
			links.push({ kind, url: node.url, offset });
		}
	});
	return links.sort((left, right) => left.offset - right.offset);
}

function linksOfHtml(html: string, start: number): MarkdownLink[] {
	return [...html.matchAll(/\s(src|href)=(["'])(.*?)\2/gi)].map((found) => {
		const [whole, attribute = '', , url = ''] = found;
		const kind = attribute.toLowerCase() === 'src' ? 'image' : 'link';
		return { kind, url, offset: start + found.index + whole.length - url.length - 1 };
	});
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
