/** Pages of different make, with sentences to quote in all the ways in which HTML may hold one. */
import { SCRIPTS, sentencesOf, type Script } from '../../unit/research/scripts.ts';

/** How a page holds a sentence; its words are given one by one. */
type Holder = (words: string[], glue: string) => string;

const joined = (words: readonly string[], glue: string, change: (word: string, at: number) => string): string =>
	words.map(change).join(glue);
const paragraph =
	(change: (word: string, at: number, all: readonly string[]) => string): Holder =>
	(words, glue) =>
		`<p>${joined(words, glue, (word, at) => change(word, at, words))}</p>`;
const middleOf = (all: readonly string[]): number => Math.floor(all.length / 2);
const atMiddle = (change: (word: string) => string): Holder =>
	paragraph((word, at, all) => (at === middleOf(all) ? change(word) : word));
const within =
	(open: string, close: string): Holder =>
	(words, glue) =>
		`${open}${words.join(glue)}${close}`;

export const HOLDERS: ReadonlyMap<string, Holder> = new Map<string, Holder>([
	['plain', within('<p>', '</p>')],
	['strong', atMiddle((word) => `<strong>${word}</strong>`)],
	['link', atMiddle((word) => `<a href="/x">${word}</a>`)],
	['link before a comma', atMiddle((word) => `<a href="/x">${word}</a>,`)],
	['link at the start', paragraph((word, at) => (at === 0 ? `<a href="/x">${word}</a>` : word))],
	['footnote', atMiddle((word) => `${word}<sup><a href="#n1">[1]</a></sup>`)],
	['raised number', atMiddle((word) => `${word}<sup>7</sup>`)],
	['curly quotes', atMiddle((word) => `“${word}”`)],
	['curly quotes at the start', paragraph((word, at) => (at === 0 ? `“${word}”` : word))],
	['guillemets', atMiddle((word) => `«${word}»`)],
	['long dash', atMiddle((word) => `${word} — `)],
	['dash at the start', paragraph((word, at) => (at === 0 ? `${word} – ` : word))],
	['no-break space', atMiddle((word) => `${word}&nbsp;`)],
	['soft hyphen', atMiddle((word) => `${word.slice(0, 2)}&shy;${word.slice(2)}`)],
	['line break', atMiddle((word) => `${word}<br>`)],
	[
		'drop cap',
		paragraph((word, at) =>
			at === 0 ? `<span style="font-size:3em">${word.slice(0, 1)}</span>${word.slice(1)}` : word,
		),
	],
	[
		'row',
		(words, glue) => {
			const third = Math.ceil(words.length / 3);
			const cells = [0, 1, 2].map((at) => words.slice(at * third, (at + 1) * third).join(glue));
			return `<table><tr><th>A</th><th>B</th><th>C</th></tr><tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr></table>`;
		},
	],
	[
		'row with a short first cell',
		(words, glue) =>
			`<table><tr><th>A</th><th>B</th></tr><tr><td>${words[0] ?? ''}</td><td>${words.slice(1).join(glue)}</td></tr></table>`,
	],
	['item', within('<ul><li>', '</li></ul>')],
	['numbered item', within('<ol><li>', '</li></ol>')],
	['item in an item', within('<ul><li>Z<ul><li>', '</li></ul></li></ul>')],
	['definition', within('<dl><dt>Z</dt><dd>', '</dd></dl>')],
	['quotation', within('<blockquote><p>', '</p></blockquote>')],
	['image', atMiddle((word) => `${word}<img alt="x" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width="9">`)],
	['code', atMiddle((word) => `<code>${word}</code>`)],
	['capitals by style', within('<p style="text-transform:uppercase">', '</p>')],
	['word break', atMiddle((word) => `${word.slice(0, 2)}<wbr>${word.slice(2)}`)],
	['hidden words', atMiddle((word) => `${word}<span style="display:none"> nobody sees this</span>`)],
	['quotation marks by style', atMiddle((word) => `<q>${word}</q>`)],
	['struck out', atMiddle((word) => `${word} <del>old</del>`)],
	['entity', atMiddle((word) => `${word} &amp; `)],
	['inline block', atMiddle((word) => `<span style="display:inline-block">${word}</span>`)],
	['emoji', atMiddle((word) => `${word} 🚀 `)],
	['heading', within('<h3>', '</h3>')],
	['lines of source', (words) => `<p>\n  ${words.join('\n  ')}\n</p>`],
	['italic start', paragraph((word, at) => (at < 2 ? `<em>${word}</em>` : word))],
	[
		'two lines of a cell',
		(words, glue) =>
			`<table><tr><th>A</th></tr><tr><td><p>${words.slice(0, 4).join(glue)}</p><p>${words.slice(4).join(glue)}</p></td></tr></table>`,
	],
]);

/** A sentence that stands on a page, in the element `data-quote` with its number. */
export interface HeldSentence {
	number: number;
	holder: string;
	text: string;
}

export interface CitedPage {
	name: string;
	html: string;
	sentences: HeldSentence[];
}

/** Sentences of a page. */
const SENTENCES = 6;

/** Where words begin again on a page before the sentence that they are quoted of: a list of contents, a teaser. */
function teaserOf(words: readonly string[], glue: string): string {
	return `<p>${words.slice(0, 4).join(glue)}…</p>`;
}

function wordsOf(text: string, { space }: Script): string[] {
	return space === ''
		? [...new Intl.Segmenter('und', { granularity: 'word' }).segment(text)].map(({ segment }) => segment)
		: text.split(' ');
}

/** So many pages of each script. `seed`: for their sentences. */
export function citedPages(each: number, seed: number): CitedPage[] {
	const holders = [...HOLDERS];
	return SCRIPTS.flatMap((script, scriptAt) =>
		Array.from({ length: each }, (_unused, pageAt) => {
			const made = sentencesOf(script, SENTENCES, seed + scriptAt * 100 + pageAt);
			const parts: string[] = [];
			const sentences = made.map(({ text }, number): HeldSentence => {
				const [holder = '', hold] =
					holders[(scriptAt * each * SENTENCES + pageAt * SENTENCES + number) % holders.length] ?? [];
				const words = wordsOf(text, script);
				if (number === pageAt % SENTENCES) parts.unshift(teaserOf(words, script.space));
				parts.push(`<div data-quote="${number}" class="part">${hold?.(words, script.space) ?? ''}</div>`);
				return { number, holder, text };
			});
			return { name: `${script.name} ${pageAt + 1}`, html: pageOf(parts, script), sentences };
		}),
	);
}

function pageOf(parts: readonly string[], { name }: Script): string {
	const direction = name === 'Arabic' || name === 'Hebrew' ? ' dir="rtl"' : '';
	const style = 'body{width:640px;font:16px/1.5 sans-serif}.part{margin:900px 0}';
	return `<!DOCTYPE html><html${direction}><head><meta charset="utf-8"><title>${name}</title><style>${style}</style></head><body><main>${parts.join('\n')}</main><p style="margin-top:900px">.</p></body></html>`;
}
