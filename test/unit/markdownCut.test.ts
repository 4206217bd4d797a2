import fc from 'fast-check';

import { markdownBlocks, withHashHeadings } from '../../nodes/text/markdown/readMarkdown';
import { cutAtHeadings, withoutSmall } from '../../nodes/text/markdown/cutMarkdown';

const MAX = 200;

const word = fc.stringMatching(/^[a-zäß€]{1,12}$/);
const sentence = fc.array(word, { minLength: 1, maxLength: 15 }).map((words) => `${words.join(' ')}.`);
const paragraph = fc
	.array(sentence, { minLength: 1, maxLength: 8 })
	.map((lines) => ({ kind: 'text' as const, text: lines.join('\n') }));
const code = fc
	.tuple(fc.constantFrom('```', '~~~', '````'), fc.array(sentence, { maxLength: 12 }))
	.map(([fence, lines]) => ({
		kind: 'whole' as const,
		text: [`${fence}js`, '# no heading', '', ...lines, 'a | b', '---', fence].join('\n'),
	}));
const table = fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 12 }).map((rows) => ({
	kind: 'whole' as const,
	text: ['| Name | Price |', '| --- | ---: |', ...rows.map(([a, b]) => `| ${a} | ${b} |`)].join('\n'),
}));
const heading = fc.tuple(fc.integer({ min: 1, max: 6 }), word, fc.boolean()).map(([level, title, isUnderlined]) => ({
	kind: 'heading' as const,
	level,
	title,
	text:
		isUnderlined && level < 3 ? `${title}\n${(level === 1 ? '=' : '-').repeat(5)}` : `${'#'.repeat(level)} ${title}`,
}));
const parts = fc.array(fc.oneof(heading, heading, paragraph, code, table), { maxLength: 25 });
const pageOf = (all: ReadonlyArray<{ text: string }>) => all.map(({ text }) => text).join('\n\n');
const squeezed = (text: string) => text.replace(/\s+/g, '');

describe('withHashHeadings', () => {
	it('writes underlined headings in one line, and changes nothing else', () => {
		fc.assert(
			fc.property(parts, (all) => {
				const expected = all.map((one) =>
					one.kind === 'heading' ? { text: `${'#'.repeat(one.level)} ${one.title}` } : one,
				);
				expect(withHashHeadings(pageOf(all)).trimEnd()).toBe(pageOf(expected).trimEnd());
			}),
		);
	});

	it('keeps the words of a heading of two lines, and code as it is', () => {
		expect(withHashHeadings('One\ntwo\n===\n\ntext\n\n```\nx\n===\n```')).toBe('# One two\n\ntext\n\n```\nx\n===\n```');
	});
});

describe('cutAtHeadings', () => {
	it('loses no text, whatever it is given', () => {
		const pieceOfMarkdown = fc.constantFrom(
			'# ',
			'## ',
			'```',
			'~~~',
			'|',
			'---',
			'===',
			'\n',
			'\r\n',
			'<pre>',
			'</pre>',
			'<table>',
			'- ',
			'> ',
			' ',
			'x',
			'𝄞',
		);
		const anything = fc.oneof(
			fc.string({ maxLength: 400 }),
			fc.array(fc.oneof(pieceOfMarkdown, fc.string({ maxLength: 30 })), { maxLength: 60 }).map((all) => all.join('')),
			parts.map(pageOf),
		);
		fc.assert(
			fc.property(anything, fc.integer({ min: 10, max: 300 }), (text, max) => {
				expect(
					markdownBlocks(text)
						.map((block) => block.text)
						.join(''),
				).toBe(text);
				const pieces = cutAtHeadings(text, max);
				expect(squeezed(pieces.map((piece) => piece.text).join(''))).toBe(squeezed(text));
				for (const piece of pieces) expect(piece.text.trim()).not.toBe('');
				expect(cutAtHeadings(text, max)).toEqual(pieces);
			}),
		);
	});

	it('cuts no table and no code, and keeps all else within the limit', () => {
		fc.assert(
			fc.property(parts, (all) => {
				const pieces = cutAtHeadings(pageOf(all), MAX).map(({ text }) => text);
				const wholes = all.filter(({ kind }) => kind === 'whole');
				for (const { text } of wholes) expect(pieces.filter((piece) => piece.includes(text))).not.toEqual([]);
				const longest = Math.max(0, ...wholes.map(({ text }) => text.length));
				for (const piece of pieces) {
					const isAroundWhole = wholes.some(({ text }) => piece.includes(text));
					expect(piece.length).toBeLessThanOrEqual(isAroundWhole ? Math.max(MAX, longest + MAX) : MAX);
				}
			}),
		);
	});

	it('names the headings that each piece stands under', () => {
		fc.assert(
			fc.property(parts, (all) => {
				const path: Array<{ level: number; title: string }> = [];
				const expected = all.flatMap((part) => {
					if (part.kind !== 'heading') return [];
					while ((path.at(-1)?.level ?? 0) >= part.level) path.pop();
					path.push(part);
					return [path.map(({ title }) => title).join(' > ')];
				});
				const known = new Set(['', ...expected]);
				const pieces = cutAtHeadings(pageOf(all), MAX);
				for (const { headingPath } of pieces) expect(known).toContain(headingPath);
				// The last heading is above the last piece.
				if (pieces.length > 0) expect(pieces.at(-1)?.headingPath).toBe(expected.at(-1) ?? '');
			}),
		);
	});

	it('gives the path of a guide', () => {
		const text =
			'# Guide\n\nIntro.\n\n## Install\n\n### [Docker](#docker) ##\n\nRun it.\n\n### npm\n\nType it.\n\n## Use\nNow.';
		expect(cutAtHeadings(text, 1000)).toEqual([
			{ headingPath: 'Guide', text: '# Guide\n\nIntro.' },
			{
				headingPath: 'Guide > Install > Docker',
				text: '## Install\n\n### [Docker](#docker) ##\n\nRun it.',
			},
			{ headingPath: 'Guide > Install > npm', text: '### npm\n\nType it.' },
			{ headingPath: 'Guide > Use', text: '## Use\nNow.' },
		]);
	});

	it.each([
		['- item\n---\nmore', ['']],
		['- item\n\n  ```sh\n  # no heading\n  ```\n', ['']],
		['a | b\n--- | ---\n1 | 2', ['']],
		['<pre>\n# no heading\n</pre>\n# Yes\nx', ['', 'Yes']],
		['<pre>never closed\n# Yes\nx', ['', 'Yes']],
		['`a` ```b``` c\n# Yes\nx', ['', 'Yes']],
		['- <pre>\n# no\n</pre>\n\n# Yes\nx', ['', 'Yes']],
		['See <pre>\n# no\n</pre>\n\n# Yes\nx', ['', 'Yes']],
		['Write `<pre>` and\n# Yes\nor `</pre>`', ['', 'Yes']],
		['<!-- a\n# no\n-->\n# Yes\nx', ['', 'Yes']],
		['<script>\n# no\n</script>\n# Yes\nx', ['', 'Yes']],
		['---\ntitle: x\n---\n# Yes\nx', ['', 'Yes']],
		['---\n\n# Yes\nx\n\n---', ['', 'Yes']],
		['#hashtag\n\n# \n\nx', ['', '']],
		['# C#\nx', ['C#']],
		['# **Bold** `code` [​](#x "Direct link")\nx', ['Bold code']],
		['# [A](https://x/y_(z)) b\nx', ['A b']],
		['Two lines\nof title\n===\nx', ['Two lines of title']],
	])('reads %j', (text, paths) => {
		expect(cutAtHeadings(text, 1000).map(({ headingPath }) => headingPath)).toEqual(paths);
	});

	it.each([
		['a table in a table', '<table><tr><td>\n<table>\n<tr><td>a</td></tr>\n</table>\n</td></tr>\n</table>'],
		['code in a list', '- <pre>\nfirst line\n\nsecond line\n</pre>'],
		['indented code', '    first line\n    second line\n\n    third line'],
		['joined emoji', '👩‍👩‍👧‍👦'],
	])('does not cut %s', (_what, whole) => {
		const text = ['Words before it.', whole, 'Words behind it.'].join('\n\n');
		for (const max of [12, 20, 30]) {
			const pieces = cutAtHeadings(text, max).map((piece) => piece.text);
			expect(pieces.filter((piece) => piece.includes(whole))).toHaveLength(1);
		}
	});

	it('cuts a long table between its rows, each part under the header', () => {
		const rows = Array.from({ length: 3000 }, (_, at) => `| Part ${at} | ${at * 3} EUR |`);
		const header = '| Name | Price |\n| --- | ---: |\n';
		const pieces = cutAtHeadings(`# Prices\n\n${header}${rows.join('\n')}\n\nMore.`, 2000);
		const texts = pieces.map(({ text }) => text);
		expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(8000);
		const parts = texts.filter((text) => text.includes('| Part '));
		for (const text of parts) expect(text.replace('# Prices\n\n', '').startsWith(header)).toBe(true);
		expect(parts.flatMap((text) => text.split('\n').filter((line) => line.includes('Part')))).toEqual(rows);
		expect(new Set(pieces.map(({ headingPath }) => headingPath))).toEqual(new Set(['Prices']));
	});

	it('does not put a header above each part that is longer than the part', () => {
		const rows = Array.from({ length: 400 }, (_unused, at) => `<tr><td>Part ${at}</td></tr>`);
		const table = `<table><thead><tr><th>${'Name '.repeat(1500)}</th></tr></thead>${rows.join('')}</table>`;
		const characters = cutAtHeadings(table, MAX).reduce((sum, { text }) => sum + text.length, 0);
		expect(characters).toBeLessThanOrEqual(table.length);
	});

	it.each(['\n', ''])(
		'cuts a long table of HTML between its rows, each part under the header (lines end with %j)',
		(end) => {
			const rows = Array.from(
				{ length: 400 },
				(_unused, at) =>
					`<tr><td>Part ${at}</td><td><table><tr><td>${'x'.repeat(30)}</td></tr></table></td></tr>${end}`,
			);
			const head = `<table class="a">${end}<thead><tr><th>Name</th><th>Price</th></tr></thead>${end}`;
			const pieces = cutAtHeadings(
				`# Prices\n\nAll of them: ${head}<tbody>${rows.join('')}</tbody></table>\n\nEnd.`,
				MAX,
			);
			const parts = pieces.map(({ text }) => text).filter((text) => text.includes('Part'));
			expect(parts.length).toBeGreaterThan(3);
			for (const part of parts) {
				expect(part).toContain(head);
				expect(part.match(/<td>Part/g)?.length).toBe(part.match(/<\/table><\/td><\/tr>/g)?.length);
				expect(part).toMatch(/<\/table>$/);
				expect(part.length).toBeLessThan(8200);
			}
			expect(parts.join('').match(/Part \d+/g)).toEqual(rows.map((_row, at) => `Part ${at}`));
		},
	);

	it('cuts code that nothing closes, and code that is too long, between lines', () => {
		const lines = Array.from({ length: 5000 }, (_, at) => `line ${at} of the page`);
		for (const text of [`\`\`\`\n${lines.join('\n')}`, `\`\`\`\n${lines.join('\n')}\n\`\`\``]) {
			const pieces = cutAtHeadings(text, 2000).map((piece) => piece.text);
			expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(8000);
			expect(pieces.join('\n')).toBe(text);
		}
	});

	it('cuts what is indented in a list, which is text', () => {
		const text = `- item\n\n    ${'word '.repeat(60)}\n`;
		for (const piece of cutAtHeadings(text, 100)) expect(piece.text.length).toBeLessThan(101);
	});

	it('cuts a row of joined emoji between them', () => {
		const family = '👩‍👩‍👧‍👦';
		for (const max of [11, 12, 25, 100]) {
			const pieces = cutAtHeadings(family.repeat(30), max).map((piece) => piece.text);
			expect(pieces.filter((piece) => piece.replaceAll(family, '') !== '')).toEqual([]);
		}
	});

	it('cuts a long paragraph at lines, sentences and words', () => {
		const sentences = 'One two three four. Five six seven eight. Nine ten.';
		expect(cutAtHeadings(sentences, 24).map(({ text }) => text)).toEqual([
			'One two three four.',
			'Five six seven eight.',
			'Nine ten.',
		]);
		for (const { text } of cutAtHeadings('𝄞'.repeat(20), 11)) expect(() => encodeURIComponent(text)).not.toThrow();
	});

	it('takes a text of a megabyte that means nothing', () => {
		for (const part of [
			'# # # ',
			'> - > - ',
			'```\n',
			'<pre>\n',
			'<table>\n',
			'x <pre>\n',
			'<!--\n',
			'    x\n\n',
			'---\na:\n',
			'|-',
			'[a](',
			'. ',
			'*_',
			' ',
		])
			expect(cutAtHeadings(part.repeat(1_000_000 / part.length), 2000)).toBeDefined();
	});

	it('takes a row of a table with a megabyte of spaces', () => {
		const row = `|-${' '.repeat(1_000_000)}x`;
		expect(cutAtHeadings(`a|b\n${row}`, 2000)).not.toEqual([]);
	});
});

describe('withoutSmall', () => {
	const cut = (text: string, max = 1000) => withoutSmall(cutAtHeadings(text, max), max);
	const LONG = 'Some words of a text. '.repeat(12).trim();

	it('leaves no heading alone, and no row of tiny documents', () => {
		expect(cut(`# Guide\n\n${LONG}\n\n## Related`)).toEqual([
			{ text: `# Guide\n\n${LONG}\n\n## Related`, headingPath: 'Guide' },
		]);
		const glossary = cut(
			`# Words\n\n${Array.from({ length: 300 }, (_one, at) => `## Word ${at}\nWhat ${at} is`).join('\n\n')}`,
		);
		expect(glossary.length).toBeLessThan(60);
		expect(glossary.every(({ text, headingPath }) => text.length >= 200 && headingPath === 'Words')).toBe(true);
	});

	it('leaves what is long enough as it is', () => {
		const text = `# A\n\n${LONG}\n\n# B\n\n${LONG}`;
		expect(cut(text).map(({ headingPath }) => headingPath)).toEqual(['A', 'B']);
	});

	it('joins a small one with a long one only where both fit', () => {
		expect(cut(`# A\n\nFew words.\n\n# B\n\n${LONG}`)).toEqual([
			{ text: `# A\n\nFew words.\n\n# B\n\n${LONG}`, headingPath: 'B' },
		]);
		expect(cut(`# A\n\nFew words.\n\n# B\n\n${LONG}`, LONG.length + 10)).toHaveLength(2);
	});

	it('loses no text and passes no limit', () => {
		fc.assert(
			fc.property(parts, fc.integer({ min: 20, max: 600 }), (all, max) => {
				const text = pageOf(all);
				const before = cutAtHeadings(text, max);
				const pieces = withoutSmall(before, max);
				expect(squeezed(pieces.map((piece) => piece.text).join(''))).toBe(squeezed(text));
				const longest = Math.max(max, ...before.map((piece) => piece.text.length));
				for (const piece of pieces) expect(piece.text.length).toBeLessThanOrEqual(longest);
			}),
		);
	});
});
