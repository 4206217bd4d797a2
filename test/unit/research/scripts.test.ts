import { compareFigures, missingFigures } from '../../../nodes/research/claims/figures';
import { QuotedPage } from '../../../nodes/research/claims/passages';
import { checkReport } from '../../../nodes/research/report/checkReport';
import type { NumberedClaim } from '../../../nodes/research/report/numberedClaims';
import { SourceNumbers, showReport } from '../../../nodes/research/report/showReport';
import { expectLinear } from '../../helpers/growth';
import { claim } from './reports.ts';
import { SCRIPTS, sentencesOf } from './scripts.ts';
import type { MadeSentence, Script } from './scripts.ts';

const PAGES = 10;
const SENTENCES = 12;

/** A page with paragraphs, a teaser that stands in the text once more, a list, a table and a heading that is a sentence. */
function pageOf({ behind }: Script, sentences: readonly MadeSentence[]): string {
	const texts = sentences.map(({ text }) => text);
	const [heading = '', teaser = '', ...others] = texts;
	const half = Math.floor(others.length / 2);
	return [
		`## ${heading}`,
		teaser,
		[teaser, ...others.slice(0, half)].join(behind),
		others
			.slice(half, -2)
			.map((text) => `- ${text}`)
			.join('\n'),
		`| A | B |\n| --- | --- |\n${others
			.slice(-2)
			.map((text) => `| x | ${text} |`)
			.join('\n')}`,
	].join('\n\n');
}

const numbered = (sentences: readonly MadeSentence[]) =>
	new Map(sentences.map(({ text }, index) => [index + 1, claim(index + 1, text)]));

/** The report as code alone checks it: what a model would judge passes. */
const checked = async (report: string, claims: ReadonlyMap<number, NumberedClaim>, subQuestions: string[] = []) =>
	await checkReport(report, { claims, pages: new Map(), context: [], subQuestions, judge: undefined });

/** The report as the user gets it. */
async function shown(
	report: string,
	claims: ReadonlyMap<number, NumberedClaim>,
	subQuestions?: string[],
): Promise<string> {
	return showReport(await checked(report, claims, subQuestions), claims, new SourceNumbers(), 'leaveOut');
}

/** Ways to cite a sentence: before its mark, behind it, with a space, in brackets of other kinds. */
const CITED: Array<(sentence: MadeSentence, number: number, script: Script) => string> = [
	({ said }, number, { mark }) => `${said}[${number}]${mark}`,
	({ said }, number, { mark }) => `${said} [${number}]${mark}`,
	({ text }, number) => `${text}[${number}]`,
	({ text }, number) => `${text} [${number}]`,
	({ text }, number) => `${text}【${number}】`,
];

const made = (script: Script) =>
	Array.from({ length: PAGES }, (_page, seed) => sentencesOf(script, SENTENCES, seed * 100 + script.name.length));

describe.each(SCRIPTS.map((script) => [script.name, script] as const))('%s', (_name, script) => {
	it('loses no sentence that is its own quote and claim', () => {
		const lost = made(script).flatMap((sentences) => {
			const page = new QuotedPage(pageOf(script, sentences));
			return sentences.filter(({ text }) => {
				const passage = page.find(text);
				return !passage || missingFigures(text, passage.figures, [passage.path]).length > 0;
			});
		});
		expect(lost.map(({ text }) => text)).toEqual([]);
	});

	it('lets none through with another figure, as a quote or as a statement', () => {
		const through = made(script).flatMap((sentences) => {
			const page = new QuotedPage(pageOf(script, sentences));
			return sentences.filter(({ text, figure, withFigure }) => {
				const other = withFigure(figure + 1);
				const passage = page.find(text);
				const { different, unclear } = compareFigures(other, passage?.figures ?? []);
				// 1,100 may be 1,099 as it is rounded, which the model judges.
				const isFound = (figure + 1) % 100 === 0 ? unclear.length > 0 : different.length > 0;
				return page.find(other) !== undefined || !isFound;
			});
		});
		expect(through.map(({ text }) => text)).toEqual([]);
	});

	it('gives each sentence of a report its own source, wherever it is cited', async () => {
		for (const sentences of made(script)) {
			const claims = numbered(sentences);
			for (const cite of CITED) {
				const report = sentences.map((one, index) => cite(one, index + 1, script)).join(script.behind);
				const { lines } = await checked(report, claims);
				const found = lines.flatMap((line) => line.sentences).map(({ verdict, cited }) => ({ verdict, cited }));
				expect(found).toEqual(sentences.map((_one, index) => ({ verdict: 'cited', cited: [index + 1] })));
			}
		}
	});

	it('lets no uncited sentence out: in text, as a heading, in bold, before and in a list', async () => {
		for (const sentences of made(script)) {
			const [invented, ...others] = sentences;
			const claims = numbered(others);
			const [first, second] = others;
			if (!invented || !first || !second) throw new Error('Too few sentences.');
			const [one, two] = [CITED[2]?.(first, 1, script), CITED[0]?.(second, 2, script)];
			const own = invented.withFigure(first.figure);
			for (const text of [own, own.replace(/\p{Nd}+/gu, '')]) {
				for (const report of [
					[text, one, two].join(script.behind),
					[one, text, two].join(script.behind),
					[one, two, text].join(script.behind),
					`## ${text}\n\n${one}`,
					`**${text}**\n\n${one}`,
					`${text}\n\n- ${one}\n- ${two}`,
					`- ${text}\n- ${one}`,
				]) {
					const said = script.mark === '' ? text : text.slice(0, -script.mark.length);
					expect(await shown(report, claims)).not.toContain(said);
					expect(await shown(report, claims)).toContain(first.said);
				}
			}
		}
	});

	it('keeps a heading, and a line that leads to a list, where they are the question’s words', async () => {
		const [first, second] = sentencesOf(script, 2, 7);
		if (!first || !second) throw new Error('Too few sentences.');
		const claims = numbered([first, second]);
		const title = script.words.slice(0, 4).join(script.space);
		const report = `## ${title}\n\n${title}${script.colon}\n\n- ${CITED[0]?.(first, 1, script)}\n- ${CITED[2]?.(second, 2, script)}`;
		const text = await shown(report, claims, [title]);
		expect(text).toContain(`## ${title}\n\n${title}${script.colon}`);
	});
});

it('takes time in proportion to a page of a megabyte in any script', async () => {
	for (const script of SCRIPTS) {
		const sentences = sentencesOf(script, 3000, 1);
		const text = sentences.map((one) => one.text).join(script.behind);
		await expectLinear(120_000, (size) => {
			const page = new QuotedPage(text.repeat(Math.ceil(size / text.length)).slice(0, size));
			for (const { text: quote } of sentences.slice(0, 20)) {
				page.find(`${quote} x`);
				page.nearest(quote, 2);
			}
		});
	}
});
