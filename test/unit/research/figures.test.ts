import * as fc from 'fast-check';

import { compareFigures, missingFigures } from '../../../nodes/research/claims/figures';

describe('figures that another text holds', () => {
	it.each([
		['1200 people', '1,200 people'],
		['1200 people', '1.200 Menschen'],
		['1200 people', '1 200 people'],
		['1200 people', "1'200 people"],
		['5 million users', '5,000,000 users'],
		['5 million users', '5m users'],
		['5 million users', '5 Mio. Nutzer'],
		['1.5 billion', '1,5 Milliarden'],
		['12.5%', '12,5 Prozent'],
		['12.5 percent', '12.5%'],
		['$5 million', 'USD 5m'],
		['5 dollars', '$5'],
		['€20', '20 euros'],
		['on 3 May 2024', '2024-05-03'],
		['on 2024-05-03', 'May 3rd, 2024'],
		['on 3 May 2024', '3. Mai 2024'],
		['on 3 May 2024', '03.05.2024'],
		['in May 2024', 'le 3 mai 2024'],
		['version 2.41.1', 'version 2.41.1 came out'],
		['7 members', 'seven members'],
		['the 3rd time', 'the third time'],
		['the year ١٩٩٠', 'in 1990'],
		['at 10:30', '10:30 in the morning'],
		['no figures at all', 'nothing'],
		['1,234,567.89', '1.234.567,89'],
		['minus: -5 degrees', 'it was −5 degrees'],
		['am 3. Mai 2024', 'le 3 mai 2024'],
		['5 million users', '5 miljoner användare'],
		['12 schools on 345 sites', 'on 12 345 sites'],
		['7 Mitglieder', 'sieben Mitglieder'],
		['12%', '12 people'],
		['12,000 people', '1.2万人'],
		['9 billion yuan', '90亿元'],
		['1,250,000 rupees', '12.5 lakh rupees'],
		['45,000 people', '45 tys. osób'],
		['45000 people', '45 tis. lidí'],
		['in 1952', '一九五二年建成'],
		['412 factories', '四百一十二家工厂'],
		['一九五二年', 'in 1952'],
		['25 people', 'twenty-five people'],
		['25 people in 2020', 'fünfundzwanzig Leute im Jahr 2020'],
		['COVID-19 patients', 'patients with Covid-19'],
		['COVID-19 patients', 'patients with COVID 19'],
		['COVID 19 patients', 'patients with COVID-19'],
		['the CO2 of 2020', '2020 年的CO2'],
		['music of the ’70s', 'Musik der 1970er'],
		['music of the 1970s', '七十年代 (70年代) 的音乐'],
		['at 3 pm', 'um 15:00 Uhr'],
		['at 3:30 p.m.', '午後、15時30分に'],
		['at 9:00', 'from 9 am to 5 pm'],
		['um 17.30 Uhr', 'at 5:30 pm'],
		['opened on 2003.06.11', '11 June 2003'],
		['opened on 20030611', '2003年6月11日'],
		['4.78 trillion yuan', '4.78万亿元'],
		['4.78万亿元', '4.78 trillion yuan'],
		['1.5 million people', '1.5m people'],
		['168,000 people', '16萬8千人'],
		['3.2 trillion yen', '3兆2000億円'],
		['5.6 trillion won', '5조 6천억 원'],
		['2 billion euros', '2 mil millones de euros'],
		['1.5 trillion rupees', '1.5 lakh crore rupees'],
		['500,000 people', 'half a million people'],
		['24 schools', 'two dozen schools'],
		['200 people', 'two hundred people'],
		['2.5 million people', 'two and a half million people'],
		['3,100 people', 'three thousand one hundred people'],
		['500,000 people', '近五十萬人'],
		['1.5 hours', '1½ hours'],
		['1,000,000 cells', '10⁶ cells'],
		['300,000 km', '3 × 10⁵ km'],
		['12 km²', '12 Quadratkilometer'],
		['1234567 people', '12,34,567 लोग'],
		['in ’24', 'in 2024'],
		['in 2025', 'in FY25'],
		['in 2019', 'the season of 2018–19'],
		['in 2022', 'saison 2021/22'],
		['on 28 November 2026', 'am 28.11.26'],
		['on 11/28/26', 'le 28 novembre 2026'],
		['on 3 May 2024', '5/3/2024'],
		['2024年3月12日', '12. März 2024'],
		['on 12 March 2024', '12 марта 2024 г.'],
		['in March 2024', 'w marcu 2024'],
		['on 6 January 2024', 'في 6 كانون الثاني 2024'],
		['ngày 5 tháng 3 năm 2024', 'on 5 March 2024'],
		['5 to 10 million', '5–10 million'],
		['5 km', '5 kilometres'],
		['24 hours', '24 Stunden'],
		['5-year plans', 'plans for 5 years'],
		['12%', '12 percent'],
		['5 in 2010', '5 hours in 2010'],
	])('%p is held by %p', (text, other) => {
		expect(missingFigures(text, [other])).toEqual([]);
	});

	it.each([
		['5 million', '5 billion', '5'],
		['12%', '12 €', '12 %'],
		['$5', '€5', '5$'],
		['1990', '1991', '1990'],
		['version 2.41.1', 'version 2.41.2', '2.41.1'],
		['1.2', '12', '1.2'],
		['7 members', 'sieben von 12', '7'],
		['10:45', '10:30', '10:45'],
		['GPT-4 can read', 'GPT-3 can read 4 pages', 'GPT-4'],
		['in the ’80s', 'in the 1970s', '’80s'],
		['at 4 pm', 'at 15:00', '4 pm'],
		['十三家工厂', '十二家工厂', '13'],
		['doses < 500 mg', 'doses > 500 mg', '500'],
		['3.2조 원', '3.2억 원', '3.2'],
		['2 thousand euros', '2 mil millones de euros', '2€'],
		['169,000 people', '16萬8千人', '169000'],
		['36 schools', 'two dozen schools', '36'],
		['25 people', 'twenty-six people', '25'],
		['26 people', '25 Leute', '26'],
		['25 people in 2020', 'fünfundzwanzig von 30 im Jahr 2020', '25'],
		['46,000 people', '45 tys. osób', '46000'],
		['13,000 people', '1.2万人', '13000'],
		['四百一十三家工厂', '四百一十二家工厂', '413'],
		['三百人', '二百人', '300'],
		['12000 houses', '12 houses', '12000'],
		['in March 2024', 'in May 2024', 'March 2024'],
		['am 12. März 2024', '2024年5月12日', '12. März 2024'],
		['on 28.11.26', 'on 28 December 2026', '28.11.26'],
		['on 28 November ’25', 'am 28.11.26', '25'],
		['in 2025', 'in FY24', '2025'],
		['in 2017', 'the season of 2018–19', '2017'],
		['5 km', '5 miles', '5'],
		['3 hours', '3 Tage', '3'],
		['5 million users', '5 Milliarden Nutzer', '5'],
		['5 million users', '5 users', '5'],
		['200 people', 'three hundred people', '200'],
		['1.5 hours', '1¼ hours', '1.5'],
		['1,000,000 cells', '10⁷ cells', '1000000'],
	])('%p is not held by %p', (text, other, missing) => {
		expect(missingFigures(text, [other])).toContain(missing);
	});

	it.each([
		['19 patients', 'patients with COVID-19', '19'],
		['7 Mitglieder', 'sieben Mitglieder', '7'],
		['in the ’70s', 'in the seventies', '’70s'],
		['at 3 pm', 'in the afternoon', '3 pm'],
		['5 million users', '5 miljoner användare', undefined],
		['2,900 kW', '2900千瓦', undefined],
		['the N95 masks', 'the masks', 'N95'],
		['doses >500 mg', 'doses of more than 500 mg', '500'],
		['at -500 degrees', 'at 500 degrees', '500'],
		['more than 10,000 users', '10,412 users', '10000'],
		['by 1 %', 'um ein Prozent', '1 %'],
		['200 people', 'deux cents personnes', '200'],
		['1.5 years', 'un an et demi', '1.5'],
		['in March 2024', 'in 2024', 'March 2024'],
		['80 million', '80 m', '80'],
		['5 million users', 'users, in million: 5', '5'],
		['5 billion users', '5 unknownlions', '5'],
	])('cannot tell whether %p is held by %p', (text, other, unclear) => {
		expect(compareFigures(text, [other])).toEqual({ different: [], unclear: unclear === undefined ? [] : [unclear] });
	});

	it('lets a figure of the question count only where the passage has no other of its unit', () => {
		const question = ['Does it have 500 users?'];
		expect(compareFigures('It has 500 users', ['It has 450 users'], question)).toEqual({
			different: [],
			unclear: ['500'],
		});
		expect(compareFigures('It had 500 users in 2010', ['That was in 2010'], question).unclear).toEqual([]);
		expect(compareFigures('It costs 5 %', ['It costs 4 %'], ['Is it 5 %?']).unclear).toEqual(['5 %']);
	});

	it('takes figures from several texts', () => {
		expect(missingFigures('from 10 to 20', ['it was 10', 'and later 20'])).toEqual([]);
		expect(missingFigures('from 10 to 30', ['it was 10', 'and later 20'])).toEqual(['30']);
	});

	it('leaves names that are no months alone', () => {
		expect(missingFigures('It may rise in March', ['It may rise'])).toEqual([]);
		expect(missingFigures('Marsh 5', ['Marsh 5'])).toEqual([]);
	});
});

it('tells nothing different for the letters, signs and scripts around a figure', () => {
	const signs = fc.constantFrom(...' .,;:-–—()[]«»“”’%€$年月日人台のをaxcXYZдфعم한글कขด', 'lorem', ' ipsum', ' ');
	const around = fc.string({ unit: signs, maxLength: 6 });
	fc.assert(
		fc.property(fc.integer({ min: 101, max: 99_999 }), around, around, around, (value, before, behind, other) => {
			const text = `see ${before}${value}${behind} here`;
			expect(compareFigures(`about ${value} of them`, [text]).different).toEqual([]);
			// Without what may be a unit of its own: 101 acres ("ac") or millimetres (Arabic "مم") are not 101 years.
			const word = other.replace(/[%€$.,:’年月日acم]/gu, '');
			expect(compareFigures(`about ${value} ${word}of them`, [text]).different).toEqual([]);
		}),
		{ numRuns: 2000 },
	);
});

it('a text holds its own figures', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
			expect(missingFigures(text, [text])).toEqual([]);
		}),
		{ numRuns: 500 },
	);
});

it('a number is held however it is written, and another one is not', () => {
	const writings = [
		(value: number) => String(value),
		(value: number) => value.toLocaleString('en-US'),
		(value: number) => value.toLocaleString('de-DE'),
		(value: number) => value.toLocaleString('fr-FR'),
		(value: number) => value.toLocaleString('de-CH'),
	];
	const write = fc.constantFrom(...writings);
	fc.assert(
		fc.property(fc.integer({ min: 1000, max: 1e9 }), write, write, fc.nat(1000), (value, one, other, more) => {
			expect(missingFigures(`about ${one(value)} of them`, [`some ${other(value)} were`])).toEqual([]);
			const changed = value + more + 1;
			const { different, unclear } = compareFigures(`about ${one(value)} of them`, [`some ${other(changed)} were`]);
			// A round figure may be the other one, rounded.
			expect(value % 100 === 0 ? [...different, ...unclear] : different).toHaveLength(1);
		}),
		{ numRuns: 500 },
	);
});

it('takes a number in groups for several only where the passage has each of them', () => {
	expect(missingFigures('about 142 266 266', ['some 142 266 267 were'])).toHaveLength(1);
	expect(missingFigures('about 142 266 266', ['142 of 266, then 266 again'])).toEqual([]);
});

it('reads long texts of digits in time that grows with their length', () => {
	const text = '1 234 '.repeat(20_000) + '1,234.'.repeat(20_000) + '1.'.repeat(50_000);
	expect(missingFigures('7777', [text])).toEqual(['7777']);
});
