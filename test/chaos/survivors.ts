import type { Mutant } from './mutants.ts';

type Named = Pick<Mutant, 'file' | 'code' | 'change'>;

/**
 * The mutants that survivors.md gives a reason for: below a heading with the file's name, a table row of
 * the line's code, the change and the reason. Lines are named by their code, since their numbers move.
 */
export function readReasons(markdown: string): Named[] {
	let file = '';
	return markdown.split('\n').flatMap((line) => {
		file = /^## (\S+\.ts)/.exec(line)?.[1] ?? file;
		const [, code = '', change = '', reason = ''] = line
			.split(/(?<!\\)\|/)
			.map((cell) => cell.replaceAll('\\|', '|').trim());
		const isRow = code.startsWith('`') && change.startsWith('`') && reason !== '';
		return isRow ? [{ file, code: unquoted(code), change: unquoted(change) }] : [];
	});
}

/** The table row that a survivor needs; its reason is left to be written. */
export function rowOf({ code, change }: Named): string {
	const cell = (text: string) => `\`${text.replaceAll('|', '\\|')}\``;
	return `| ${cell(code)} | ${cell(change)} | |`;
}

export function isSame(left: Named, right: Named): boolean {
	return left.file === right.file && left.code === right.code && left.change === right.change;
}

const unquoted = (cell: string) => cell.replace(/^`+\s?|\s?`+$/g, '');
