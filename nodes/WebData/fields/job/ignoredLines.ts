import type { INodeProperties } from 'n8n-workflow';

import { refusedInput } from '../../../service/http/failure';
import { matchingLines, readLinePattern } from '../../../text/linePatterns';
import type { LinePattern, Pause } from '../../../text/linePatterns';

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
 * One regular expression a line. Throws a ServiceFailure of kind badInput that names one that is none, or one
 * of the few kinds that could keep n8n busy for ever.
 */
export function readPatterns(text: string): LinePattern[] {
	return text
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '')
		.map((line) => {
			const read = readLinePattern(line);
			if (!('problem' in read)) return read;
			throw refusedInput(`${NAME} holds a line that ${read.problem}: ${line}.`);
		});
}

/** The lines that none of the patterns matches. Throws a ServiceFailure of kind badInput where they take too long. */
export async function withoutIgnored(
	lines: readonly string[],
	patterns: readonly LinePattern[],
	pause: Pause,
): Promise<string[]> {
	const matched = await matchingLines(lines, patterns, pause);
	if (matched) return lines.filter((_line, at) => matched[at] !== true);
	throw refusedInput(
		`${NAME} takes too long on this page: use fewer or simpler patterns, without nested repeats such as (a+)+.`,
	);
}
