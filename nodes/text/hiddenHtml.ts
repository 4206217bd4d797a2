import { htmlMarks, nextOf } from './markdown/rawHtml';

/**
 * A text without the comments and the elements of HTML that nobody sees on a page, as a browser reads what a Markdown
 * parser calls HTML. Where the end of one never comes, it is text: else whoever mentions one would hide all that follows.
 * Linear.
 */
export function withoutHidden(
	markdown: string,
	elements: readonly string[],
	left = '',
): { text: string; removed: number } {
	if (!markdown.includes('<')) return { text: markdown, removed: 0 };
	const marks = htmlMarks(markdown, elements);
	const closing = marks.filter(({ kind }) => kind === 'close');
	const endOf = nextOf(closing.map(({ name, start, end }) => ({ kind: name, start, end })));
	const kept: string[] = [];
	let from = 0;
	for (const { kind, name, start, end: behind } of marks) {
		if (start < from || kind === 'close') continue;
		const end = kind === 'comment' ? behind : endOf(name, behind);
		if (end === undefined) continue;
		kept.push(markdown.slice(from, start));
		from = end;
	}
	return { text: [...kept, markdown.slice(from)].join(left), removed: kept.length };
}

const MAYBE_TAG = /<\/?([a-z][a-z\d-]{0,40})((?:[\s/][^<>]*)?)>|<[!?][a-z][^<>]*>/gi;

/** Elements that begin a line or end one. */
const BREAKS =
	/^(?:br|hr|p|div|li|ul|ol|dl|dt|dd|tr|td|th|table|thead|tbody|h[1-6]|blockquote|pre|section|article|header|footer)$/i;

/** Elements that do something by themselves: these are tags, whatever stands in them. */
const ACTIVE =
	/^(?:script|style|template|iframe|object|embed|svg|math|link|meta|base|form|input|button|img|video|audio)$/i;

/**
 * A text without the tags of HTML, with `left` for each; by default a space for those that begin or end a line, and
 * nothing for others. What has nothing but words where a tag has attributes is text: `a<b and c>d`, `<your name>`.
 */
export function withoutTags(text: string, left?: string): { text: string; removed: number } {
	let removed = 0;
	const shown = text.replace(
		MAYBE_TAG,
		(whole: string, name: string | undefined, attributes: string | undefined = '') => {
			const words = attributes
				.replace(/"[^"]*"|'[^']*'/g, '""')
				.replace(/=\s*[^\s=]+/g, '=')
				.split(/[\s/]+/)
				.filter((word) => word !== '');
			const isText = words.length > 0 && !words.some((word) => word.endsWith('='));
			if (isText && !ACTIVE.test(name ?? '')) return whole;
			removed += 1;
			return left ?? (name === undefined || BREAKS.test(name) ? ' ' : '');
		},
	);
	return { text: shown, removed };
}
