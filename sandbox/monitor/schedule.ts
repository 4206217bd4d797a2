import { Cron } from 'croner';

/** When a monitor runs: five numeric fields, or words that become such (recordings monitor-11 to monitor-13). */

/** A refusal without details comes when the schedule is used, one with details when it is read. */
export interface ScheduleFault {
	at: 'reading' | 'using';
	error: string;
}

const MINUTE_MS = 60_000;
const YEAR_MS = 366 * 24 * 60 * MINUTE_MS;
const LEAST_GAP_MS = 5 * MINUTE_MS;
const RUNS_LOOKED_AT = 50;
const UNSUPPORTED =
	"Unsupported schedule text. Try phrases like 'every 30 minutes', 'hourly', or 'daily at 9:00'";

const reading = (error: string): ScheduleFault => ({ at: 'reading', error });

function minutes(count: number, offset: number): string | ScheduleFault {
	if (count < 1 || 60 % count !== 0) return reading('Minute interval must divide evenly into 60');
	return offset > 0 ? `${offset}-59/${count} * * * *` : `*/${count} * * * *`;
}

function hours(count: number): string | ScheduleFault {
	if (count < 1 || count > 24) return reading('Hour interval must be between 1 and 24');
	return 24 % count === 0
		? `0 */${count} * * *`
		: reading('Hour interval must divide evenly into 24');
}

function daily(hour: number, minute: number, half: string | undefined): string | ScheduleFault {
	if (half && (hour < 1 || hour > 12)) {
		return reading('Daily schedule hour with am/pm must be between 1 and 12');
	}
	if (hour > 23) return reading('Daily schedule hour must be between 0 and 23');
	const ofDay = half ? (hour % 12) + (half === 'pm' ? 12 : 0) : hour;
	return `${minute} ${ofDay} * * *`;
}

/** The cron expression that the words stand for, or why there is none. */
export function cronOfText(given: string): string | ScheduleFault {
	const text = given.trim().toLowerCase().replace(/\.$/, '');
	const every = /^every (\d+) (?:minutes?|mins?)(?: starting at (\d+))?$/.exec(text);
	if (every) return minutes(Number(every[1]), Number(every[2] ?? 0));
	const hourly = /^every (\d+) (?:hours?|hrs?)$/.exec(text);
	if (hourly) return hours(Number(hourly[1]));
	const atMinute = /^(?:hourly|every hour)(?: at (\d+))?$/.exec(text);
	if (atMinute) return `${Number(atMinute[1] ?? 0)} * * * *`;
	const onDay = /^(?:daily|every day)(?: at (\d+)(?::(\d+))? ?(am|pm)?)?$/.exec(text);
	if (onDay) return daily(Number(onDay[1] ?? 0), Number(onDay[2] ?? 0), onDay[3]);
	return /^(?:weekly|every week)$/.test(text) ? '0 0 * * 0' : reading(UNSUPPORTED);
}

const RANGES = [
	[0, 59],
	[0, 23],
	[1, 31],
	[1, 12],
	[0, 7],
] as const;

function fieldFault(field: string, least: number, most: number): string | undefined {
	for (const part of field.split(',')) {
		const [range = '', step] = part.split('/');
		if (step !== undefined && !(Number(step) > 0)) return 'Invalid cron step';
		if (range === '*') continue;
		const ends = range.split('-');
		const fits = ends.every((end) => /^\d+$/.test(end) && +end >= least && +end <= most);
		if (!fits || ends.length > 2) return 'Invalid cron field';
	}
	return undefined;
}

/** The moments after this one at which it runs, at most so many within a year. */
export function runsAfter(cron: string, timezone: string, atMs: number, count: number): number[] {
	const runs = new Cron(cron, { timezone, paused: true }).nextRuns(count, new Date(atMs));
	return runs.map((run) => run.getTime()).filter((runMs) => runMs <= atMs + YEAR_MS);
}

/** Why the schedule cannot be used, if it cannot. */
export function scheduleFault(cron: string, timezone: string, atMs: number): string | undefined {
	const fields = cron.trim().split(/\s+/);
	if (fields.length !== RANGES.length) return 'Cron expression must contain five fields';
	for (const [index, [least, most]] of RANGES.entries()) {
		const fault = fieldFault(fields[index] ?? '', least, most);
		if (fault) return fault;
	}
	try {
		Intl.DateTimeFormat('en', { timeZone: timezone });
	} catch {
		return `Invalid monitor schedule timezone: ${timezone}`;
	}
	const runs = runsAfter(cron, timezone, atMs, RUNS_LOOKED_AT);
	if (runs.length === 0) return 'Cron expression did not produce a run within one year';
	const isTooClose = runs.some((runMs, index) => runMs - (runs[index - 1] ?? 0) < LEAST_GAP_MS);
	return isTooClose ? 'Monitor schedule must not run more often than every 5 minutes' : undefined;
}
