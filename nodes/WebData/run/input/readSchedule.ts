/**
 * What the service takes for the five fields of a cron expression: numbers only
 * (docs/service-notes.md#schedules-of-monitors).
 */
const RANGES: Array<readonly [least: number, most: number]> = [
	[0, 59],
	[0, 23],
	[1, 31],
	[1, 12],
	[0, 7],
];

/** Shortest time between two runs (recording monitor-13-schedule-03). */
const MIN_MINUTES_BETWEEN = 5;

/**
 * Longest time between two runs. The service looks for the next run minute by minute, and stands still
 * for more than a minute over one that comes once a year or never (docs/service-notes.md#schedules-of-monitors).
 */
const MAX_DAYS_BETWEEN = 62;

const DAY_MS = 86_400_000;

/** Why a cron expression is no schedule for a monitor, as a rule that it breaks; undefined when it is. */
export function cronFault(text: string): string | undefined {
	const parts = text.trim().split(/\s+/);
	const fields = RANGES.map((range, index) => readCronField(parts[index] ?? '', range));
	const [minutes, hours, days, months, weekdays] = fields;
	if (parts.length !== 5 || !minutes || !hours || !days || !months || !weekdays) {
		return 'must be a cron expression of five fields with numbers only, such as 0 9 * * 1-5';
	}
	if (shortestGap(minutes, hours) < MIN_MINUTES_BETWEEN) {
		return `must leave at least ${MIN_MINUTES_BETWEEN} minutes between two runs`;
	}
	const isAnyDay = parts[2] === '*';
	const isAnyWeekday = parts[4] === '*';
	const matches = (date: Date) => {
		if (!months.has(date.getUTCMonth() + 1)) return false;
		const isDay = days.has(date.getUTCDate());
		const isWeekday = weekdays.has(date.getUTCDay()) || (date.getUTCDay() === 0 && weekdays.has(7));
		// Where both are given, either will do, as everywhere in cron.
		return isAnyDay || isAnyWeekday ? isDay && isWeekday : isDay || isWeekday;
	};
	return longestGapDays(matches) <= MAX_DAYS_BETWEEN
		? undefined
		: `must run at least every ${MAX_DAYS_BETWEEN} days: others make the service stand still`;
}

/** `*`, numbers, ranges, steps and lists of them; undefined for anything else. */
function readCronField(
	text: string,
	[least, most]: readonly [least: number, most: number],
): Set<number> | undefined {
	const values = new Set<number>();
	for (const part of text.split(',')) {
		const [, any, from, to, step = '1'] =
			/^(?:(\*)|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part) ?? [];
		if (any === undefined && from === undefined) return undefined;
		const first = any === undefined ? Number(from) : least;
		const single = part.includes('/') ? most : first;
		const last = any === undefined ? Number(to ?? single) : most;
		if (first < least || last > most || first > last || Number(step) < 1) return undefined;
		for (let value = first; value <= last; value += Number(step)) values.add(value);
	}
	return values;
}

/** In minutes, between runs of one day or from its last run to the first of the next. */
function shortestGap(minutes: Set<number>, hours: Set<number>): number {
	const runs = [...hours]
		.flatMap((hour) => [...minutes].map((minute) => hour * 60 + minute))
		.sort((left, right) => left - right);
	const nextDay = (runs[0] ?? 0) + 24 * 60;
	return Math.min(...runs.map((run, index) => (runs[index + 1] ?? nextDay) - run));
}

/** In days, over eight years, so that a leap day is in it. */
function longestGapDays(matches: (date: Date) => boolean): number {
	const begin = Date.UTC(2027, 0, 1);
	let longest = 0;
	let since = 0;
	for (let day = 0; day < 8 * 366; day++) {
		if (matches(new Date(begin + day * DAY_MS))) since = day;
		longest = Math.max(longest, day - since);
	}
	return longest;
}

const DIVIDES_HOUR = [5, 6, 10, 12, 15, 20, 30];
const DIVIDES_DAY = [1, 2, 3, 4, 6, 8, 12];

/**
 * Why a schedule in words is none that the service knows; undefined when it is
 * (docs/service-notes.md#schedules-of-monitors).
 */
export function scheduleTextFault(text: string): string | undefined {
	const words = text.trim().toLowerCase().replace(/\.$/, '').replace(/\s+/g, ' ');
	const [, minutes] =
		/^every (\d{1,2}) ?(?:minutes?|mins?)(?: starting at [0-5]?\d)?$/.exec(words) ?? [];
	if (minutes !== undefined && DIVIDES_HOUR.includes(Number(minutes))) return undefined;
	const [, hours] = /^every (\d{1,2}) ?(?:hours?|hrs?)$/.exec(words) ?? [];
	if (hours !== undefined && DIVIDES_DAY.includes(Number(hours))) return undefined;
	const isKnown =
		/^(hourly|every hour)( at :?[0-5]?\d)?$/.test(words) ||
		/^(daily|every day)( at ([01]?\d|2[0-3])(:[0-5]\d)?)?$/.test(words) ||
		/^(daily|every day) at (0?[1-9]|1[0-2])(:[0-5]\d)? ?(am|pm)$/.test(words) ||
		/^(weekly|every week)$/.test(words);
	return isKnown
		? undefined
		: 'must be like every 30 minutes, every 6 hours, hourly, daily at 9:00 or weekly; minutes must divide an hour, hours a day';
}

/** Why a text is no IANA time zone; undefined when it is one. */
export function timeZoneFault(text: string): string | undefined {
	try {
		new Intl.DateTimeFormat('en', { timeZone: text.trim() });
		return undefined;
	} catch {
		return 'must be a time zone such as Europe/Oslo or UTC';
	}
}
