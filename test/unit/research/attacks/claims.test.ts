import { QuotedPage, verifyClaim } from '../../../../nodes/research/claims/verifyClaim';

/** What changes, the page, the quote, the claim. */
const FALSE: Array<[string, string, string, string]> = [
	[
		'month swap',
		'Opened on 5 March 2001 in Graz.',
		'Opened on 5 March 2001 in Graz.',
		'It opened on 3 May 2001.',
	],
	[
		'unit km',
		'The range is 80 km per charge.',
		'The range is 80 km per charge.',
		'The range is 80 miles per charge.',
	],
	[
		'unit months',
		'It lasts 18 months in tests.',
		'It lasts 18 months in tests.',
		'It lasts 18 years.',
	],
	[
		'pct to count',
		'About 25% of riders fell off.',
		'About 25% of riders fell off.',
		'25 riders fell off.',
	],
	[
		'word figure',
		'Acme has 9 boats in Graz.',
		'Acme has 9 boats in Graz.',
		'Acme has seven boats.',
	],
	[
		'word figure mio',
		'Acme has 9 million users today.',
		'Acme has 9 million users today.',
		'Acme has five million users.',
	],
	['group cut', 'It employs 1 500 people in Graz.', '500 people in Graz', 'It employs 500 people.'],
	[
		'nbsp cut',
		'It employs 1\u00a0500 people in Graz.',
		'500 people in Graz',
		'It employs 500 people.',
	],
	['swiss cut', 'It employs 1’500 people in Graz.', '500 people in Graz', 'It employs 500 people.'],
	['scale cut', 'Acme Holding has 5 million users.', 'Acme Holding has 5', 'Acme has 5 users.'],
	['range cut', 'Between them 5-10% of riders fell.', '10% of riders fell', '10% fell.'],
	[
		'minus word',
		'It was minus 5 degrees in Graz.',
		'It was minus 5 degrees in Graz.',
		'It was 5 degrees.',
	],
	['usd cut', 'It costs USD 25 in all the shops.', '25 in all the shops', 'It costs 25.'],
	[
		'negation',
		'Acme was not founded in 1990.',
		'Acme was not founded in 1990.',
		'Acme was founded in 1990.',
	],
	[
		'negation cut',
		'It is not true that Acme was founded in 1990.',
		'Acme was founded in 1990',
		'Acme was founded in 1990.',
	],
	[
		'negation de',
		'Acme wurde nicht 1990 in Graz gegründet.',
		'Acme wurde nicht 1990 in Graz gegründet.',
		'Acme wurde 1990 in Graz gegründet.',
	],
	[
		'negation added',
		'Acme was founded in 1990.',
		'Acme was founded in 1990.',
		'Acme was not founded in 1990.',
	],
	['gt', 'Uptime was >99% in all regions.', 'Uptime was 99% in all regions', 'Uptime was 99%.'],
	['lt', 'Errors were <5% in all regions.', '5% in all regions', 'Errors were 5%.'],
	['times', 'The box is 5*3 metres wide.', 'The box is 53 metres wide', '53 metres.'],
];
it.each(FALSE)('does not verify a claim: %s', (_, page, quote, text) => {
	expect(verifyClaim({ text, quote, question: 1 }, new QuotedPage(page))).toBeUndefined();
});
/** The wording, the page, the claim. */
const TRUE: Array<[string, string, string]> = [
	['m metres', 'The wall is 80 m high in Graz.', 'The wall is 80 metres high.'],
	['range %', 'It grew by 5 to 7% in 2020.', 'It grew by 5% to 7% in 2020.'],
	['linked number', 'It has [250](https://x.example/a) boats in Graz.', 'It has 250 boats.'],
	['not cheap but', 'The bike is not cheap, but it lasts 10 years.', 'The bike lasts 10 years.'],
	['iso', 'Opened on 2001-05-03 in Graz.', 'It opened on 3 May 2001.'],
	['iso back', 'Opened on 3 May 2001 in Graz.', 'It opened on 2001-05-03.'],
	['us date', 'Opened on May 3, 2001 in Graz.', 'It opened on 3 May 2001.'],
	['short scale', 'Der Umsatz betrug 5 Mio. Euro.', 'Revenue was 5 million euros.'],
	['lack', 'Acme lacks a licence since 2001.', 'Acme does not have a licence since 2001.'],
	['percent', '5 percent of all riders fell.', '5% of riders fell.'],
];
it.each(TRUE)('verifies a claim: %s', (_, page, text) => {
	expect(verifyClaim({ text, quote: page, question: 1 }, new QuotedPage(page))).toBeDefined();
});
