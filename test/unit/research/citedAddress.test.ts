import { citedAddress } from '../../../nodes/research/report/citedAddress';

const PAGE = 'https://site.example/page';
const jump = (...quotes: string[]) => citedAddress(PAGE, quotes)?.slice(PAGE.length);

describe('the link of a citation', () => {
	it.each([
		['a short quote', 'Acme was founded in 1990.', '#:~:text=Acme%20was%20founded%20in%201990'],
		[
			'the ends of a long one',
			'The first line of the harbour was opened for ships of any length in the year 1990, after ten years of work on it.',
			'#:~:text=The%20first%20line%20of%20the%20harbour,ten%20years%20of%20work%20on%20it',
		],
		[
			'words around what the page may write otherwise',
			"It was founded in 1990 by 'Jane Doe' - in the town of Graz in Austria",
			'#:~:text=It%20was%20founded%20in%201990%20by,the%20town%20of%20Graz%20in%20Austria',
		],
		['signs of the directive', 'A-b, c & d', '#:~:text=A,b%2C%20c%20%26%20d'],
		['a script without spaces', '公司在河边建了一座新的工厂', '#:~:text=%E5%85%AC%E5%8F%B8'],
	])('jumps to %s', (_name, quote, expected) => {
		expect(jump(quote)).toContain(expected);
	});

	it('names several quotes of one page', () => {
		expect(jump('One two.', 'Three four.')).toBe('#:~:text=One%20two&text=Three%20four');
	});

	it('keeps what a page has behind #, and leaves a PDF file and no address alone', () => {
		expect(citedAddress(`${PAGE}#top`, ['One.'])).toBe(`${PAGE}#top:~:text=One`);
		expect(citedAddress('https://site.example/a.PDF', ['One.'])).toBe('https://site.example/a.PDF');
		expect(citedAddress(PAGE, ['…'])).toBe(PAGE);
		expect(citedAddress('ftp://site.example/', ['One.'])).toBeUndefined();
	});
});
