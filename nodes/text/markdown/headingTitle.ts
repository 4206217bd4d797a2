/** Longer titles are no titles: a page that puts everything into one heading. */
const MAX_TITLE = 200;

/** A heading as a person reads it: without the signs of Markdown, links and tags. */
export function plainTitle(title: string): string {
	return (
		title
			// A bound for the patterns below, too.
			.slice(0, 5 * MAX_TITLE)
			.replace(/!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, (_link, text: string) =>
				isAnchor(text) ? '' : text,
			)
			.replace(/<\/?[a-z][^<>]*>/gi, '')
			.replace(/(\*\*|__|~~|`+)/g, '')
			.replace(/(^|\s)[*_](?=\S)|(?<=\S)[*_](?=\s|$)/g, '$1')
			.replace(/\\([!-/:-@[-`{-~])/g, '$1')
			.replace(/[\u00ad\u200b\u2060\ufeff]/g, '')
			.replace(/\s+/g, ' ')
			.trim()
			.slice(0, MAX_TITLE)
			.replace(/\p{Surrogate}$/u, '')
			.trim()
	);
}

/** The sign that documentation puts beside a heading to link to it. */
function isAnchor(text: string): boolean {
	return /^[\s#¶§\u00ad\u200b\u2060\ufeff🔗]*$/u.test(text);
}
