import { join } from 'node:path';
import { checkReport } from '../../../nodes/research/report/checkReport';
import { plainCitations } from '../../../nodes/research/report/citations';
import { cleanReport, escaped, hostsIn, unlinked } from '../../../nodes/research/report/cleanReport';
import { linkAddress } from '../../../nodes/text/addresses';
import { readReport } from '../../../nodes/research/report/readReport';
import { SourceNumbers, showReport } from '../../../nodes/research/report/showReport';
import { expectGoldenFile } from '../../helpers/goldenFile';
import { MAKERS_CLAIMS } from './makers.ts';
import { checkedBy, judgedByWords } from './reports.ts';

const FOUNDED = 'Acme was founded in 1990 by Ada Marlow';
const PRICE = 'The Pro plan costs 39 euros a month';

/** Reports as models write them, the good and the bad. */
const REPORTS: Readonly<Record<string, string>> = {
	'sentences with numbers': `${FOUNDED} [1]. ${PRICE} [3].`,
	'numbers behind the paragraph': `${FOUNDED}. ${PRICE}. [1][3]`,
	'numbers behind the paragraph, one sentence foreign': `${FOUNDED}. Nobody likes it. ${PRICE}. [1][3]`,
	'one number for two sentences': `It is old. ${FOUNDED} [1].`,
	'a sentence without a number': `${FOUNDED} [1]. It is the best of all.`,
	'the text of a claim without its number': `${FOUNDED}. ${PRICE} [3].`,
	'another figure': `Acme was founded in 1991 by Ada Marlow [1]. ${PRICE} [3].`,
	'a number that is none': `${FOUNDED} [99]. ${PRICE} [3].`,
	'a range and a list of numbers': `${FOUNDED} [1-3]. ${PRICE} [1, 3; 2].`,
	headings: `# Acme\n\n## Founded in 1990\n\n${FOUNDED} [1].\n\n## It was cancelled in 2020\n\n${PRICE} [3].\n\n## Empty\n`,
	'lines in bold': `**Founded**\n${FOUNDED} [1].\n\n**The Free plan is gone**\n${PRICE} [3].\n\n**Price**: 39 euros a month [3].`,
	lists: `What it costs:\n\n- ${PRICE} [3]\n- Nothing else is known\n\nWhat nobody knows:\n\n- It is the best\n\n1. ${FOUNDED} [1]\n2. Second without a number`,
	'nested lists': `- Acme\n  - ${FOUNDED} [1]\n  - not said\n- Prices:\n  - ${PRICE} [3]`,
	'a table': `| What | Value |\n|---|---|\n| Founded | 1990 [1] |\n| Price | 39 euros a month [3] |\n| Boats | 500 |`,
	'a table of which nothing is left': '| What | Value |\n|---|---|\n| Boats | 500 |\n| Ships | 600 |\n\nAfter it.',
	'a table without a head': `| ${FOUNDED} [1] | ${PRICE} [3] |`,
	'a quotation': `> ${FOUNDED} [1].\n>\n> It is the best.\n\n${PRICE} [3].`,
	'code and HTML': '```\ncode [1]\n```\n\n<b>Acme was founded in 1990 by Ada Marlow</b> [1]. <script>alert(1)</script>',
	addresses: `${FOUNDED} [1] (see https://evil.example/x). [A link](https://evil.example) and evil.example/y. ![p](https://evil.example/p.png)`,
	'a host that no claim has': `${FOUNDED}, says evil.example [1].`,
	'words that are shortened': `${FOUNDED} [1], e.g. in the U.S. on Jan. 5, approx. 12 Mio. Euro. ${PRICE} [3].`,
	'questions and calls': `When was it founded? ${FOUNDED} [1]! What does it cost? ${PRICE} [3]…`,
	'no marks': `${FOUNDED} [1]\n${PRICE} [3]`,
	'only numbers': '[1] [3]\n\n[1][3].\n\nAll from [1] and [3].',
	'a list of sources at the end': `${FOUNDED} [1].\n\n## Sources\n\n[1]: https://a.example\n[3] https://b.example`,
	'a conclusion': `${FOUNDED} [1].\n\n---\n\n**Conclusion:** ${PRICE} [3], and all is well.`,
	Chinese: '公司成立于1990年 [1]。专业版每月39欧元【3†source】。没有来源的句子。',
	'half a report': `${FOUNDED} [1]. ${PRICE} [`,
	nothing: '',
	'a refusal': 'I am sorry, but I cannot write this report.',
};

it('checks and shows reports as it did', async () => {
	const lines: string[] = [];
	for (const [name, report] of Object.entries(REPORTS)) {
		const plain = plainCitations(report, (number) => MAKERS_CLAIMS.has(number));
		lines.push(`# ${name}`, `plain ${JSON.stringify(plain)}`, `clean ${JSON.stringify(cleanReport(report))}`);
		lines.push(`hosts ${JSON.stringify(hostsIn(report))}, escaped ${JSON.stringify(escaped(report))}`);
		lines.push(`unlinked ${JSON.stringify(unlinked(report))}`);
		for (const line of readReport(plain)) lines.push(`line ${JSON.stringify(line)}`);
		for (const judge of [judgedByWords, undefined]) {
			const { lines: checkedLines, ...checked } = judge
				? await checkedBy(report, MAKERS_CLAIMS, judge)
				: await checkReport(report, {
						claims: MAKERS_CLAIMS,
						pages: new Map(),
						context: [],
						subQuestions: ['Who founded it?'],
						judge,
					});
			const verdicts = checkedLines.map(({ sentences }) =>
				sentences.map(({ text, verdict, known, why, instead }) => [verdict, known, text.slice(0, 30), why, instead]),
			);
			lines.push(`${judge ? 'judged' : 'unjudged'} ${JSON.stringify(checked)}`, `verdicts ${JSON.stringify(verdicts)}`);
			for (const choice of ['leaveOut', 'mark'] as const) {
				const sources = new SourceNumbers();
				const shown = showReport({ lines: checkedLines, ...checked }, MAKERS_CLAIMS, sources, choice);
				lines.push(`${choice} ${JSON.stringify(shown)} ${sources.urls.join(' ')}`);
			}
		}
		lines.push('');
	}
	const addresses = ['https://a.example/x y', 'http://[::1]/p', 'javascript:alert(1)', 'no', 'https://a.example/(b)'];
	lines.push(`links ${JSON.stringify(addresses.map((address) => linkAddress(address) ?? null))}`);
	expectGoldenFile(join(__dirname, '../../golden/reportReadings.txt'), `${lines.join('\n')}\n`);
});
