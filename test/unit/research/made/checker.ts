import { withoutJumps } from '../world.ts';

/** What is checked, as the item that a user gets has it. Nothing here comes from the node's code. */
interface CheckedItem {
	finalAnalysis: string;
	claims: ReadonlyArray<{ text: string; quote: string; source: string }>;
}

/** A sentence or a line of a report, and the addresses that it links. */
interface Statement {
	text: string;
	links: string[];
}

export interface Verdict {
	statements: number;
	supported: number;
	/** Why those that are not supported are not. */
	faults: string[];
}

/** Of a statement, so much must stand in the quote that it rests on. */
const SHARED_WORDS = 0.6;

const LINK = /\[\d+\]\((\S+?)\)/g;

/** Only letters and digits, in one form: what Markdown, spaces, quotation marks and dashes do is nothing. */
export function lettersOf(text: string): string {
	const shown = text
		.normalize('NFKC')
		.replace(/<[^>]*>/g, ' ')
		.replace(/\\?\[\\?\[?\d+\\?\]\\?\]?(\([^)]*\))?/g, ' ')
		.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1');
	return ` ${(shown.match(/\p{L}+|\d+(?:[.,]\d+)*/gu) ?? []).join(' ')} `;
}

function figuresOf(text: string): string[] {
	return lettersOf(text).match(/\d\S*/g) ?? [];
}

function wordsOf(text: string): string[] {
	return (
		lettersOf(text)
			.toLowerCase()
			.match(/\p{L}{3,}/gu) ?? []
	);
}

/** The statements of a report: what stands before links, and lines without any. */
export function statementsOf(report: string): Statement[] {
	const statements: Statement[] = [];
	let isNotFound = false;
	for (const line of withoutJumps(report).split('\n')) {
		const text = line.trim();
		if (text.startsWith('#')) isNotFound = /not found/i.test(text);
		const isAside = text === '' || text.startsWith('#') || text.startsWith('> **Partial');
		if (isAside || (isNotFound && !LINK.test(text))) continue;
		LINK.lastIndex = 0;
		let rest = text;
		while (rest !== '') {
			const [whole, said = '', linked = ''] = /^(.*?)((?:\[\d+\]\(\S+?\)\s*)+)/.exec(rest) ?? [];
			if (whole === undefined) {
				if (/\p{L}/u.test(rest)) statements.push({ text: rest, links: [] });
				break;
			}
			const links = [...linked.matchAll(LINK)].map(([, address = '']) => address.replace(/#?:~:.*$/, ''));
			// A sentence without a link may stand before one that has it.
			const sentences = said.split(/(?<=[.!?])\s+(?=\p{Lu})/u).filter((one) => /\p{L}/u.test(one));
			for (const sentence of sentences.slice(0, -1)) statements.push({ text: sentence, links: [] });
			statements.push({ text: sentences.at(-1) ?? '', links });
			rest = rest.slice(whole.length);
		}
	}
	return statements;
}

/**
 * Whether every statement of a report stands on the pages that it links: the quote of a claim must be on each
 * of these pages word by word and say what the statement says, and every figure must stand in these quotes.
 * `pages`: their text, by address.
 */
export function checkItem({ finalAnalysis, claims }: CheckedItem, pages: ReadonlyMap<string, string>): Verdict {
	const statements = statementsOf(finalAnalysis);
	const faults = statements.flatMap((statement) => faultOf(statement, claims, pages) ?? []);
	return { statements: statements.length, supported: statements.length - faults.length, faults };
}

function faultOf(
	{ text, links }: Statement,
	claims: CheckedItem['claims'],
	pages: ReadonlyMap<string, string>,
): string | undefined {
	if (links.length === 0) return `no source: ${text}`;
	const wanted = wordsOf(text);
	const held: string[] = [];
	for (const link of links) {
		const page = pages.get(link);
		if (page === undefined) return `${link} was never there: ${text}`;
		const whole = lettersOf(page);
		const quotes = claims
			.filter(({ source }) => source === link)
			.map(({ quote }) => quote)
			.filter((quote) => {
				const said = new Set(wordsOf(quote));
				const shared = wanted.filter((word) => said.has(word)).length;
				return shared >= SHARED_WORDS * wanted.length;
			});
		const standing = quotes.filter((quote) => whole.includes(lettersOf(quote)));
		if (standing.length === 0) return `no quote of it stands on ${link}: ${text}`;
		held.push(...standing);
	}
	const figures = new Set(held.flatMap(figuresOf));
	const missing = figuresOf(text).filter((figure) => !figures.has(figure));
	return missing.length === 0 ? undefined : `${missing.join(', ')} in no quote: ${text}`;
}
