import type { IRun } from 'n8n-workflow';

/** How the package says that it has made a mistake itself. */
const MISTAKE = 'This is a mistake in the package of this node';

/** What no message or hint has in it, unless a value was missing that was to stand there, or is what it is about. */
const ODD = /(?<!\bit is )\b(?:undefined|NaN)\b|\[object Object\]/;

/** Whether an execution rejects where the package has made a mistake. Tests ask for that, and nobody else. */
export const mistakes = { areRefused: false };

/**
 * Throws an Error where the package says that it has made a mistake, or where a message or a hint of it holds what only
 * a missing value leaves there. `stored`: the execution as n8n has stored it.
 */
export function refuseMistakes(stored: string, { data: { resultData } }: IRun): void {
	if (!mistakes.areRefused) return;
	const { error, runData } = resultData;
	const said = error && 'description' in error ? String(error.description ?? '') : '';
	if (stored.includes(MISTAKE) || said.includes(MISTAKE)) {
		throw new Error(`The package has made a mistake: ${said} ${error?.message ?? ''}`);
	}
	const hints = Object.values(runData).flatMap((tasks) => tasks.flatMap((task) => task.hints ?? []));
	const texts = [error?.message ?? '', said, ...hints.map(({ message }) => message)];
	const odd = texts.find((text) => ODD.test(text));
	if (odd !== undefined) throw new Error(`No text of the package may say this: ${odd}`);
}
