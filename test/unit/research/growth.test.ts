import { QuotedPage } from '../../../nodes/research/claims/passages';
import { cleanReport } from '../../../nodes/research/report/cleanReport';
import { readReport } from '../../../nodes/research/report/readReport';
import { answerText, jsonObjects } from '../../../nodes/research/model/answers';
import { expectLinear } from '../../helpers/growth';

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
])('a report of a model, of %s', async (_what, report) => {
	await expectLinear(24_000, (size) => readReport(cleanReport(report(size)).text));
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
