const STOP_WORDS = new Set(
	'a about after all also an and any are as at be been but by can do does did for from had has have how if in into is it its may more most much no not of on one only or other our should so some such than that the their them then there these they this to under up use used was we were what when where which who why will with would you your vs versus'.split(
		' ',
	),
);

/** One form for singular and plural: enough to match "batteries" with "battery". */
function singular(word: string): string {
	if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
	if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1);
	return word;
}

/** The words a text is about, in order, in lower case, without common words. Markers such as [lasts:5] are left out. */
export function termsOf(text: string): string[] {
	const words = text
		.replace(/\[[^\]]*\]/g, ' ')
		.toLowerCase()
		.match(/[\p{L}\p{N}]+/gu);
	return (words ?? []).filter((word) => word.length > 1 && !STOP_WORDS.has(word)).map(singular);
}
