import { shown } from '../reports.ts';

const FOUNDED = 'Acme was founded in 1990 [1].';

describe('a statement without a source leaves no report', () => {
	it.each([
		['as a heading', `# Acme was convicted of fraud and its owner sits in jail.\n\n${FOUNDED}`],
		['in bold', `**Acme was convicted of fraud and its owner sits in jail.**\n\n${FOUNDED}`],
		[
			'before a list',
			`Acme was convicted of fraud and its owner sits in jail for a very long time, and this is why:\n\n- ${FOUNDED}`,
		],
		[
			'as the head of a table',
			'| Acme is a fraud and its owner sits in jail for life. | x |\n|---|---|\n| Acme was founded in 1990 [1] | a |',
		],
	])('%s', async (_, report) => {
		expect(await shown(report)).not.toContain('fraud');
		expect(await shown(report)).toContain('Acme was founded in 1990');
	});

	it('in half of a sentence that goes over two lines', async () => {
		expect(await shown('It is not true that\nAcme was founded in 1990 [1].', 'leaveOut', ['not true'])).toBe('');
		expect(await shown('Acme was founded\nin 1990 [1].')).toContain('Acme was founded in 1990.');
	});
});

it('keeps titles', async () => {
	const report = `# Acme in 1990\n\n**Founding**\n\nWhat is known:\n\n- ${FOUNDED}\n\n| Year | What |\n|---|---|\n| 1990 | Founded [1] |`;
	expect(await shown(report)).toMatch(/^# Acme in 1990\n\n\*\*Founding\*\*\n\nWhat is known:\n\n- Acme/);
	expect(await shown(report)).toContain('| Year | What |');
});
