import { QuotedPage } from '../../../nodes/research/claims/passages';
import { coreName, isOwnPage, subjectOnPage, wordsOfBlock } from '../../../nodes/research/row/subject';

/** What the names say of the words `quote` on a page. */
function said(subject: string, [url, title, markdown]: readonly [string, string, string], quote: string, website = '') {
	const text = new QuotedPage(markdown);
	const passage = text.find(quote);
	if (!passage) throw new Error(`Not on the page: ${quote}`);
	const block = text.placeOf(passage.quote)?.block;
	const words = block?.kind === 'row' || block?.kind === 'item' ? wordsOfBlock(block) : passage.quote;
	const speaks = subjectOnPage({ subject, website }, { text, url, title, publishedAt: undefined });
	return speaks({ path: passage.path, words, passage: passage.text });
}

type Case = [subject: string, page: readonly [string, string, string], quote: string];

const NEWS = 'https://news.example/a';
const HUB = 'https://hub.example/x';
const TRUE: Case[] = [
	['Acme', [NEWS, 'News of today', 'In Oslo, Acme has 50 employees.'], 'Acme has 50 employees'],
	['Acme GmbH', [NEWS, 'News', 'The firm ACME has 50 employees.'], 'ACME has 50 employees'],
	['Acme', [NEWS, 'News', 'Acme GmbH & Co. KG has 50 employees.'], 'Acme GmbH & Co. KG has 50 employees'],
	['Acme, Inc.', [NEWS, 'News', "Acme's head office is in Oslo."], "Acme's head office is in Oslo"],
	['Acme', [HUB, 'Acme Pricing | CompareHub', 'The smallest plan costs 39 euros.'], 'The smallest plan costs 39 euros'],
	['Acme', [HUB, 'Acme Preise und Kosten', 'Der kleinste Tarif kostet 39 Euro.'], 'Der kleinste Tarif kostet 39 Euro'],
	[
		'Acme',
		[HUB, 'Review', '# Acme Review 2026\n\nThe plan costs 39 euros. Acme is easy to use.'],
		'The plan costs 39 euros',
	],
	['Acme', [NEWS, 'Robots', 'Acme CEO Mara Lind said that it has 50 employees.'], 'it has 50 employees'],
	['Acme', [NEWS, 'Markt', 'Die Acme-Chefin Mara Lind leitet 50 Personen.'], 'leitet 50 Personen'],
	['Acme', [NEWS, 'Markt', 'Das Unternehmen Acme beschäftigt 50 Personen.'], 'beschäftigt 50 Personen'],
	['Acme', ['https://acme.example/jobs', 'Jobs', 'We are 50 people.'], 'We are 50 people'],
	['Acme', ['https://profiles.example/firms/acme', 'Profile', 'Founded in 1990.'], 'Founded in 1990'],
	['Acme', ['https://www.acme.co.example/', 'アクメ', '従業員は50人です。'], '従業員は50人です'],
	['トヨタ', [NEWS, 'ニュース', '株式会社トヨタは50人を雇用しています。'], '株式会社トヨタは50人を雇用しています'],
	['Nestlé', [NEWS, 'News', 'In 1990 Nestle opened an office in Oslo.'], 'Nestle opened an office in Oslo'],
	['Müller & Söhne', [NEWS, 'News', 'Müller & Söhne has 50 employees.'], 'Müller & Söhne has 50 employees'],
	['Acme Robotics', [NEWS, 'News', 'Acme Robotics Inc has 50 employees.'], 'Acme Robotics Inc has 50 employees'],
	['Acme', [HUB, 'Firms', '| Firm | Staff |\n| --- | --- |\n| Acme | 50 |\n| Beta | 70 |'], 'Acme 50'],
	['Acme', [HUB, 'Firms', '| Firm | Town |\n| --- | --- |\n| Acme | Oslo |\n| Beta | Lyon |'], 'Acme Oslo'],
	['Acme', [HUB, 'Firms', '## Acme\n\nIt has 50 employees.\n\n## Beta\n\nIt has 70 employees.'], 'It has 50 employees'],
	['Acme', [HUB, 'Firms', '- Acme: 50 employees\n- Beta: 70 employees'], '50 employees'],
	['Acme', [HUB, 'Firms', '1. **Acme** – 50 employees\n2. **Beta** – 70 employees'], '50 employees'],
	['Acme', [HUB, 'Acme vs Beta', 'Acme has 50 employees.'], 'Acme has 50 employees'],
	[
		'Acme',
		[NEWS, 'News', 'Acme was founded in Oslo. Today the firm has 50 employees.'],
		'Today the firm has 50 employees',
	],
	['Acme', [NEWS, 'News', '# News\n\n## About Acme\n\nIt was founded in 1990.'], 'It was founded in 1990'],
	['Acme Deutschland GmbH', [NEWS, 'News', 'Acme Deutschland hat 50 Personen.'], 'Acme Deutschland hat 50 Personen'],
	['Hotel Sacher', [NEWS, 'Wien', 'Das Hotel Sacher hat 150 Zimmer.'], 'hat 150 Zimmer'],
	['iFlow', [NEWS, 'Tools', 'With iFlow you can start for free.'], 'With iFlow you can start for free'],
	['Acme', [HUB, 'Acme Company Profile', 'Headquarters: Oslo\n\nAcme makes robots.'], 'Headquarters: Oslo'],
];

const OTHER: Case[] = [
	['Acme', [NEWS, 'News', 'The rival Acme Robotics has 70 employees.'], 'Acme Robotics has 70 employees'],
	['Acme', [HUB, 'Acme Robotics', 'Acme Robotics has 70 employees. It was founded in 1990.'], 'It was founded in 1990'],
	['Acme', [HUB, 'Acme Robotics', 'Acme Robotics makes robots. Acme was founded in 1990.'], 'Acme was founded in 1990'],
	['Acme', ['https://acme-robotics.example/', 'Acme Robotics', 'Founded in 1990.'], 'Founded in 1990'],
	['Acme', ['https://acmerobotics.example/', 'Acme Robotics', 'Acme was founded in 1990.'], 'Acme was founded in 1990'],
	['Acme', [HUB, 'Firms', '| Firm | Staff |\n| --- | --- |\n| Acme | 50 |\n| Beta | 70 |'], 'Beta 70'],
	['Acme', [HUB, 'Firms', '## Acme\n\nA firm.\n\n## Beta\n\nIt has 70 employees.'], 'It has 70 employees'],
	['Acme', [HUB, 'Firms', '- Acme: 50 employees\n- Beta: 70 employees'], '70 employees'],
	['Acme', ['https://beta.example/', 'Beta – prices', 'The plan costs 39 euros.'], 'The plan costs 39 euros'],
	['Acme', ['https://www.beta-tools.example/', 'Beta Tools', 'Write to info@acme-foods.example.'], 'Write to info'],
	[
		'Acme Tools',
		[HUB, 'Firms', '| Firm | Staff |\n| --- | --- |\n| Acme Tools | 50 |\n| Acme Werke | 70 |'],
		'Acme Werke 70',
	],
];

const UNNAMED: Case[] = [
	['Acme', [NEWS, 'Region', 'A firm of the region has 50 employees.'], 'has 50 employees'],
	['Mc Donalds', [NEWS, 'News', 'McDonalds has 50 employees.'], 'McDonalds has 50 employees'],
	['Gazprom', [NEWS, 'News', 'Газпром: 50 сотрудников.'], 'Газпром: 50 сотрудников'],
	['Acme Deutschland GmbH', [NEWS, 'News', 'Acme hat in Berlin 50 Personen.'], 'Acme hat in Berlin 50 Personen'],
];

it.each(TRUE)('%s: %j speaks of it in "%s"', (subject, page, quote) => {
	expect(said(subject, page, quote)).toBe('subject');
});

it.each(OTHER)('%s: %j speaks of another in "%s"', (subject, page, quote) => {
	expect(said(subject, page, quote)).toBe('other');
});

it.each(UNNAMED)('%s: names on %j do not tell of whom "%s" is', (subject, page, quote) => {
	expect(said(subject, page, quote)).toBe('unnamed');
});

it.each(['(Acme)', '***', '🚀', '()'])('a subject without a name, %s, makes no page speak of it', (subject) => {
	const page = ['https://beta.example/p/', 'Beta', 'The plan costs 39 euros.'] as const;
	expect(said(subject, page, 'The plan costs 39 euros')).not.toBe('subject');
});

it('reads a page that is one long word', () => {
	const page = [HUB, 'Codes', `Acme is here.\n\n${'a'.repeat(600_000)}`] as const;
	expect(said('Acme', page, 'Acme is here')).toBe('subject');
});

it('takes all pages of the own site, and of a shared one those of the subject', () => {
	const page = ['https://shop.acme.example/p', 'Beta', 'It costs 39 euros.'] as const;
	expect(said('Acme', page, 'It costs 39 euros', 'https://www.acme.example/')).toBe('subject');
	expect(isOwnPage('https://acme.example/preise', 'https://acme.example/de')).toBe(true);
	for (const start of ['us/en/home', 'global/en.html', 'de-at/startseite', 'index.php', 'en/home/', 'home.aspx']) {
		expect([start, isOwnPage('https://acme.example/about', `https://acme.example/${start}`)]).toEqual([start, true]);
	}
	expect(isOwnPage('https://social.example/beta', 'https://social.example/en/acme')).toBe(false);
	expect(isOwnPage('https://social.example/acme/about', 'https://social.example/acme')).toBe(true);
	expect(isOwnPage('https://social.example/beta', 'https://social.example/acme')).toBe(false);
	expect(isOwnPage('https://notacme.example/', 'https://acme.example/')).toBe(false);
});

it('leaves legal forms out of a name', () => {
	const names = ['Acme GmbH & Co. KG', 'ACME', 'Acme, Inc.', 'Acme S.A.', 'Acme (Oslo) AS', 'Nestlé S.A.', 'Co'];
	expect(names.map(coreName)).toEqual(['Acme', 'ACME', 'Acme', 'Acme', 'Acme', 'Nestle', 'Co']);
});
