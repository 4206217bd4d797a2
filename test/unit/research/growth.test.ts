import { QuotedPage } from '../../../nodes/research/claims/passages';
import { answerText, jsonObjects, plainText } from '../../../nodes/research/model/answers';
import { showReport, SourceNumbers } from '../../../nodes/research/report/showReport';
import { reportHtml } from '../../../nodes/text/report/reportHtml';
import { expectLinear } from '../../helpers/growth';
import { checked, CLAIMS } from './reports.ts';

it.each<[string, (size: number) => string]>([
	['sentences of a letter', (size) => 'a. '.repeat(size / 3)],
	['full stops', (size) => `a${'.'.repeat(size)}b`],
	['quotation marks', (size) => `a.${'"'.repeat(size)}b`],
	['lines of a paragraph', (size) => 'ab\n'.repeat(size / 3)],
	['links in links', (size) => `${'['.repeat(size / 4)}a${'](b)'.repeat(size / 4)}`],
	['images that do not end', (size) => '![a](b'.repeat(size / 6)],
	['rulers of a table', (size) => `|${'-'.repeat(size)}x`],
	['citations that are none', (size) => `a ${'[1, '.repeat(size / 4)}`],
	['blanks', (size) => `a${' '.repeat(size)}b`],
	['headings without a text', (size) => '# a\n'.repeat(size / 4)],
	['headings under headings', (size) => '# a\n## b\n### c\n'.repeat(size / 15)],
	['lines that lead on', (size) => 'ab:\n'.repeat(size / 4)],
	['lines in bold', (size) => '**a**\n'.repeat(size / 6)],
	['heads of tables', (size) => '| a |\n| --- |\n'.repeat(size / 14)],
	['cited headings', (size) => '## a\n\nb [1].\n'.repeat(size / 14)],
	['numbers before sentences', (size) => '[1] a. '.repeat(size / 7)],
	['numbers at the end', (size) => `${'a b. '.repeat(size / 10)}${'[1]'.repeat(size / 6)}`],
	['marks of search tools', (size) => '【1†a'.repeat(size / 4)],
	['names of sources', (size) => '(see claim 1, '.repeat(size / 14)],
	['tags that are none', (size) => '<a b'.repeat(size / 4)],
	['hosts', (size) => 'a.bc/'.repeat(size / 5)],
	['addresses', (size) => 'https://a.bc/ '.repeat(size / 14)],
	[
		'lists in lists',
		(size) => Array.from({ length: Math.sqrt(size) }, (_line, at) => `${' '.repeat(at)}- a [1].`).join('\n'),
	],
])('a report of a model, of %s', async (_what, report) => {
	await expectLinear(5_000, async (size) => {
		const plain = plainText(answerText(report(size)));
		const sources = new SourceNumbers();
		const text = showReport(await checked(plain), CLAIMS, sources, 'mark');
		reportHtml({ title: 'a', body: text, footer: '' });
	});
});

it('the page of a report with lists in lists, up to 2,000 deep', async () => {
	const deep = (depth: number) => Array.from({ length: depth }, (_line, at) => `${' '.repeat(at)}- a`).join('\n');
	await expectLinear(500, (depth) => reportHtml({ title: 'a', body: deep(depth), footer: '' }));
});

it.each<[string, (size: number) => string]>([
	['one paragraph', (size) => 'The cat sat on mat 7. '.repeat(size / 22)],
	['short paragraphs', (size) => 'The cat sat.\n\n'.repeat(size / 14)],
	['no sentence', (size) => 'word '.repeat(size / 5)],
	['footnotes', (size) => '[1](a#'.repeat(size / 6)],
])('claims that a page of %s does not hold', async (_what, markdown) => {
	await expectLinear(60_000, (size) => {
		const page = new QuotedPage(markdown(size));
		for (let claim = 0; claim < 40; claim++) {
			page.find(`The dog number ${claim} sat on the roof`);
			page.nearest(`The dog number ${claim} sat on the roof`, 3);
		}
	});
});

it('finds what is near a claim once for the whole page', async () => {
	const page = new QuotedPage('The cat sat on mat 7. '.repeat(20_000));
	page.nearest('The cat sat', 3);
	// The claims of a page of 440 KB: each for itself would take as long as the first.
	await expectLinear(25, (claims) => {
		for (let claim = 0; claim < claims; claim++) page.nearest(`No word ${claim} of it`, 3);
	});
});

it.each<[string, string]>([
	['empty objects', '{}'],
	['objects', '{"a":1}'],
	['open objects', '{"a":'],
	['closed objects', '}'],
	['objects in objects that are none', '{a{}}'],
	['thinking', '<think></think>'],
	['ends of thinking', '`</think>'],
])('an answer of a model, of nothing but %s', async (_what, part) => {
	await expectLinear(60_000, (size) => jsonObjects(answerText(part.repeat(size / part.length))));
});
