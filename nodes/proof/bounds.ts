import { spacedName } from '../text/jsonPaths';
import type { Figure } from '../text/figures/figureReading';

/** What a figure is that the page gives as no number: `from 39`, `up to 50`, `almost 10`. */
export type Bound = 'lower' | 'upper' | 'about';

const CURRENCY_END = ' ?(?:[$€£¥]|[A-Z]{3} ?)?$';
const wordsBefore = (words: string, signs: string) =>
	new RegExp(`(?:(?<!\\p{L})(?:${words})|${signs})${CURRENCY_END}`, 'iu');

const LOWER_BEFORE = wordsBefore(
	'from|over|above|at least|more than|starting at|starts at|ab|über|mindestens|mehr als|dès|à partir de|plus de|desde|a partir de|más de|oltre|più di|a partire da|mais de|vanaf|meer dan|od|ponad|powyżej|co najmniej',
	'от|более|свыше|超过|超過|至少',
);
const UPPER_BEFORE = wordsBefore(
	"under|below|up to|at most|less than|fewer than|unter|bis zu|bis|höchstens|weniger als|moins de|jusqu'à|menos de|hasta|meno di|fino a|até|minder dan|tot|poniżej",
	'до|менее|不到|最多',
);
const ABOUT_BEFORE = wordsBefore('nearly|almost', '约|約');
// A cell of a table ends with a tab: `12 €` and `-0,3 %` in the next one are no range.
const LOWER_BEHIND =
	/^ ?(?:[$€£¥%円元] ?)?(?:\+(?! ?\d)|- ?(?:[$€£¥] ?)?\d|(?:to|bis|à|a|al|tot|do|до) (?:[$€£¥] ?)?\d|or more|and (?:up|more|over)|und mehr|oder mehr|et plus|ou plus|o más|y más|e più|以上|起\b|から|より)/iu;
const UPPER_BEHIND = /^ ?(?:[$€£¥%円元] ?)?(?:or less|以下|以内|未満)/iu;

/** As in `4.6 from 312 votes`. */
const BETWEEN_FIGURES = /\d \p{L}+ $/u;

/** The beginning of a range: `650 to 900`, `from 650 to 900`. */
const RANGE_BEFORE =
	/(?<![\d.,])\d[\d.,]{0,15} ?(?:[$€£¥%円元]|[A-Z]{3})? (?:to|bis|à|a|al|até|hasta|tot|do|до) (?:[$€£¥] ?)?$/u;

/** "Rose from 650 to 900" ends with a number: words of a change, and of the clause what stands between. */
const CHANGE_BEFORE =
	/(?<!\p{L})(?:r[oi]se[ns]?|risen|fell|fallen|falls?|gr[eo]wn?|grows?|increas\p{L}*|decreas\p{L}*|rais\p{L}*|went|gone|chang\p{L}*|cuts?|drop\p{L}*|reduc\p{L}*|lower\p{L}*|climb\p{L}*|jump\p{L}*|moved?|up|down|shr[aui]nk\p{L}*|expand\p{L}*|improv\p{L}*|declin\p{L}*|soar\p{L}*|slid|stieg\p{L}*|gestiegen|steigt|sank\p{L}*|gesunken|fiel\p{L}*|gefallen|wuchs\p{L}*|gewachsen|erhöh\p{L}*|gesenkt|senkt\p{L}*|reduzier\p{L}*|pass[éeaòò]\p{L}*|augment\p{L}*|aument\p{L}*|baiss\p{L}*|rédui\p{L}*|sub[ei]\p{L}*|baj\p{L}*|pas[aóo]\p{L}*|salit\p{L}*|sces\p{L}*|steeg\p{L}*|gestegen|daald\p{L}*|gedaald|ging)(?!\p{L})[^.;:!?]{0,60}(?<!\p{L})(?:from|von|de|da|desde|van|od|от) [$€£¥]?\d[\d.,]{0,15} ?(?:[$€£¥%円元]|[A-Z]{3})? \p{L}+ (?:[$€£¥] ?)?$/iu;

/** What a figure says that is an end of a range, or a bound: no number, but the least or the most. Undefined for others. */
export function boundOf(text: string, { at, token, sign }: Figure): Bound | undefined {
	if (at < 0) return undefined;
	if (sign === '>') return 'lower';
	if (sign === '<') return 'upper';
	const before = text.slice(Math.max(0, at - 32), at);
	const behind = text.slice(at + token.length, at + token.length + 16);
	const isBetween = BETWEEN_FIGURES.test(before);
	if (/\d ?[%€$£¥]? ?- ?[$€£¥]?$/.test(before)) return 'upper';
	if (RANGE_BEFORE.test(before) && !CHANGE_BEFORE.test(text.slice(Math.max(0, at - 128), at))) return 'upper';
	if (LOWER_BEHIND.test(behind)) return 'lower';
	if (!isBetween && LOWER_BEFORE.test(before)) return 'lower';
	if (UPPER_BEHIND.test(behind) || (!isBetween && UPPER_BEFORE.test(before))) return 'upper';
	return !isBetween && ABOUT_BEFORE.test(before) ? 'about' : undefined;
}

/** The words of the name of a field: `salaryMin`, `price_from`. */
export function wordsOfName(name: string): string[] {
	return (
		spacedName(name)
			.toLowerCase()
			.match(/[\p{L}\p{M}]+/gu) ?? []
	);
}

const LOWER_NAMES = new Set([
	'min',
	'minimum',
	'from',
	'low',
	'lower',
	'lowest',
	'least',
	'start',
	'starting',
	'ab',
	'von',
]);
const UPPER_NAMES = new Set([
	'max',
	'maximum',
	'to',
	'high',
	'upper',
	'highest',
	'most',
	'upto',
	'end',
	'until',
	'bis',
]);

/** Whether a field asks for a bound: the least, or the most. */
export function asksFor(name: string, bound: Bound | undefined): boolean {
	const names = bound === 'lower' ? LOWER_NAMES : UPPER_NAMES;
	return bound !== undefined && bound !== 'about' && wordsOfName(name).some((word) => names.has(word));
}

const FORMER_NAMES =
	/^(?:old|original|originally|regular|former|previous|before|was|list|full|strike|struck|rrp|msrp|uvp|compare|undiscounted|alt|alter|vorher|original\p{L}*|anterior|ancien|precedente)$/u;

/** Whether a field asks for what was so before: such a price is struck out on the page. */
export function asksForFormer(name: string): boolean {
	return wordsOfName(name).some((word) => FORMER_NAMES.test(word));
}
