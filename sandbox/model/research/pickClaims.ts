import { termsOf } from '../../text/terms.ts';
import type { PromptParts } from './promptParts.ts';

/** A statement of a page, with the words that say so. */
export interface PickedClaim {
	text: string;
	quote: string;
	/** Number of the question that it answers. */
	question: number;
}

const LONGEST_QUOTE = 300;
const MAX_CLAIMS = 8;
/** So many words of a question, or this share of them, make a sentence an answer. */
const ENOUGH_WORDS = 2;
const ENOUGH_SHARE = 0.34;

const bounds = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The sentences of a page as they stand in it: headings, lists and table rows are lines of their own. */
function sentencesOf(page: string): string[] {
	const lines = page.split('\n');
	return lines
		.filter((line, index) => {
			const isUnderlined = /^\s*(=+|-+)\s*$/.test(lines[index + 1] ?? '');
			return !isUnderlined && !/^\s*(#|!\[|\|?\s*-{3,})/.test(line);
		})
		.flatMap((line) => [...bounds.segment(line.replace(/^\s*(?:[-*+>]|\d+\.)\s+/, ''))])
		.map(({ segment }) => segment.trim())
		.filter((sentence) => /\p{L}{2,}.*\s.*\p{L}{2,}/u.test(sentence));
}

/** A sentence without the marks of Markdown, as a person would say it. */
function plain(sentence: string): string {
	return sentence
		.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(/[*_`]+/g, '')
		.replace(/\s+/g, ' ')
		.trim();
}

function beginning(sentence: string): string {
	if (sentence.length <= LONGEST_QUOTE) return sentence;
	return sentence.slice(0, LONGEST_QUOTE).replace(/\s+\S*$/, '');
}

/** How well a sentence answers a question: the words of it that it has, 0 when they are too few. */
function worth(terms: ReadonlySet<string>, wanted: readonly string[]): number {
	const shared = new Set(wanted.filter((term) => terms.has(term))).size;
	const isEnough = shared >= ENOUGH_WORDS || shared / Math.max(1, wanted.length) >= ENOUGH_SHARE;
	return isEnough ? shared : 0;
}

/** The sentences of the data that have most of the questions' words in them, in their order on the page. */
export function pickClaims({ question, questions, data }: PromptParts): PickedClaim[] {
	const asked = questions.length > 0 ? questions : [{ number: 1, numbers: [1], text: question }];
	const wanted = asked.map(({ number, text }) => ({ number, terms: termsOf(text) }));
	const whole = termsOf(question);
	const found = sentencesOf(data.join('\n')).map((sentence) => {
		const terms = new Set(termsOf(sentence));
		const [best] = wanted
			.map(({ number, terms: words }) => ({ number, score: worth(terms, words) }))
			.sort((left, right) => right.score - left.score);
		const score = Math.max(best?.score ?? 0, worth(terms, whole)) + (/\d/.test(sentence) ? 0.5 : 0);
		return { sentence, score, number: best?.number ?? 1 };
	});
	const bar =
		[...found].sort((left, right) => right.score - left.score)[MAX_CLAIMS - 1]?.score ?? 0;
	return found
		.filter(({ score }) => score >= Math.max(1, bar))
		.slice(0, MAX_CLAIMS)
		.map(({ sentence, number }) => {
			const quote = beginning(sentence);
			return { text: plain(quote), quote, question: number };
		});
}
