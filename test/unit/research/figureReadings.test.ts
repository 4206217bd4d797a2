import { join } from 'node:path';
import { datesIn } from '../../../nodes/text/figures/figureDates';
import { formsIn } from '../../../nodes/text/figures/figureForms';
import { figuresIn } from '../../../nodes/text/figures/figureReading';
import { compareFigures } from '../../../nodes/research/claims/figures';
import { englishNumbers, hanNumbers, plainFigures } from '../../../nodes/text/figures/numberWords';
import { pairHints } from '../../../nodes/research/claims/pairHints';
import { withChangedWords } from '../../../nodes/research/history/changedWords';
import { withoutAges } from '../../../nodes/text/figures/figureNames';
import { expectGoldenFile } from '../../helpers/goldenFile';

/** Each text and the next one are compared, too, in both directions. */
const TEXTS = [
	'It costs 39 euros a month.',
	'It costs €39.00 per month.',
	'It costs 49 EUR a month.',
	'From 1,400 to 1.400 and 1 400 people',
	"1'400 Personen, 1\u202f400 personnes",
	'1,234.56 or 1.234,56 or 12,34,567',
	'More than 10,000, less than 5, at least 3, > 7, ≤ 2, -4 °C, −5',
	'about 35 %, 35 per cent, 35%, 0.35, 3.5 pct, 12 bps',
	'$5m, £3bn, ¥2,000, USD 12, 12 US dollars, 5k',
	'2.4 million people, 2,4 Millionen Menschen, 2.4m people',
	'4.78万亿元, 16萬8千人, 3兆2000億円, 5조 6천억 원, 1,234万5千人',
	'1.5 lakh crore rupees, 3 crore, 45 tys. osób, 2 mil millones de euros',
	'half a million, two dozen schools, two hundred and thirty-six, twenty-one thousand',
	'三百一十二家工厂，两千零五人，二〇二四年，第三名',
	'at 17:30, 5:30 pm, 17.30 Uhr, 6.30am, 15時, 3 p.m., noon',
	'on 3 May 2024, 2024-05-03, 05/03/2024, 3.5.2024, 3. Mai 2024, May 3rd, 2024',
	"in the 1970s, '70s, 70er Jahre, 80年代, 1990-95, 2018–19, 2021/22, FY25, '24",
	'COVID-19, CO2, GPT-4, N95, 3G, A320, Route 66, Windows 11, B2B',
	'1½ hours, 2 1/2 cups, 10⁶ cells, 3×10⁸ m/s, 5^2, 1e6, ¾ of it',
	'12 km, 12 miles, 12 kg, 5 GB, 5 MB, 20 °C, 30 mph, 100 m², 90 minutes, 1.5 h',
	'ranges 5-10 %, 5 to 10 euros, between 3 and 4 million, 20–25 km, 3~5日',
	'the first, the 2nd, 3rd of 4, No. 7, chapter 12, page 3 of 10, step 1',
	'version 1.25.8, 192.168.0.1, +1 (555) 123-4567, 10:9, 4x4, 16:9',
	'ended 9 months ago (1 May 2024)',
	'ended 10 months ago (1 May 2024)',
	'endet in 3 Wochen, vor 2 Jahren, il y a 5 ans, hace 3 días, 3か月前',
	'twelve months, a dozen, no one, one of three, zero, nil',
	'The shop opened in 1987 and has 3 rooms.',
	'The shop opened in 1978 and has three rooms.',
	'It is not open on Sundays.',
	'It is open on Sundays.',
	'Ada Marlow founded Acme in Nordhaven.',
	'Bo Lind founded Acme in Graz.',
	'عام ١٩٩٠ كان هناك ٣٠٠ موظف، 5 ملايين',
	'१९९० में ३०० कर्मचारी',
	'January, März, avril, mayo, 六月, Juli 2024, Aug. 5, septembre 2023',
	'Q3 2024, H1 2023, week 12, 2024W05, 12th century',
	'three million and five million, two three, ten five, one hundred five, half a dozen, a million and a half',
	'two hundred and thirty-six, twenty and five, three hundred thousand and twelve, a hundred million',
	'二百五十三萬八百人，一億兩千三百萬，四百一十二，十五，一千零三',
	'03/2024, 2024/03, 3.2024, 2024-03, 11/2023 and 20240305',
	'в январе 2024, stycznia 2023, lokakuussa 2024, 15. ledna, im Februars',
	'May and March were wet; Mar 5 was not',
	'im 19. Jahrhundert, in the 18th century, the 1900s, 1890er',
	'下午3時半, 午前9時30分, 오후 3시 30분, 15時',
	'12百万円, 3十億, 5천만 명, 2만5천 원',
	'3 Mio. Euro, 4 Mrd. Euro, 3 M users, 5 B dollars, 7 tn yen',
	'3,000 of the 12,000 seats (25 %) for 4.5 million euros in 2024',
];

it('reads figures, dates and words for numbers as it did', () => {
	const lines = TEXTS.flatMap((text, at) => {
		const plain = plainFigures(text);
		const dates = datesIn(plain);
		const next = TEXTS[at + 1] ?? TEXTS[0] ?? '';
		return [
			`# ${text}`,
			`plain ${plain}`,
			`dates ${JSON.stringify(dates)}`,
			`forms ${JSON.stringify(formsIn(dates.rest))}`,
			...figuresIn(formsIn(dates.rest).rest).map((figure) => `figure ${JSON.stringify(figure)}`),
			`words ${JSON.stringify([englishNumbers(text), hanNumbers(text, true), hanNumbers(text, false)])}`,
			`without ages ${withoutAges(text)}`,
			`beside the next ${JSON.stringify([compareFigures(text, [next]), compareFigures(next, [text]), compareFigures(text, [next], [text])])}`,
			`hints ${JSON.stringify([pairHints(text, next), pairHints(next, text)])}`,
			`changed ${withChangedWords(text, next)}`,
			'',
		];
	});
	expectGoldenFile(join(__dirname, '../../golden/figureReadings.txt'), `${lines.join('\n').trimEnd()}\n`);
});
