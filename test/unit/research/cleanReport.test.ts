import * as fc from 'fast-check';

import { cleanReport } from '../../../nodes/research/report/cleanReport';
import { linkAddress } from '../../../nodes/text/addresses';
import { checked, shown, withoutLinks } from './reports.ts';

/** What no report may hold but the links to its sources. */
const FORBIDDEN =
	/!\[|<[a-z/!?]|\bhttps?:|\bwww\.\w|\bjavascript:|\bdata:|\bmailto:|\w@\w+\.\w|evil\.example[/?]|\]\(|\]:/i;

const HOSTILE = [
	'![x](https://evil.example/p.png?d=1)',
	'[click](https://evil.example/?q=1)',
	'[click]( <https://evil.example/a b> "t" )',
	'[click][1]',
	'[1]: https://evil.example/',
	'<https://evil.example>',
	'<img src=x onerror=alert(1)>',
	'<<b>script>alert(1)</script>',
	'<scr<script></script>ipt>alert(1)</script>',
	'<a href="javascript:alert(1)">x</a>',
	'https://evil.example/x',
	'ht<b></b>tps://evil.example/x',
	'www.evil.example',
	'evil.example/path?d=secret',
	'mailto:a@evil.example',
	'a@evil.example',
	'javascript:alert(1)',
	'data:text/html,x',
	'![[x](https://evil.example/y)](https://evil.example/z)',
	'[a](https://evil.example/(b)(c)',
	'<!-- hidden -->',
	'<svg/onload=alert(1)',
	'[x]\n(https://evil.example)',
	'[![x](https://evil.example/y)](https://evil.example/z)',
	'\\[x](https://evil.example)',
	'[x\\](https://evil.example)',
	'![',
	'](',
	'[1](',
	'Hi![1](https://evil.example)',
	'<',
	'&lt;img src=x&gt;',
	'[1].',
	'In 1990 [1].',
	'![1](',
	'[x[1]](https://evil.example)',
	'[x][1](https://evil.example)',
	'word',
	'\n',
];

/** These are harmless until their citations are taken out. */
const SPLIT = ['<[1]script>', 'ht[1]tps://evil.example/x', 'www[2].evil.example/x', '![1][2](x)'];

it.each(SPLIT)('%p leaves no address, image or HTML in what is shown', async (text) => {
	expect(withoutLinks(await shown(`In 1990 ${text} [1].`, 'mark'))).not.toMatch(FORBIDDEN);
});

it.each(HOSTILE)('%p leaves no address, image or HTML in a report', async (text) => {
	expect(cleanReport(`Before ${text} after`).text).not.toMatch(FORBIDDEN);
	expect(withoutLinks(await shown(`In 1990 ${text} [1].`, 'mark'))).not.toMatch(FORBIDDEN);
});

it('no mixture of such texts leaves an address, image or HTML in a report', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.constantFrom(...HOSTILE, ...SPLIT), { maxLength: 8 }),
			fc.constantFrom('', ' '),
			async (parts, glue) => {
				const report = parts.join(glue);
				for (const choice of ['mark', 'leaveOut'] as const) {
					expect(withoutLinks(await shown(report, choice))).not.toMatch(FORBIDDEN);
				}
			},
		),
		{ numRuns: 2000 },
	);
});

it('cleaning a report takes time that grows with its length', async () => {
	for (const part of [
		'[',
		'![',
		'[a](',
		'<',
		'<!--',
		'<script',
		'a.',
		'a@',
		'x://',
		'<a',
		'[^1]:',
		'[1',
		'. [1]',
		'【',
	]) {
		await checked(part.repeat(50_000 / part.length));
	}
});

it('makes addresses that stand in a link of Markdown', () => {
	expect(linkAddress('https://a.example/x (y)[z]|"q"')).toBe('https://a.example/x%20%28y%29%5Bz%5D%7C%22q%22');
	expect(linkAddress('https://user:secret@a.example/')).toBe('https://a.example/');
	expect(linkAddress('javascript:alert(1)')).toBeUndefined();
	expect(linkAddress('https://')).toBeUndefined();
});
