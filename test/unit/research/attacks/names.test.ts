import { missingNames } from '../../../../nodes/research/claims/names';
import { isReversed } from '../../../../nodes/research/claims/polarity';
import { QuotedPage, verifyClaim } from '../../../../nodes/research/claims/verifyClaim';
import { checkReport } from '../../../../nodes/research/report/checkReport';
import { supportedValue } from '../../../../nodes/research/report/writeJson';
import { claim } from '../reports.ts';

const QUOTE = 'The battery was built by Calder Motors in the town of Ostheim.';
const OTHER = 'A second battery was built by Brisk in the same town.';

it.each([
	['another name', 'The battery was built by Quillan Motors in the town of Ostheim.', ['quillan']],
	['another place', 'The battery was built by Calder Motors in the town of Graz.', ['graz']],
	['its own names', QUOTE, []],
	['the name in the genitive', "Ostheim was the town of Calder's battery.", []],
	['small words at its beginning', 'However, the battery was built in the town of Ostheim.', []],
	['a name of another claim in front', 'Brisk built the battery in the town.', ['brisk']],
	['German nouns', 'Die Batterie wurde von der Firma im Werk gebaut.', []],
	['another language', 'La batería se construyó en Alemania, según Reuters.', []],
])('finds names that a quote does not hold: %s', (_, text, missing) => {
	expect(missingNames(text, [QUOTE], [QUOTE, OTHER])).toEqual(
		missing.filter(() => missing.length > 0),
	);
});

it('takes no claim with a name that its page does not have', () => {
	const page = new QuotedPage(`# Ostheim\n\n${QUOTE} It opened the plant itself.`);
	const draft = (text: string) => ({ text, quote: QUOTE, question: 1 });
	expect(verifyClaim(draft(QUOTE), page)).toBeDefined();
	expect(verifyClaim(draft(QUOTE.replace('Calder', 'Zenith')), page)).toBeUndefined();
	const asked = draft(QUOTE.replace('battery', 'Varen battery'));
	expect(verifyClaim(asked, page)).toBeUndefined();
	expect(verifyClaim(asked, page, ['Who built the Varen battery?'])).toBeDefined();
});

it.each([
	['Sales of the plant rose last year.', 'Sales of the plant fell last year.', true],
	['Sales of the plant fell last year.', 'Sales of the plant increased last year.', true],
	['Fewer people work in the plant today.', 'More people work in the plant today.', true],
	['Sales of the plant grew last year.', 'Sales of the plant rose last year.', false],
	['Sales rose while costs fell.', 'Costs fell, sales rose.', false],
	['Sales rose.', 'In the north, it rained less than usual.', false],
	['Der Umsatz der Firma stieg.', 'Der Umsatz der Firma sank.', true],
])('compares the direction of a change: %s / %s', (text, quote, isWrong) => {
	expect(isReversed(text, [quote])).toBe(isWrong);
});

it('leaves out sentences and rows with names and directions that their quotes do not have', () => {
	const claims = new Map([
		[1, claim(1, QUOTE)],
		[2, claim(2, 'Sales of the battery rose in May.')],
	]);
	const verdicts = (report: string) =>
		checkReport(report, claims)
			.lines.flatMap(({ sentences }) => sentences)
			.map(({ verdict }) => verdict);
	expect(verdicts('The battery was built by Calder Motors [1].')).toEqual(['cited']);
	expect(verdicts('The battery was built by Zenith Motors [1].')).toEqual(['unsupported']);
	expect(verdicts('| Battery | built by Zenith [1] |')).toEqual(['unsupported']);
	expect(verdicts('| Battery | built by Calder [1] |')).toEqual(['cited']);
	expect(verdicts('Sales of the battery fell in May [2].')).toEqual(['unsupported']);
});

it('puts null for texts of the JSON output with names or directions that no quote has', () => {
	const json = {
		town: 'the town of Graz',
		maker: 'built by Calder Motors',
		change: 'Sales of the battery fell in May.',
		mood: 'Positive',
	};
	const { value } = supportedValue(json, [QUOTE, 'Sales of the battery rose in May.'], new Set());
	expect(value).toEqual({ ...json, town: null, change: null });
});
