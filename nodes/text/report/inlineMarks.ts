/** The marks of Markdown as reports have them, for whoever shows a report in another form. */

/** Begins and ends code. */
export const FENCE = /^ {0,3}(?:```|~~~)/;

/** The line of a table below its head. */
export const RULER = /^[\s|:-]+$/;

/** The cells of a row of a table; undefined for any other line. */
export function cellsOf(line: string): string[] | undefined {
	const row = /^\s*\|(.*)\|\s*$/.exec(line)?.[1];
	return row?.split(/(?<!\\)\|/).map((cell) => cell.trim());
}

const MARKS =
	/\\([!-/:-@[-`{-~])|`([^`\n]{1,500})`|\[((?:\\[!-/:-@[-`{-~]|[^[\]\\\n]){1,500})\]\(<?(https?:\/\/[^\s<>()]{1,8000})>?\)|\*\*([^*\n]{1,1000})\*\*|~~([^~\n]{1,1000})~~|(?<![\p{L}\p{N}*])\*([^*\s][^*\n]{0,1000})\*(?![\p{L}\p{N}*])|<(https?:\/\/[^\s<>]{1,4000})>/gu;

/** How each kind of text in a line is shown. What has marks within it comes as it was shown. */
export interface LineForm {
	text(plain: string): string;
	code(plain: string): string;
	link(shown: string, address: string): string;
	bold(shown: string): string;
	struck(shown: string): string;
	italic(shown: string): string;
}

/** The line in this form. */
export function showLine(line: string, form: LineForm): string {
	let shown = '';
	let from = 0;
	for (const match of line.matchAll(MARKS)) {
		const [whole, escaped, code, label, url, bold, struck, italic, address] = match;
		shown += form.text(line.slice(from, match.index));
		from = match.index + whole.length;
		if (escaped !== undefined) shown += form.text(escaped);
		else if (code !== undefined) shown += form.code(code);
		else if (label !== undefined && url !== undefined) shown += form.link(showLine(label, form), url);
		else if (bold !== undefined) shown += form.bold(showLine(bold, form));
		else if (struck !== undefined) shown += form.struck(showLine(struck, form));
		else if (italic !== undefined) shown += form.italic(showLine(italic, form));
		else if (address !== undefined) shown += form.link(form.text(address), address);
	}
	return shown + form.text(line.slice(from));
}
