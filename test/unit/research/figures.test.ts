import * as fc from 'fast-check';

import { missingFigures } from '../../../nodes/research/claims/figures';

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
		['10:45', '10:30', '45'],
		['26 people', '25 Leute', '26'],
		['25 people in 2020', 'fünfundzwanzig von 30 im Jahr 2020', '25'],
		['46,000 people', '45 tys. osób', '46000'],
		['13,000 people', '1.2万人', '13000'],
		['四百一十三家工厂', '四百一十二家工厂', '413'],
		['三百人', '二百人', '300'],
		['12000 houses', '12 houses', '12000'],
	])('%p is not held by %p', (text, other, missing) => {
		expect(missingFigures(text, [other])).toContain(missing);
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
			expect(missingFigures(`about ${one(value)} of them`, [`some ${other(changed)} were`])).toHaveLength(1);
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
