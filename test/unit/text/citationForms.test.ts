import {
	citation,
	renumbered,
	withCitations,
	withNumbers,
	withReferences,
} from '../../../nodes/text/report/citationForms';
import { plainReport } from '../../../nodes/text/report/plainReport';
import { reportHtml } from '../../../nodes/text/report/reportHtml';

const A = citation(1, 'https://a.example/#:~:text=one');
const A2 = citation(1, 'https://a.example/#:~:text=two');
const B = citation(2, 'https://b.example/');

describe('citations', () => {
	it.each([
		['It costs 5 euros.', `It costs 5 euros ${A}.`],
		['Really?!', `Really ${A}?!`],
		['**It costs 5 euros.**', `**It costs 5 euros ${A}.**`],
		['会社は1990年に設立された。', `会社は1990年に設立された ${A}。`],
		['No full stop', `No full stop ${A}`],
		['', ` ${A}`],
	])('stand before the full stop of "%s"', (sentence, shown) => {
		expect(withCitations(sentence, A)).toBe(shown);
		expect(withCitations(sentence, '')).toBe(sentence);
	});

	it('have their addresses at the end, each once, in the order of their numbers', () => {
		expect(withReferences(`One ${B}. Two ${A}. Three ${A2} ${B}.`)).toBe(
			'One [\\[2\\]][2]. Two [\\[1\\]][1]. Three [\\[1\\]][1-2] [\\[2\\]][2].\n\n[1]: https://a.example/#:~:text=one\n[1-2]: https://a.example/#:~:text=two\n[2]: https://b.example/',
		);
		expect(withReferences('Nothing cited [3].')).toBe('Nothing cited [3].');
	});

	it('are numbers alone, or other numbers', () => {
		expect(withNumbers(`One ${A} ${B}.`)).toBe('One [1] [2].');
		expect(renumbered(`One ${A} ${B}.`, new Map([[1, 7]]))).toBe(
			`One ${citation(7, 'https://a.example/#:~:text=one')} ${B}.`,
		);
	});
});

it('a report is plain text: for a chat and for a cell', () => {
	const report = `## Prices\n\n**It** costs ~~4~~ 5\\* euros ${A}.\n\n- One ${B}\n  - ↔ two\n\n| a | b |\n|---|---|\n| 1 | \`2\` |\n\n> said\n\n---\n\n*small*`;
	expect(plainReport(report)).toBe(
		'Prices\n\nIt costs 4 5* euros [1].\n\n- One [2]\n  - ↔ two\n\na | b\n1 | 2\n\nsaid\n\nsmall',
	);
});

describe('a page of its own', () => {
	const html = (body: string, language?: string) => reportHtml({ title: 'Q', body, footer: '', language });

	it('names its language, and where lines begin', () => {
		expect(html(`Text ${A}.`, 'de')).toContain('<html lang="de"><head>');
		expect(html(`Text ${A}.`)).toContain('<html><head>');
		expect(html(`تبلغ التكلفة خمسة يورو ${A}.`, 'ar')).toContain('<html lang="ar" dir="rtl">');
		expect(html(`העלות היא חמישה אירו ${A}.`)).toContain('<html dir="rtl">');
	});

	it('shows numbers in brackets, and no head of a table without words', () => {
		expect(html(`Text ${A}.`)).toContain('<a href="https://a.example/#:~:text=one">[1]</a>.');
		expect(html('| | |\n|---|---|\n| a | b |')).toContain('<table><tbody><tr><td>a</td>');
	});
});
