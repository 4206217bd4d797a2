import { join } from 'node:path';
import { marksOfPage, comparePage } from '../../../nodes/research/claims/knownPage';
import { evenOut, piecesOf, plainStatement, plainTitle } from '../../../nodes/text/pageText';
import { QuotedPage, sentencesIn } from '../../../nodes/research/claims/passages';
import { directiveFor, shownPage } from '../../../nodes/text/textJump';
import { readReport } from '../../../nodes/research/report/readReport';
import { visibleLines } from '../../../nodes/text/contentHash';
import { cutAtHeadings, cutWithin, withoutSmall } from '../../../nodes/text/markdown/cutMarkdown';
import { evenMarkdown } from '../../../nodes/text/markdown/evenMarkdown';
import { markdownBlocks, withHashHeadings } from '../../../nodes/text/markdown/readMarkdown';
import { htmlMarks } from '../../../nodes/text/markdown/rawHtml';
import { plainReport } from '../../../nodes/text/report/plainReport';
import { markdownHtml } from '../../../nodes/text/report/reportHtml';
import { expectGoldenFile } from '../../helpers/goldenFile';
import { PIECES } from './markdownReadings.ts';

const shown = (value: unknown): string => JSON.stringify(value) ?? 'undefined';

/** How each part of the project reads a piece of Markdown. */
function readings(markdown: string): string[] {
	const page = new QuotedPage(markdown);
	const sections = cutAtHeadings(markdown, 160);
	const browser = shownPage(markdown);
	const sentences = page.blocks.flatMap((block) =>
		sentencesIn(block).map(({ start, end }) => block.text.slice(start, end)),
	);
	const half = new QuotedPage(markdown.slice(0, Math.ceil(markdown.length / 2)));
	const compared = comparePage(page, marksOfPage(half), new Set());
	return [
		...page.blocks.map((block) => `block ${shown(block)}`),
		`cut ${page.isCut}, sentences ${shown(sentences)}`,
		`jumps ${shown(sentences.slice(0, 6).map((one) => directiveFor(browser, one) ?? null))}`,
		`nearest ${shown(page.nearest(sentences.at(-1) ?? '', 2))} ${shown(page.nearestSentences(sentences.at(-1) ?? '', 1))}`,
		`marks ${shown(marksOfPage(page))}`,
		`beside its first half ${shown(compared)}`,
		`as a browser shows it ${shown(browser.text)}`,
		`even ${shown(evenOut(markdown))}`,
		`statement ${shown(plainStatement(markdown))}, title ${shown(plainTitle(markdown))}`,
		`pieces ${shown(piecesOf(markdown, 90))}`,
		`lines ${shown(evenMarkdown(markdown))}`,
		`visible ${shown(visibleLines({ markdown }))}`,
		`markdown blocks ${shown(markdownBlocks(markdown))}`,
		`hash headings ${shown(withHashHeadings(markdown))}`,
		`marks of HTML ${shown(htmlMarks(markdown, ['script', 'style', 'template']))}`,
		`sections ${shown(sections)}`,
		`without small ones ${shown(withoutSmall(sections, 160))}`,
		`cut within ${[20, 60, 140].map((room) => cutWithin(markdown, 5, room)).join(' ')}`,
		`as a report ${shown(readReport(markdown))}`,
		`plain ${shown(plainReport(markdown))}`,
		`html ${shown(markdownHtml(markdown))}`,
	];
}

it('reads Markdown as it did', () => {
	const lines = Object.entries(PIECES).map(([name, markdown]) => [`# ${name}`, ...readings(markdown)].join('\n'));
	expectGoldenFile(join(__dirname, '../../golden/markdownReadings.txt'), `${lines.join('\n\n')}\n`);
});
