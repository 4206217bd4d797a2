import type { INodeProperties } from 'n8n-workflow';

import { refusedInput } from '../../../service/http/failure';
import { matchesOne, readLinePattern } from '../../../text/linePatterns';

const NAME = '"Ignore Lines Matching"';

export const ignoredLines: INodeProperties = {
	displayName: 'Ignore Lines Matching',
	name: 'ignoredLines',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. \\d+ (views|comments)',
	description:
		'Lines to ignore in comparisons: regular expressions, one per line, case-insensitive',
};

/**
 * One regular expression a line. Throws a ServiceFailure of kind badInput that names one that is none, or that
 * could keep n8n busy for ever.
 */
export function readPatterns(text: string): RegExp[] {
	return text
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '')
		.map((line) => {
			const read = readLinePattern(line);
			if (read instanceof RegExp) return read;
			throw refusedInput(`${NAME} holds a line that ${read.problem}: ${line}.`);
		});
}

/** The lines that none of the patterns matches. */
export function withoutIgnored(lines: readonly string[], patterns: readonly RegExp[]): string[] {
	return lines.filter((line) => !matchesOne(line, patterns));
}
