import { claim } from './reports.ts';
import type { NumberedClaim } from '../../../nodes/research/report/numberedClaims';

/** What the reports of this file may cite. */
export const MAKERS_CLAIMS: ReadonlyMap<number, NumberedClaim> = new Map(
	[
		claim(1, 'Acme was founded in 1990 by Ada Marlow.'),
		claim(2, 'Acme has 1,200 employees in Graz.'),
		claim(3, 'The Pro plan costs 39 euros a month.'),
		claim(4, 'Doses above 5 mg need a doctor: >5 mg is not sold freely.'),
		claim(5, 'The service runs on Node.js/Express behind a proxy.'),
		claim(6, 'Rooms are sold on Booking.com since 2015.'),
		claim(7, 'Write to sales@acme.example for an offer.'),
		claim(8, 'The manual stands at docs.acme.example/start.'),
		claim(9, '会社は1990年に設立された。'),
		claim(10, '社員は1200人いる。'),
		claim(11, 'Der Umsatz lag bei 12 Mio. Euro im Jahr 2023.'),
		claim(12, 'Smith et al. (2023) measured 40 sites.'),
		claim(13, 'The site opened on Jan. 5 in Oslo.'),
		claim(14, 'The area is 50 m² and the answer to a<b and c>d is no.'),
		claim(15, 'The page about `<script>` explains how <!-- begins a comment.'),
	].map((one) => [one.number, one]),
);

/** An output of a model, the pieces that have to be shown with their claims, and the lies that must not be. */
export interface Output {
	form: string;
	report: string;
	/** Text as it must be shown, with the claims whose pages follow it. */
	shown: Array<[text: string, ...claims: number[]]>;
	lies: string[];
}

const FOUNDED = 'Acme was founded in 1990 by Ada Marlow';
const STAFF = 'Acme has 1,200 employees in Graz';
const PRICE = 'The Pro plan costs 39 euros a month';
const LIE = 'Acme cancelled all accounts in Graz';

/** Each way to write the citations of a sentence, by whom it is known from. */
const WAYS: Array<[form: string, cite: (sentence: string, ...numbers: number[]) => string]> = [
	['[1]', (said, ...numbers) => `${said} ${numbers.map((one) => `[${one}]`).join('')}.`],
	['. [1]', (said, ...numbers) => `${said}. ${numbers.map((one) => `[${one}]`).join('')}`],
	['[1, 2]', (said, ...numbers) => `${said} [${numbers.join(', ')}].`],
	['【1†source】', (said, ...numbers) => `${said}${numbers.map((one) => `【${one}†source】`).join('')}.`],
	['【4:1†page.md】', (said, ...numbers) => `${said}. ${numbers.map((one) => `【${one}:0†page.md】`).join('')}`],
	['[^1]', (said, ...numbers) => `${said}.${numbers.map((one) => `[^${one}]`).join('')}`],
	[
		'¹',
		(said, ...numbers) =>
			`${said}.${numbers.map((one) => [...String(one)].map((d) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(d))).join('')).join(',')}`,
	],
	['<sup>1</sup>', (said, ...numbers) => `${said}.<sup>${numbers.join(',')}</sup>`],
	[' <sup>1</sup>.', (said, ...numbers) => `${said} <sup>${numbers.join(',')}</sup>.`],
	['<sup>[1]</sup>', (said, ...numbers) => `${said}.<sup>${numbers.map((one) => `[${one}]`).join('')}</sup>`],
	['^1', (said, ...numbers) => `${said}.^${numbers.join(',')}`],
	['(claim 1)', (said, ...numbers) => `${said} (claim${numbers.length > 1 ? 's' : ''} ${numbers.join(' and ')}).`],
	['[Source 1]', (said, ...numbers) => `${said} ${numbers.map((one) => `[Source ${one}]`).join(' ')}.`],
	['[cite: 1, 2]', (said, ...numbers) => `[cite_start]${said}. [cite: ${numbers.join(', ')}]`],
	['[citation:1]', (said, ...numbers) => `${said}.${numbers.map((one) => `[citation:${one}]`).join('')}`],
	['[#1]', (said, ...numbers) => `${said} ${numbers.map((one) => `[#${one}]`).join('')}.`],
	[
		'[1](url)',
		(said, ...numbers) => `${said} ${numbers.map((one) => `[${one}](https://s.example/${one})`).join(' ')}.`,
	],
	[
		'[[1]](url)',
		(said, ...numbers) => `${said} ${numbers.map((one) => `[[${one}]](https://s.example/${one})`).join(' ')}.`,
	],
	['［1］', (said, ...numbers) => `${said}${numbers.map((one) => `［${one}］`).join('')}.`],
	['\\[1\\]', (said, ...numbers) => `${said} ${numbers.map((one) => `\\[${one}\\]`).join('')}.`],
	['(Quelle 1)', (said, ...numbers) => `${said} (Quelle${numbers.length > 1 ? 'n' : ''} ${numbers.join(', ')}).`],
	['([1], [2])', (said, ...numbers) => `${said} (${numbers.map((one) => `[${one}]`).join(', ')}).`],
	['[1]; [2]', (said, ...numbers) => `${said} ${numbers.map((one) => `[${one}]`).join('; ')}.`],
	['**[1]**', (said, ...numbers) => `${said}. ${numbers.map((one) => `**[${one}]**`).join(' ')}`],
	['(see claim 1)', (said, ...numbers) => `${said} (see claim ${numbers.join(', claim ')}).`],
	['(1)', (said, ...numbers) => `${said} (${numbers.join(', ')}).`],
	['[1:0]', (said, ...numbers) => `${said}. ${numbers.map((one) => `[${one}:0]`).join('')}`],
];

/** The same three statements and a lie, in each way to cite: in a paragraph, in a list, under headings. */
const CITED: Output[] = WAYS.flatMap(([form, cite]) => {
	const shown: Output['shown'] = [
		[FOUNDED, 1],
		[STAFF, 2],
		[`${FOUNDED}, and ${STAFF}`, 1, 2],
	];
	const said = [cite(FOUNDED, 1), cite(STAFF, 2), cite(`${FOUNDED}, and ${STAFF}`, 1, 2)];
	const lies = [LIE];
	return [
		{ form: `${form} in a paragraph`, report: `${said.join(' ')} ${LIE}.`, shown, lies },
		{ form: `${form} in a list`, report: [...said, cite(LIE, 2)].map((one) => `- ${one}`).join('\n'), shown, lies },
	];
});

const OTHERS: Output[] = [
	{
		form: 'numbers before their sentences',
		report: `[1] ${FOUNDED}. [2] ${STAFF}. [3] ${PRICE}.`,
		shown: [
			[FOUNDED, 1],
			[STAFF, 2],
			[PRICE, 3],
		],
		lies: [],
	},
	{
		form: 'all numbers at the end of a paragraph',
		report: `${FOUNDED}. ${STAFF}. ${PRICE}. [1][2][3]`,
		shown: [
			[FOUNDED, 1],
			[STAFF, 2],
			[PRICE, 3],
		],
		lies: [],
	},
	{
		form: 'all numbers at the end of a paragraph with a lie in it',
		report: `${FOUNDED}. ${LIE}. ${PRICE}. [1][2][3]`,
		shown: [
			[FOUNDED, 1],
			[PRICE, 3],
		],
		lies: [LIE],
	},
	{
		form: 'all numbers of a paragraph in one bracket',
		report: `${FOUNDED}. ${STAFF}. ${PRICE} [1, 2, 3].`,
		shown: [
			[FOUNDED, 1],
			[STAFF, 2],
			[PRICE, 3],
		],
		lies: [],
	},
	{
		form: 'the text of a claim without its number',
		report: `${FOUNDED}. ${STAFF} [2].`,
		shown: [
			[FOUNDED, 1],
			[STAFF, 2],
		],
		lies: [],
	},
	{
		form: 'JSON around the report',
		report: JSON.stringify({ report: `# Acme\n\n${FOUNDED} [1]. ${LIE}.` }),
		shown: [[FOUNDED, 1]],
		lies: [LIE, '{"'],
	},
	{
		form: 'JSON in a fence with a title beside it',
		report: `\`\`\`json\n${JSON.stringify({ title: 'Acme', content: `${FOUNDED} [1]. ${PRICE} [3].` })}\n\`\`\``,
		shown: [
			[FOUNDED, 1],
			[PRICE, 3],
		],
		lies: ['content'],
	},
	{
		form: '[THINK]',
		report: `[THINK]${LIE} [1]. Maybe.[/THINK]${FOUNDED} [1].`,
		shown: [[FOUNDED, 1]],
		lies: [LIE, 'THINK'],
	},
	{
		form: 'channels',
		report: `<|channel|>analysis<|message|>${LIE} [1].<|end|><|start|>assistant<|channel|>final<|message|>${FOUNDED} [1].<|return|>`,
		shown: [[FOUNDED, 1]],
		lies: [LIE, 'channel', 'return'],
	},
	{ form: '◁think▷', report: `◁think▷${LIE} [1].◁/think▷${FOUNDED} [1].`, shown: [[FOUNDED, 1]], lies: [LIE, 'think'] },
	{
		form: '<|START_THINKING|>',
		report: `<|START_THINKING|>${LIE} [1].<|END_THINKING|><|START_RESPONSE|>${FOUNDED} [1].<|END_RESPONSE|>`,
		shown: [[FOUNDED, 1]],
		lies: [LIE, 'START'],
	},
	{
		form: 'a list of sources at the end',
		report: `${FOUNDED} [1].\n\n## Sources\n\n[1] https://s.example/1\n[2] https://s.example/2`,
		shown: [[FOUNDED, 1]],
		lies: ['Sources', 's.example'],
	},
	{
		form: 'definitions of footnotes',
		report: `${FOUNDED}.[^1]\n\n[^1]: Claim 1, site1.example`,
		shown: [[FOUNDED, 1]],
		lies: ['Claim 1'],
	},
	{
		form: 'a sentence about the numbers',
		report: `${FOUNDED} [1]. All from [1] and [3].`,
		shown: [[FOUNDED, 1]],
		lies: ['All from'],
	},
	{
		form: 'a table without citations',
		report: `${FOUNDED} [1].\n\n| Fact | Value |\n| --- | --- |\n| Staff | 900 |\n`,
		shown: [[FOUNDED, 1]],
		lies: ['Fact', '---'],
	},
	{
		form: 'a table with citations',
		report: `| Plan | Costs |\n| --- | --- |\n| Pro plan | costs 39 euros a month [3] |\n| Max | 99 |`,
		shown: [['| Pro plan | costs 39 euros a month', 3]],
		lies: ['99'],
	},
	{
		form: 'more than',
		report: 'Doses above 5 mg need a doctor: >5 mg is not sold freely [4].',
		shown: [['>5 mg is not sold freely', 4]],
		lies: [],
	},
	{
		form: 'Node.js/Express',
		report: 'The service runs on Node.js/Express behind a proxy [5].',
		shown: [['Node.js/Express', 5]],
		lies: [],
	},
	{
		form: 'Booking.com',
		report: 'Rooms are sold on Booking.com since 2015 [6].',
		shown: [['Rooms are sold on Booking.com since 2015', 6]],
		lies: [],
	},
	{
		form: 'an e-mail address of the quote',
		report: 'Write to sales@acme.example for an offer [7].',
		shown: [['sales@acme.example', 7]],
		lies: ['](mailto'],
	},
	{
		form: 'an e-mail address that no quote has',
		report: `${FOUNDED} [1]. Write to help@acme.example for an offer [7].`,
		shown: [[FOUNDED, 1]],
		lies: ['help@'],
	},
	{
		form: 'a web address of the quote',
		report: 'The manual stands at docs.acme.example/start [8].',
		shown: [['docs.acme.example/start', 8]],
		lies: [],
	},
	{
		form: 'a web address that no quote has',
		report: `${FOUNDED} [1]. The manual stands at docs.acme.example/other [8].`,
		shown: [[FOUNDED, 1]],
		lies: ['/other'],
	},
	{
		form: 'a raised number behind a figure and a space',
		report: `The area is 50 m² and the answer to a<b and c>d is no <sup>14</sup>. Acme was founded in 1990 <sup>1</sup>.`,
		shown: [
			['50 m²', 14],
			['in 1990', 1],
		],
		lies: [],
	},
	{
		form: '<br>',
		report: 'The Pro plan costs 39<br>euros a month [3].',
		shown: [['The Pro plan costs 39 euros a month', 3]],
		lies: [],
	},
	{
		form: 'less than and more than',
		report: 'The area is 50 m² and the answer to a<b and c>d is no [14].',
		shown: [['a&lt;b and c>d is no', 14]],
		lies: [],
	},
	{
		form: 'm<sup>2</sup>',
		report: 'The area is 50 m<sup>2</sup> and the answer to a<b and c>d is no [14].',
		shown: [['50 m²', 14]],
		lies: ['m2'],
	},
	{
		form: 'code of HTML',
		report: 'The page about `<script>` explains how <!-- begins a comment [15].\n\n' + `${FOUNDED} [1].`,
		shown: [
			['explains how', 15],
			[FOUNDED, 1],
		],
		lies: [],
	},
	{
		form: 'a mention of </think>',
		report: `${FOUNDED} [1]. ${PRICE} [3].\n\nThe page about \`</think>\` is old.`,
		shown: [
			[FOUNDED, 1],
			[PRICE, 3],
		],
		lies: ['is old'],
	},
	{
		form: 'Mio.',
		report: 'Der Umsatz lag bei 12 Mio. Euro im Jahr 2023 [11].',
		shown: [['Der Umsatz lag bei 12 Mio. Euro im Jahr 2023', 11]],
		lies: [],
	},
	{
		form: 'et al.',
		report: 'Smith et al. (2023) measured 40 sites [12].',
		shown: [['Smith et al. (2023) measured 40 sites', 12]],
		lies: [],
	},
	{
		form: 'Jan. 5',
		report: 'The site opened on Jan. 5 in Oslo [13].',
		shown: [['The site opened on Jan. 5 in Oslo', 13]],
		lies: [],
	},
	{
		form: 'Japanese with half-width marks',
		report: '会社は1990年に設立された![9]社員は1200人いる![10]口座は全部消えた!',
		shown: [
			['会社は1990年に設立された', 9],
			['社員は1200人いる', 10],
		],
		lies: ['口座'],
	},
	{
		form: 'Japanese with numbers before marks',
		report: '会社は1990年に設立された【9†source】。社員は1200人いる【10†source】。口座は全部消えた。',
		shown: [
			['会社は1990年に設立された', 9],
			['社員は1200人いる', 10],
		],
		lies: ['口座'],
	},
	{
		form: 'Japanese with half-width question',
		report: '会社は1990年に設立された[9]. 口座は消えた?社員は1200人いる[10].',
		shown: [
			['会社は1990年に設立された', 9],
			['社員は1200人いる', 10],
		],
		lies: ['口座'],
	},
];

export const OUTPUTS: readonly Output[] = [...CITED, ...OTHERS];
