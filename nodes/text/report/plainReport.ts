import { withNumbers } from './citationForms';
import { FENCE, RULER, cellsOf, showLine } from './inlineMarks';
import type { LineForm } from './inlineMarks';

const PLAIN: LineForm = {
	text: (plain) => plain,
	code: (plain) => plain,
	link: (shown, address) => (shown === address ? address : `${shown} (${address})`),
	bold: (shown) => shown,
	struck: (shown) => shown,
	italic: (shown) => shown,
};

/** A report in Markdown as plain text: for a chat, a cell of a sheet, a message. Citations are numbers in brackets. */
export function plainReport(markdown: string): string {
	let isCode = false;
	const lines = withNumbers(markdown)
		.split('\n')
		.flatMap((line) => {
			if (FENCE.test(line)) {
				isCode = !isCode;
				return [];
			}
			if (isCode) return [line];
			if (RULER.test(line) && line.includes('--')) return [];
			const cells = cellsOf(line);
			if (cells) return [cells.map((cell) => showLine(cell, PLAIN)).join(' | ')];
			const text = line.replace(/^ {0,3}(?:#{1,6}\s+|(?:>\s?)+)/, '');
			return [showLine(text, PLAIN)];
		});
	return lines
		.join('\n')
		.replace(/\n{3,}/g, '\n\n')
		.trim();
}
