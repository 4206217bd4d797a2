import { withoutTracking } from './trackingParameters';

/** What nobody sees, to its end or to the end of the text, and tags. */
const MARKUP =
	/<!--[\s\S]*?(?:-->|$)|<(script|style|template|noscript)\b[\s\S]*?(?:<\/\1\s*>|$)|<\/?([a-z][^\s<>/]*)(?=[\s/>])([^<>]*)>|<![^<>]*>/gi;

/** Attributes that a visitor sees or follows; classes, ids and keys of scripts change without that. */
const ATTRIBUTE =
	/(?<=[\s"'])(href|src|alt|title|placeholder|value)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;

/**
 * What a visitor sees of HTML, a line for each text and each tag: tags with the names that set the layout, and
 * of their attributes only what is seen or followed. Scripts, styles and comments are left out.
 */
export function visibleLinesOfHtml(html: string): string[] {
	return html
		.replace(MARKUP, (all: string, _hidden: unknown, name: unknown, attributes: unknown) => {
			if (typeof name !== 'string' || typeof attributes !== 'string') return '';
			const closing = all.startsWith('</') ? '/' : '';
			return `\n<${closing}${name.toLowerCase()}${visibleAttributes(attributes)}>\n`;
		})
		.split(/\r\n?|\n/);
}

function visibleAttributes(attributes: string): string {
	const seen = [...attributes.matchAll(ATTRIBUTE)].map(([, name = '', ...values]) => {
		const value = values.find((one) => one !== undefined) ?? '';
		return ` ${name.toLowerCase()}=${withoutTracking(value.replaceAll('&amp;', '&'))}`;
	});
	return seen.sort().join('');
}
