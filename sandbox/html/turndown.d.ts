/** What is used of turndown, which brings no types of its own. */
declare module 'turndown' {
	/** A node of the tree that turndown reads: what is used of it. */
	export interface MarkdownNode {
		nodeName: string;
		parentNode: MarkdownNode | null;
		previousElementSibling: MarkdownNode | null;
		firstElementChild: MarkdownNode | null;
		children: ArrayLike<MarkdownNode>;
		getAttribute(name: string): string | null;
	}

	export interface MarkdownRule {
		filter: string | string[] | ((node: MarkdownNode) => boolean);
		replacement(content: string, node: MarkdownNode): string;
	}

	export default class TurndownService {
		addRule(key: string, rule: MarkdownRule): this;
		turndown(html: string): string;
	}
}
