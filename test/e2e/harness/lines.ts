import { type N8nVersion, n8nVersions, readN8nVersion } from '../../../tools/n8n/project.ts';

/** The lines that `main.ts --n8n` was given, for the test files, which it only names to node:test. */
export const LINES_VARIABLE = 'WEB_DATA_E2E_N8N';

/** Between the two other lines: CI gives it a short run. */
const between: readonly N8nVersion[] = ['2.40'];

/**
 * The lines that are named, `2.41,1.123`, or all there are.
 *
 * @throws for a line that does not exist, naming those that do
 */
function chosenLines(named: string | undefined): readonly N8nVersion[] {
	return named ? named.split(',').map(readN8nVersion) : n8nVersions;
}

/** The lines for what differs most between them, and for what a new line may break first: all, where none is named. */
export function everyLine(named = process.env[LINES_VARIABLE]): readonly N8nVersion[] {
	return chosenLines(named);
}

/** The lines for most other tests: where none is named, the newest and the oldest. */
export function outerLines(named = process.env[LINES_VARIABLE]): readonly N8nVersion[] {
	const lines = chosenLines(named);
	return named ? lines : lines.filter((line) => !between.includes(line));
}
