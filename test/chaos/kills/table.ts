import { PLACES } from './falls.ts';
import type { Fall } from './falls.ts';
import type { Report, Round } from './rounds.ts';

function print(line = ''): void {
	process.stdout.write(`${line}\n`);
}

function textOf({ course, place, sent, accepted, named }: Fall): string {
	const counts = sent > 0 ? `: ${sent} sent, ${accepted} accepted, ${named} named in the log` : '';
	return `${course} ${place}${counts}`;
}

/** One line for each kill: the moment that was drawn, and what it has met. */
export function printRound({ number, kill, falls }: Round): void {
	const { moment, delayMs } = kill;
	print(`${String(number).padStart(3)}  ${moment} + ${delayMs} ms`);
	for (const fall of falls) print(`       ${textOf(fall)}`);
}

/** What the run came to. */
export function printAccount({ rounds, courses, account, seconds }: Report): void {
	const falls = rounds.flatMap((round) => round.falls);
	const retries = courses.reduce((sum, course) => sum + course.retries, 0);
	const refused = courses.reduce((sum, course) => sum + course.withoutRetry.size, 0);
	const left = courses.reduce((sum, course) => sum + course.left.size, 0);
	const met = PLACES.map((place): [string, number] => [
		`  ${place}`,
		falls.filter((fall) => fall.place === place).length,
	]);
	const rows: Array<[string, string | number]> = [
		['kills', rounds.length],
		['executions met by a kill', falls.length],
		...met,
		[
			'retries pressed',
			`${retries}; ${account.refusals} refused by the node: n8n had died in it; ${refused} by n8n itself`,
		],
		['executions left, because of the log', left],
		['questions', `${account.questions}, ${account.notStarted} not started in executions that were left`],
		['jobs at the service', account.starts],
		['  result in a finished execution', account.results],
		['  named in the log only', `${account.named}, of which Get has collected ${account.collected}`],
		['  told in the log without an id', account.unnamed],
		['  started again after a second death', account.again],
		['minutes', (seconds / 60).toFixed(1)],
	];
	print();
	for (const [name, value] of rows) print(`${name.padEnd(44)} ${value}`);
	print();
	const { violations } = account;
	if (violations.length === 0) return print('All promises kept.');
	print(`${violations.length} promises broken:`);
	for (const violation of violations) print(`  ${violation}`);
}
