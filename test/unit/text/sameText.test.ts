import { comparedLines, contentHash, visibleLines } from '../../../nodes/text/contentHash';
import { readLinePattern } from '../../../nodes/text/linePatterns';
import { seededRandom } from '../../../sandbox/runtime/runtime.ts';

const hashOf = (page: Record<string, unknown>, parts: string[] = []): string => {
	const patterns = parts.map((source) => {
		const read = readLinePattern(source);
		if (!(read instanceof RegExp)) throw new Error(read.problem);
		return read;
	});
	return contentHash(comparedLines(visibleLines(page) ?? [], [], patterns));
};

describe('what a reader does not see is no change', () => {
	it.each([
		['* one\n* two', '- one\n- two'],
		['* 5 apples\n* 6 pears', '- 5 apples\n- 6 pears'],
		['1) one\n2) two', '1. one\n2. two'],
		['a __bold__ and _soft_ word', 'a **bold** and *soft* word'],
		['Prices\n======\n\nOffers\n------', '# Prices\n\n## Offers'],
		['## Offers ##', '## Offers'],
		['***', '---'],
		['5\\. of \\[all\\] \\#3', '5. of [all] #3'],
		['It&#39;s &quot;5&nbsp;&amp;&#x20;6&quot;', 'It’s “5 & 6”'],
		['and so on…', 'and so on...'],
		['## Offers [](#offers)', '## Offers {#offers}'],
		['## [#](#offers)Offers', '## Offers'],
		['|a|b|\n|:-|--:|\n|1|2|', '| a | b |\n| --- | --- |\n| 1 | 2 |'],
		['[home](/a?PHPSESSID=8f3)', '[home](/a)'],
		['[home](/a;jsessionid=8F3A.node1?x=1)', '[home](/a?x=1)'],
		['[home](/a?sid=k3j5h2k3j5h2k3j5&x=1)', '[home](/a?sid=z9x8c7v6b5n4m3q2&x=1)'],
		['[mail](/cdn-cgi/l/email-protection#a1b2c3)', '[mail](/cdn-cgi/l/email-protection#d4e5f6)'],
		['![logo](/logo.png?v=17a9)', '![logo](/logo.png?v=18b0)'],
		['![logo](/logo.png?17a9f3)', '![logo](/logo.png)'],
		['Ended 9 months ago (12 Aug 2025)', 'Ended 10 months ago (12 Aug 2025)'],
		['| 1.2 | vor 3 Tagen (1. Mai 2024) |', '| 1.2 | vor 2 Wochen (1. Mai 2024) |'],
	])('%p and %p', (one, other) => {
		expect(hashOf({ markdown: other })).toBe(hashOf({ markdown: one }));
	});

	it('in HTML: hidden inputs, tokens, cache busters', () => {
		const html = (id: string) =>
			`<form><input type="hidden" name="csrf" value="${id}"><input name=q value="x"></form>` +
			`<link rel="stylesheet" href="/s.css?v=${id}"><img src="/a.png?${id}"><a href="/b?csrf_token=${id}&amp;x=1">b</a>`;
		expect(hashOf({ html: html('17a9f3') })).toBe(hashOf({ html: html('28bae4') }));
		expect(hashOf({ html: html('17a9f3') })).not.toBe(hashOf({ html: html('17a9f3').replace('x=1', 'x=2') }));
		expect(hashOf({ html: html('17a9f3') })).not.toBe(
			hashOf({ html: html('17a9f3').replace('value="x"', 'value="y"') }),
		);
	});
});

describe('what a reader sees is one', () => {
	it.each([
		['- 5 %', '+ 5 %'],
		['Change: -5 %', 'Change: 5 %'],
		['[price list](/lists/prices-2025.pdf)', '[price list](/lists/prices-2026.pdf)'],
		['[more](/a?page=2)', '[more](/a?page=3)'],
		['[shop](/a?sid=12)', '[shop](/a?sid=13)'],
		['![logo](/old.png?v=1)', '![logo](/new.png?v=1)'],
		['[data](/a.csv?v=1)', '[data](/a.csv?v=2)'],
		['# Prices', '## Prices'],
		['`a__b__`', '`a**b**`'],
		['```\n* one\n```', '```\n- one\n```'],
		['Ended 9 months ago', 'Ended 10 months ago'],
		['It’s open', 'Its open'],
		['3 * 4', '3 - 4'],
		['2. one', '3. one'],
		['a **bold** word', 'a bold word'],
	])('%p and %p', (one, other) => {
		expect(hashOf({ markdown: other })).not.toBe(hashOf({ markdown: one }));
	});

	it('but for the parts of a line that the user ignores', () => {
		const parts = ['\\d+ (views|comments)', 'as of [\\w ]+'];
		const one = hashOf({ markdown: 'Price 5, 12 views, as of May 3' }, parts);
		expect(hashOf({ markdown: 'Price 5, 9999 views, as of June 4' }, parts)).toBe(one);
		expect(hashOf({ markdown: 'Price 6, 12 views, as of May 3' }, parts)).not.toBe(one);
	});
});

/** How one converter writes Markdown. */
interface Make {
	heading: (level: number, text: string) => string;
	item: string;
	bold: (text: string) => string;
	soft: (text: string) => string;
	quote: (text: string) => string;
	sign: (text: string) => string;
	number: (at: number) => string;
	cell: (cells: string[]) => string;
	rule: string;
}

const MAKES: [Make, Make] = [
	{
		heading: (level, text) => (level < 3 ? `${text}\n${(level === 1 ? '=' : '-').repeat(text.length)}` : `### ${text}`),
		item: '*   ',
		bold: (text) => `__${text}__`,
		soft: (text) => `_${text}_`,
		quote: (text) => `“${text}”`,
		sign: (text) => text.replace(/[.[\]]/g, '\\$&'),
		number: (at) => `${at}) `,
		cell: (cells) => `|${cells.join('|')}|`,
		rule: '* * *',
	},
	{
		heading: (level, text) => `${'#'.repeat(level)} ${text} [#](#${text.length})`,
		item: '- ',
		bold: (text) => `**${text}**`,
		soft: (text) => `*${text}*`,
		quote: (text) => `&quot;${text}&quot;`,
		sign: (text) => text,
		number: (at) => `${at}. `,
		cell: (cells) => `| ${cells.join(' | ')} |`,
		rule: '---',
	},
];

const WORDS = 'harbour boat ferry crane shed water price line ticket night winter captain'.split(' ');

/** A page of some blocks, as one converter writes it; `changed`: the number of the word that is another one. */
function pageOf(seed: number, make: Make, changed = -1): string {
	const random = seededRandom(seed);
	let count = -1;
	const word = () => {
		count += 1;
		const at = Math.floor(random() * WORDS.length);
		const number = Math.floor(random() * 900);
		const isNumber = random() < 0.2;
		const other = count === changed ? 1 : 0;
		return isNumber ? `${number + other}` : `${WORDS[(at + other) % WORDS.length] ?? ''}`;
	};
	const words = (most: number) => Array.from({ length: 2 + Math.floor(random() * most) }, word).join(' ');
	const blocks = Array.from({ length: 12 }, () => {
		switch (Math.floor(random() * 7)) {
			case 0:
				return make.heading(1 + Math.floor(random() * 3), `The ${words(3)}`);
			case 1:
				return [1, 2, 3].map(() => `${make.item}${words(5)}`).join('\n');
			case 2:
				return [1, 2, 3].map((at) => `${make.number(at)}${words(5)}`).join('\n');
			case 3:
				return [make.cell([word(), word()]), '| --- | --- |', make.cell([word(), word()])].join('\n');
			case 4:
				return make.rule;
			case 5:
				return `See ${make.bold(words(2))} and ${make.soft(words(2))}, ${make.quote(words(3))}${make.sign('. [1]')}`;
			default:
				return `Now ${words(12)}${make.sign('.')} [${word()}](https://site.example/${word()}/${word()}.pdf)`;
		}
	});
	return blocks.join('\n\n');
}

it('200 pages are the same through two makes of Markdown, and each of 40 words that change is seen', () => {
	const [one, other] = MAKES;
	const changed = Array.from({ length: 200 }, (_page, seed) => seed).filter((seed) => {
		return hashOf({ markdown: pageOf(seed, one) }) !== hashOf({ markdown: pageOf(seed, other) });
	});
	expect(changed).toEqual([]);
	const seen = Array.from({ length: 40 }, (_page, seed) => seed).filter((seed) => {
		return hashOf({ markdown: pageOf(seed, one) }) !== hashOf({ markdown: pageOf(seed, other, seed % 10) });
	});
	expect(seen).toHaveLength(40);
});
