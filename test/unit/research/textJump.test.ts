import { QuotedPage } from '../../../nodes/research/claims/passages';
import { citedAddress } from '../../../nodes/text/textJump';
import { expectLinear } from '../../helpers/growth';

const PAGE = 'https://site.example/page';
const SENTENCE = 'The first line of the harbour was opened for ships of any length in the year 1990.';

/** The words of a directive, decoded; undefined for none. */
const jump = (markdown: string, quote: string) => {
	const found = new QuotedPage(markdown).jumpTo(quote);
	return found === undefined ? undefined : decodeURIComponent(found);
};

describe('the directive of a citation', () => {
	it.each([
		['a short quote', 'Acme was founded in 1990.', 'Acme was founded in 1990', 'Acme was founded in 1990'],
		['the ends of a long one', SENTENCE, SENTENCE, 'The first line of,in the year 1990'],
		[
			'the page’s own signs',
			'It was – as “Jane” says – built by Acme.',
			"It was - as 'Jane' says - built by Acme",
			'It was – as “Jane” says – built by Acme',
		],
		[
			'words that have marks on the page',
			'It **was** _built_ [by](/x) `Acme` here.',
			'It was built by Acme here',
			'It was built by Acme here',
		],
		[
			'the words before a footnote',
			'It was built by Acme[\\[1\\]](#n) and sold to Beta.',
			'It was built by Acme and sold to Beta',
			'It was built by Acme',
		],
		[
			'the cells of a row',
			'| A | B |\n| --- | --- |\n| The small red boat | costs nine euros today |',
			'The small red boat costs nine euros today',
			'The small red,nine euros today',
		],
		[
			'a script without spaces',
			'公司在河边建了一座新的工厂',
			'公司在河边建了一座新的工厂',
			'公司在河边建了一座新的工厂',
		],
	])('names %s', (_name, markdown, quote, expected) => {
		expect(jump(`# Title\n\n${markdown}`, quote)).toBe(expected);
	});

	it.each([
		['words that stand nowhere', 'Nothing of it.', 'Acme was founded in 1990'],
		['two words', 'Acme grew.', 'Acme grew'],
		['a first cell of one word', '| A | B |\n| --- | --- |\n| Pro | 39 euros |', 'Pro 39 euros'],
	])('is none for %s', (_name, markdown, quote) => {
		expect(jump(markdown, quote)).toBeUndefined();
	});

	it('takes more words, or others, where the first ones stand earlier on the page', () => {
		const teaser = 'The first line of the news.';
		expect(jump(`${teaser}\n\n${SENTENCE}`, SENTENCE)).toBe(
			'The first line of the harbour,any length in the year 1990',
		);
		expect(jump(`${SENTENCE.slice(0, 60)}, it is said.\n\n${SENTENCE}`, SENTENCE)).not.toMatch(/^The first/);
	});

	it('takes time that grows with the page', async () => {
		await expectLinear(60_000, (size) => {
			const page = new QuotedPage('The [cat](/x)\n sat on **mat** 7. '.repeat(size / 34));
			for (let at = 0; at < 10; at += 1)
				page.jumpTo(`The cat sat on mat 7. The dog ${at} sat on it, and so did all of the others there`);
		});
	});
});

it('makes the address of a citation: with up to four places, behind what the page has there', () => {
	expect(citedAddress(PAGE, ['One%20two', 'Three%20four', 'One%20two'])).toBe(
		`${PAGE}#:~:text=One%20two&text=Three%20four`,
	);
	expect(citedAddress(`${PAGE}#top`, ['One'])).toBe(`${PAGE}#top:~:text=One`);
	expect(citedAddress('https://site.example/a.PDF', ['One'])).toBe('https://site.example/a.PDF');
	expect(citedAddress(PAGE, [])).toBe(PAGE);
	expect(citedAddress('ftp://site.example/', ['One'])).toBeUndefined();
});
