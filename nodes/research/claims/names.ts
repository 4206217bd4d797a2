/**
 * Proper names of a text, as far as capital letters show them, and whether other texts hold them. Nothing
 * is said of texts that capitalise other words too, as German does, or that are in another language.
 */

/** With a smaller share of its other words in the support, a text is in another language, or about something else. */
const COMPARABLE = 0.5;

/** Capitalised in the middle of a sentence, and no name. */
const NO_NAME =
	/^(?:I|Mr|Mrs|Ms|Dr|Prof|St|No|Inc|Ltd|Co|Corp|January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|English|Internet|Web|Earth)$/;

/** Small words of German, which capitalises all nouns. */
const GERMAN =
	/(?<!\p{L})(?:der|die|das|und|ist|ein|eine|einer|wurde|wird|mit|von|vom|im|den|dem|des|auf|für|nicht|sind|kostet|hat)(?!\p{L})/gu;

const CAPITALISED = /\p{Lu}[\p{L}\p{M}\p{N}]+(?:['\u2019-]\p{L}+)*/gu;

/** What stands before the first word of a sentence, of a cell of a table, or of what somebody says. */
const BEGINNING = /(?:^|[.!?:;|\u2022\n]|\s[-\u2013\u2014])[\s"'\u201c\u2018(*_]*$/u;

function isGerman(text: string): boolean {
	return new Set(text.match(GERMAN) ?? []).size > 1;
}

/** The name without the ending of a genitive. */
function plainName(name: string): string {
	return name.replace(/['\u2019]s?$/, '').toLowerCase();
}

interface Names {
	/** Inside a sentence, where nothing but a name is capitalised. */
	inner: string[];
	/** At the beginning of one, where everything is. */
	first: string[];
}

function namesIn(text: string): Names {
	const names: Names = { inner: [], first: [] };
	for (const { 0: word, index } of text.matchAll(CAPITALISED)) {
		if (NO_NAME.test(word)) continue;
		const isFirst = BEGINNING.test(text.slice(0, index));
		names[isFirst ? 'first' : 'inner'].push(plainName(word));
	}
	return names;
}

function lowerWords(text: string): string[] {
	return text.match(/(?<![\p{L}\p{N}])\p{Ll}[\p{L}\p{M}]{3,}/gu) ?? [];
}

/**
 * The names of a text that none of the support holds. A word at the beginning of a sentence counts where
 * `others` hold it as a name: so a sentence about one company that cites the quote of another is seen.
 */
export function missingNames(
	text: string,
	support: readonly string[],
	others: readonly string[] = [],
): string[] {
	if (isGerman(text)) return [];
	const held = support.join('\n').toLowerCase();
	const words = lowerWords(text);
	const shared = words.filter((word) => held.includes(word.slice(0, 4))).length;
	if (shared < words.length * COMPARABLE) return [];
	const { inner, first } = namesIn(text);
	const known = new Set(others.flatMap((other) => (isGerman(other) ? [] : namesIn(other).inner)));
	const named = [...inner, ...first.filter((name) => known.has(name))];
	return [...new Set(named)].filter((name) => !held.includes(name));
}
