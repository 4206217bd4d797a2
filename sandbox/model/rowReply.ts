import { termsOf } from '../text/rankSentences.ts';

/** A column of a prompt: `2. price: price of the smallest plan (amount with its currency, such as 39 EUR)`. */
interface AskedColumn {
	number: number;
	terms: string[];
	type: string;
}

const COLUMN = /^(\d+)\. (.+) \(([^()]+)\)$/gm;

function columnsIn(text: string): AskedColumn[] {
	return [...text.matchAll(COLUMN)].map(([, number, words = '', type = '']) => ({
		number: Number(number),
		terms: [...new Set(termsOf(words.replace(/[_-]/g, ' ')))],
		type,
	}));
}

/** So many words of a column make a sentence speak of it. */
const ENOUGH_WORDS = 2;

const AMOUNT = /([€$£])?\s?(\d[\d.,]*\d|\d)\s?(€|\$|£|euros?|dollars?)?/gi;

const NO = /^(?:no|not|never|without|cannot|kein\p{L}*|nicht)$/iu;

/** Whether a word that denies stands at most two words before one of the column's. */
function isDenied(sentence: string, terms: readonly string[]): boolean {
	const words = sentence.match(/\p{L}+/gu) ?? [];
	return words.some(
		(word, at) => NO.test(word) && words.slice(at + 1, at + 4).some((near) => terms.includes(termsOf(near)[0] ?? '')),
	);
}

/** The value of a column in a sentence, by its type: it is no language model, and takes the first that looks like one. */
function valueIn(sentence: string, { type, terms }: AskedColumn, subject: readonly string[]): unknown {
	if (type.startsWith('amount')) {
		for (const [, before, figure = '', behind] of sentence.matchAll(AMOUNT)) {
			const sign = (before ?? behind ?? '').toLowerCase();
			const code = /€|euro/.test(sign) ? 'EUR' : /\$|dollar/.test(sign) ? 'USD' : sign === '£' ? 'GBP' : '';
			if (code !== '') return `${figure.replace(/,/g, '')} ${code}`;
		}
		return undefined;
	}
	if (type === 'number') {
		const numbers = [...sentence.matchAll(/(?<![\p{L}\d])(\d+(?:,\d{3})*(?:\.\d+)?)(?: (\p{L}+))?/gu)];
		// "72 riders" is a number of riders.
		const named = numbers.find(([, , word = '']) => termsOf(word).some((term) => terms.includes(term)));
		return (named ?? numbers[0])?.[1]?.replace(/,/g, '');
	}
	if (type.startsWith('date')) return /\b(?:1[5-9]|20)\d\d(?:-\d\d(?:-\d\d)?)?\b/.exec(sentence)?.[0];
	if (type.startsWith('true')) return !isDenied(sentence, terms);
	if (type.startsWith('e-mail')) return /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/.exec(sentence)?.[0];
	if (type.startsWith('web address')) return /https?:\/\/[^\s)]+/.exec(sentence)?.[0];
	if (type.startsWith('one of')) {
		const choices = type.replace(/^one of these: /, '').split('; ');
		return choices.find((choice) => sentence.toLowerCase().includes(choice.toLowerCase()));
	}
	const names = sentence.match(/\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)*/gu) ?? [];
	return names.reverse().find((name) => ![...terms, ...subject].some((term) => name.toLowerCase().includes(term)));
}

/** The cells that the sentences of a page hold: of each column the sentence that has most of its words and of the subject's. */
export function pickCells(user: string, page: string, sentences: readonly string[]): object[] {
	const subject = termsOf(/^The subject: (.*)$/m.exec(user)?.[1] ?? '');
	return columnsIn(user).flatMap((column) => {
		const isAddress = /^(?:web|e-mail) address/.test(column.type);
		const lines = isAddress ? page.split('\n') : sentences;
		const found = lines
			.map((line) => {
				const has = (wanted: readonly string[]) => wanted.filter((term) => termsOf(line).includes(term)).length;
				return { line, shared: has(column.terms), own: has(subject) };
			})
			.filter(({ line, shared, own }) => {
				const enough = own > 0 ? 1 : Math.min(ENOUGH_WORDS, column.terms.length);
				return shared >= enough && valueIn(line, column, subject) !== undefined;
			})
			.sort((one, other) => other.own + other.shared - (one.own + one.shared) || other.shared - one.shared);
		const [best] = found;
		return best
			? [{ column: column.number, value: valueIn(best.line, column, subject), quote: best.line.slice(0, 300) }]
			: [];
	});
}

/** The pages of a site whose addresses have words of the columns, best first. */
export function pickLinks(user: string, links: string): number[] {
	return pickLines(new Set(columnsIn(user).flatMap(({ terms }) => terms)), links).slice(0, 4);
}

/** The results of a search that have words of the question, best first. */
export function pickResults(question: string, results: string): number[] {
	return pickLines(new Set(termsOf(question)), results);
}

function pickLines(wanted: ReadonlySet<string>, lines: string): number[] {
	return lines
		.split('\n')
		.flatMap((line) => {
			const [, number, text = ''] = /^(\d+)\. (.*)$/.exec(line) ?? [];
			const shared = termsOf(text.replace(/[/_-]/g, ' ')).filter((term) => wanted.has(term)).length;
			return number === undefined || shared === 0 ? [] : [{ number: Number(number), shared }];
		})
		.sort((one, other) => other.shared - one.shared)
		.map(({ number }) => number);
}
