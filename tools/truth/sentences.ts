import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { compareFigures } from '../../nodes/research/claims/figures';
import { evenOut } from '../../nodes/text/pageText';
import { QuotedPage, sentencesIn } from '../../nodes/research/claims/passages';
import { checkReport } from '../../nodes/research/report/checkReport';
import type { NumberedClaim } from '../../nodes/research/report/numberedClaims';
import type { Rates } from './rates';

/** Sentences of a page, and of a report. */
const PAGE = 40;
const REPORT = 5;

/** What typography and converters do to a quote, without changing what it says. */
const TYPOGRAPHY: ReadonlyArray<[string, (text: string) => string]> = [
	['as it stands', (text) => text],
	['with straight quotes', (text) => text.replace(/[“”„«»]/g, '"').replace(/[‘’]/g, "'")],
	['with other spaces', (text) => text.replaceAll(' ', '\u00a0')],
	['with bold words', (text) => text.replace(/\p{L}{4,}/u, (word) => `**${word}**`)],
	['with long dashes', (text) => text.replaceAll('-', '–')],
];

/** How models write citations. */
const CITATIONS: ReadonlyArray<[string, (number: number) => string]> = [
	['[1]', (number) => `[${number}]`],
	['【1†source】', (number) => `【${number}†source】`],
	['[^1]', (number) => `[^${number}]`],
	['(claim 1)', (number) => `(claim ${number})`],
	['[Source 1]', (number) => `[Source ${number}]`],
	['<sup>1</sup>', (number) => `<sup>${number}</sup>`],
	['[1](url)', (number) => `[${number}](https://a.example/${number})`],
];

/**
 * Sentences of real text, one a line: quotes on their page and on another one, with a word changed; the page cut into
 * sentences; figures beside the same sentence in other languages (files are parallel), true and changed; reports made of
 * them, in the forms in which models cite.
 */
export async function measureSentences(folder: string, rates: Rates, random: () => number): Promise<void> {
	const files = readdirSync(folder).filter((name) => name.endsWith('.txt'));
	const languages = files.map((file): [string, string[]] => {
		return [path.basename(file, '.txt'), readFileSync(path.join(folder, file), 'utf8').split('\n').filter(Boolean)];
	});
	for (const [language, lines] of languages) {
		measureQuotes(language, lines, rates, random);
		await measureReports(language, lines, rates);
	}
	for (const [language, lines] of languages)
		for (const [other, others] of languages)
			if (other !== language) measureFigures(`${language} beside ${other}`, lines, others, rates, random);
}

function measureQuotes(language: string, lines: readonly string[], rates: Rates, random: () => number): void {
	for (let from = 0; from < lines.length; from += PAGE) {
		const own = lines.slice(from, from + PAGE);
		const page = new QuotedPage(own.join('\n\n'));
		const another = new QuotedPage(lines.slice(from + PAGE, from + 2 * PAGE).join('\n\n'));
		for (const line of own) {
			for (const [form, write] of TYPOGRAPHY)
				rates.count(language, `quotes found, ${form}`, page.find(write(line)) !== undefined, line);
			if (!another.isEmpty)
				rates.count(language, 'quotes refused on another page', another.find(line) === undefined, line);
			const changed = withOtherWord(line, lines, random);
			if (changed !== line)
				rates.count(language, 'quotes refused with another word', page.find(changed) === undefined, changed);
		}
		// As one paragraph: where does each sentence end?
		const joined = new QuotedPage(own.join(' '));
		const found = new Set(
			joined.blocks.flatMap((block) => sentencesIn(block).map(({ start, end }) => keyOf(block.text.slice(start, end)))),
		);
		for (const line of own) rates.count(language, 'sentences cut where they end', found.has(keyOf(line)), line);
	}
}

const keyOf = (text: string): string => evenOut(text).trim();

/** A word in the middle replaced by one of another sentence. */
function withOtherWord(line: string, lines: readonly string[], random: () => number): string {
	const words = line.split(' ');
	if (words.length < 5) return line;
	const other = (lines[Math.floor(random() * lines.length)] ?? '')
		.split(' ')
		.filter((word) => /^\p{L}{5,}$/u.test(word));
	const [word] = other;
	const at = 1 + Math.floor(random() * (words.length - 2));
	if (word === undefined || words[at] === word) return line;
	return [...words.slice(0, at), word, ...words.slice(at + 1)].join(' ');
}

function measureFigures(
	pair: string,
	lines: readonly string[],
	others: readonly string[],
	rates: Rates,
	random: () => number,
): void {
	for (const [at, line] of lines.entries()) {
		const passage = others[at];
		if (passage === undefined || !/\p{Nd}/u.test(line)) continue;
		const { different } = compareFigures(line, [passage]);
		rates.count(
			pair,
			'true figures not refused',
			different.length === 0,
			`${line} | ${passage} (${different.join(', ')})`,
		);
		const changed = line.replace(/\p{Nd}+/u, (digits) => String(Number(digits) + 1 + Math.floor(random() * 7)));
		if (changed === line || /NaN/.test(changed)) continue;
		const said = compareFigures(changed, [passage]);
		const isSeen = said.different.length + said.unclear.length > 0;
		rates.count(pair, 'changed figures refused or given to the judge', isSeen, `${changed} | ${passage}`);
	}
}

async function measureReports(language: string, lines: readonly string[], rates: Rates): Promise<void> {
	for (const [form, cite] of CITATIONS) {
		for (let from = 0; from + REPORT <= lines.length; from += REPORT * 10) {
			const own = lines.slice(from, from + REPORT);
			const claims = new Map(
				own.map((text, at): [number, NumberedClaim] => {
					const claim = { number: at + 1, question: 1, text, quote: text, source: `https://a.example/${at}` };
					return [at + 1, { ...claim, verified: true }];
				}),
			);
			const body = own
				.map((text, at) => `${text.replace(/[.。]$/, '')} ${cite(at + 1)}${/[.。]$/.exec(text)?.[0] ?? ''}`)
				.join(' ');
			const checked = await checkReport(body, {
				claims,
				pages: new Map(),
				context: [],
				subQuestions: [],
				judge: undefined,
			});
			const kept = checked.lines.flatMap(({ sentences }) => sentences).filter(({ verdict }) => verdict === 'cited');
			for (const [at, text] of own.entries()) {
				const isKept = kept.some(({ known, text: said }) => known.includes(at + 1) && said.includes(text.slice(0, 12)));
				rates.count(language, `sentences of a report kept with their number, ${form}`, isKept, text);
			}
		}
	}
}
