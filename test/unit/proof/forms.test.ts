import fc from 'fast-check';
import { proveValues } from '../../../nodes/proof/proveValues';

/** A value, a page, and what is said of it: where it is not found, why. */
type Row = [value: unknown, page: string, said: string];

const said = (value: unknown, markdown: string): string => {
	const [proven] = proveValues({ it: value }, { markdown, url: 'https://acme.example/about', metadata: {} });
	return proven === undefined ? 'nothing' : (proven.reason ?? proven.state);
};

const NUMBERS: Row[] = [
	[1400, 'It has 1,400 rooms.', 'found'],
	[1400, 'Es hat 1.400 Zimmer.', 'found'],
	[1400, 'Il y a 1 400 chambres.', 'found'],
	[1234567, '12,34,567 पुस्तकें', 'found'],
	[3200000, 'a revenue of 3.2 million', 'found'],
	[3200000, 'ein Umsatz von 3,2 Millionen', 'found'],
	[12000, '従業員数1.2万人', 'found'],
	[7, 'seven offices', 'found'],
	[20, 'a share of 20 %', 'found'],
	[0.2, 'a share of 20 %', 'computed'],
	[3.2, 'a revenue of 3.2 million', 'computed'],
	[-5, 'a change of -5 points', 'found'],
	[1401, 'It has 1,400 rooms.', 'notFound'],
	[4100, 'It has 1,400 rooms.', 'notFound'],
	[14, 'It has 1,400 rooms.', 'notFound'],
	[39, 'from 39 EUR', 'isRange'],
	[39, 'ab 39 Euro', 'isRange'],
	[39, 'à partir de 39 euros', 'isRange'],
	[39, 'desde 39 euros', 'isRange'],
	[51, 'with 51–200 employees', 'isRange'],
	[200, 'with 51–200 employees', 'isRange'],
	[50, '50+ customers', 'isRange'],
	[39, '39円から', 'isRange'],
	[900, 'a battery costs 650 to 900 euros', 'isRange'],
	[900, 'er kostet 650 bis 900 Euro', 'isRange'],
	[900, 'a battery costs from 650 to 900 euros', 'isRange'],
	[900, 'elle coûte de 650 à 900 euros', 'isRange'],
	[450, 'it grew from 300 to 450 employees', 'found'],
	[49, 'they raised the price of the small plan from €39 to €49', 'found'],
	[49, 'le prix est passé de 39 à 49 euros', 'found'],
	['1,299', 'only 1.299 left', 'found'],
	['1,299', 'only 1.298 left', 'notFound'],
];

const AMOUNTS: Row[] = [
	['€39', 'It costs €39 a month.', 'found'],
	['€39', 'Das kostet 39 € im Monat.', 'found'],
	['39 EUR', 'Das kostet 39,00 € im Monat.', 'found'],
	['$39', 'It costs €39 a month.', 'otherUnit'],
	['£39', 'It costs $39 a month.', 'otherUnit'],
	['39 USD', 'It costs $39 a month.', 'found'],
	['39 USD', 'It costs CA$39, or $30 in the US.', 'otherUnit'],
	['39 CAD', 'It costs CA$39, or US$30.', 'found'],
	['39 CHF', '| Plan | Price (CHF) |\n| --- | --- |\n| Pro | 39 |', 'found'],
	['39 EUR', '| Plan | Price (CHF) |\n| --- | --- |\n| Pro | 39 |', 'otherUnit'],
	['€93', 'It costs €39 a month.', 'notFound'],
	['12 %', 'The rate is 12 percent.', 'found'],
	['13 %', 'The rate is 12 percent.', 'notFound'],
	['₹999', '₹ 999 per year', 'found'],
	['$39', 'Without tax 39. Europe €9, US $10.', 'otherUnit'],
	['$39', 'for 39 users, $10', 'otherUnit'],
	['5000 JPY', '5,000円', 'found'],
];

const DATES: Row[] = [
	['2024-05-03', 'Published on May 3, 2024', 'found'],
	['2024-05-03', 'Veröffentlicht am 3. Mai 2024', 'found'],
	['2024-05-03', 'Publié le 3 mai 2024', 'found'],
	['2024-05-03', 'Publicado el 3 de mayo de 2024', 'found'],
	['2024-05-03', '公開日：2024年5月3日', 'found'],
	['3 mai 2024', 'le 2024-05-03', 'found'],
	['12 Oct 2026', 'am 12. Oktober 2026', 'found'],
	['12 lut 2026', '2026-02-12', 'found'],
	['2024-05-03', '게시일 2024년 5월 3일', 'found'],
	['2024-05-03', 'Опубликовано 3 мая 2024', 'found'],
	['2024-05-03T00:00:00Z', 'on 3 May 2024', 'found'],
	['May 3, 2024', '2024-05-03', 'found'],
	['2024-05', 'in May 2024', 'found'],
	['2024-05-13', 'on 13/05/2024', 'found'],
	['2024-05-03', 'on 03/05/2024', 'notExact'],
	['2024-05-03', 'on 03/05/2024, not on 25/05/2024', 'found'],
	['2024-03-05', 'on 03/05/2024, not on 25/05/2024', 'notFound'],
	['2024-05-04', 'Published on May 3, 2024', 'notFound'],
	['2023-05-03', 'Published on May 3, 2024', 'notFound'],
	['2024-06-03', 'Published on May 3, 2024', 'notFound'],
	['2024-05-03', 'Published 3 days ago', 'computed'],
	// Versions look like dates.
	['1.21.14', 'Latest: 1.21.13', 'notFound'],
	['3.13.13', 'Latest: 3.13.12', 'notFound'],
	['1.21.13', 'Latest: 1.21.13', 'found'],
];

const CODES: Row[] = [
	['NL91ABNA0417164300', 'IBAN: NL91 ABNA 0417 1643 00', 'found'],
	['NL91 ABNA 0417 1643 00', 'IBAN: NL91ABNA0417164300', 'found'],
	['9783161484100', 'ISBN 978-3-16-148410-0', 'found'],
	['NL91ABNA0417164301', 'IBAN: NL91 ABNA 0417 1643 00', 'notFound'],
];

/** Several values of one object, where what they are to each other tells. */
const TOGETHER: Array<[json: object, page: string, absent: string[]]> = [
	[{ priceMin: 39, priceMax: 59 }, 'Prices: 39 – 59 EUR', []],
	[{ priceMin: 59, priceMax: 39 }, 'Prices: 39 – 59 EUR', ['priceMin', 'priceMax']],
	[{ salaryFrom: 31_000 }, 'à partir de 31 000 € brut', []],
	[{ price: 142, originalPrice: 189 }, '~~€ 189~~ **€ 142** a night', []],
	[{ opened: '2024-05-03', closed: '2024-05-03' }, 'Opened: 2024-05-03, by the mayor', ['closed']],
	[{ price: 189 }, '~~€ 189~~ **€ 142** a night', ['price']],
	[
		{ results: 900, hotels: [{ name: 'Bellavista' }, { name: 'Bandini' }] },
		'312 hotels\n\n- Bellavista, 900 m to the centre\n- Bandini, 300 m to the centre',
		['results'],
	],
	[
		{
			events: [
				{ name: 'Flute', date: '2026-03-14' },
				{ name: 'Drums', date: '2026-03-14' },
			],
		},
		'## March 14, 2026\n\n### Flute\n\n7 pm\n\n### Drums\n\n9 pm',
		[],
	],
	[
		{
			rows: [
				{ id: 8, out: '2024-02-06', last: '2024-02-06' },
				{ id: 9, out: '2025-02-06', last: '2025-03-01' },
			],
		},
		'| Id | Out | Last |\n| --- | --- | --- |\n| 8 | 06 Feb 2024 | 8.1 (2024-02-06) |\n| 9 | 06 Feb 2025 | 9.4 (2025-03-01) |',
		[],
	],
	[
		{
			phones: [
				{ model: 'Nova 12', gram: 189 },
				{ model: 'Nova 12', gram: 206 },
			],
		},
		'| Model | Weight |\n| --- | --- |\n| Nova 12 | 189 g |\n| Nova 12 Pro | 206 g |',
		['phones[1].model'],
	],
	// A heading with a colon names no number.
	[{ riders: 72 }, '# Riders: pay and health\n\nA firm with 72 riders pays by the hour.', []],
	[{ riders: 72 }, 'Riders: 64\n\nA trial with 72 people.', ['riders']],
];

it.each(TOGETHER)('%j in %j: absent %j', (json, markdown, absent) => {
	const told = proveValues(json, { markdown, url: 'https://acme.example/about', metadata: {} });
	expect(told.filter(({ state }) => state === 'absent').map(({ path }) => path)).toEqual(absent);
});

const ADDRESSES: Row[] = [
	['https://acme.example/pricing', '[Pricing](/pricing)', 'found'],
	['https://acme.example/pricing', '[Pricing](https://ACME.example/pricing#plans)', 'found'],
	['https://acme.example/logo.png', '![Logo](../logo.png)\n\nAcme', 'found'],
	['https://acme.example/about', 'Nothing here.', 'found'],
	['https://acme.example/prices', '[Pricing](/pricing)', 'notFound'],
	['https://other.example/pricing', '[Pricing](/pricing)', 'notFound'],
	['info@acme.example', 'Write to Info@acme.example', 'found'],
	['info@acme.example', '[Mail](mailto:info@acme.example?subject=Hi)', 'found'],
	['info@acme.example', 'info (at) acme (dot) example', 'computed'],
	['sales@acme.example', 'Write to info@acme.example', 'notFound'],
	['+49 30 12345678', 'Tel. +49 (0)30 / 123 456-78', 'found'],
	['030 12345678', 'Tel. +49 (0)30 12345678', 'found'],
	['+49 30 12345679', 'Tel. +49 (0)30 / 123 456-78', 'notFound'],
];

const TEXTS: Row[] = [
	['Jane Doe', 'Our CEO JANE DOE leads the team.', 'found'],
	['“Smart” Pump – X2', 'The "Smart" Pump - X2™ is here', 'found'],
	['Müller GmbH', 'Die Müller GmbH in Köln', 'found'],
	['12 Main Street, Springfield', '12 Main Street\nSpringfield, 12345', 'found'],
	['東京都', '本社：東京都港区', 'found'],
	['Jane Doe', '𠮷野家 𠮷野\nJane\nDoe leads', 'found'],
	['leads teams', '𠮷𠮷𠮷𠮷\nJane leads\nteams', 'found'],
	['Иванов', 'Директор: Иванов', 'found'],
	['Jane Roe', 'Our CEO Jane Doe leads the team.', 'notFound'],
	['Jan', 'Our CEO Jane Doe leads the team.', 'notFound'],
	['Tokyo', '本社：東京都港区', 'otherScript'],
	['This is a long sentence of a model that sums up what the whole page says', 'Nothing like it.', 'longText'],
	[true, 'yes', 'yesNo'],
	[null, 'anything', 'nothing'],
	['', 'anything', 'nothing'],
	[[], 'anything', 'nothing'],
];

it.each([...NUMBERS, ...AMOUNTS, ...DATES, ...CODES, ...ADDRESSES, ...TEXTS])(
	'%j in %j: %s',
	(value, page, expected) => {
		expect(said(value, page)).toBe(expected);
	},
);

it('says something of each value of any JSON, whatever the page is', () => {
	const leaves = (value: unknown): number => {
		if (value === null || (typeof value === 'string' && value.trim() === '')) return 0;
		return typeof value === 'object' ? Object.values(value).reduce((sum: number, one) => sum + leaves(one), 0) : 1;
	};
	const part = fc.oneof(
		fc.string({ unit: 'binary' }),
		fc.constantFrom('| a | 1 |', '| --- |', '# 12', '- €39', '\0', '\ud800', '](', '2024-05-03'),
	);
	fc.assert(
		fc.property(fc.jsonValue(), fc.array(part), (json, parts) => {
			const markdown = [...parts, JSON.stringify(json)].join('\n');
			const told = proveValues(json, { markdown, url: 'https://a.example', metadata: { title: json } });
			expect(told).toHaveLength(leaves(json));
		}),
		{ numRuns: 300 },
	);
});

it('is not held up by what is nested without end', () => {
	let json: unknown = 'nowhere';
	for (let depth = 0; depth < 20_000; depth += 1) json = { a: [json] };
	const [told, ...more] = proveValues(json, { markdown: 'Some text.', url: 'https://a.example', metadata: {} });
	expect(more).toEqual([]);
	expect(told).toMatchObject({ state: 'unchecked' });
});

it('says of a page without a text, and behind what is read of one, that nothing is known', () => {
	const long = `${'Some words of a long page. '.repeat(40_000)} The price is 39.`;
	for (const markdown of ['', long]) {
		const told = proveValues({ price: 39, city: 'Oslo' }, { markdown, url: 'https://a.example', metadata: {} });
		expect(told.map(({ reason }) => reason)).toEqual(['notRead', 'notRead']);
	}
});
