import fc from 'fast-check';

import { cronFault, scheduleTextFault } from '../../nodes/WebData/run/input/readSchedule.ts';

// What a server of August 2026 took and refused (recordings monitor-11 to monitor-13).
it.each([
	'*/5 * * * *',
	'0 9 * * 1-5',
	'15,45 8-18 * * *',
	'0 0 1 * *',
	'0 0 * * 7',
	'7-59/30 * * * *',
	'0 0 31 * *',
	'30 2 * * 1',
])('takes the cron %s', (text) => expect(cronFault(text)).toBeUndefined());

it.each([
	['* * * * *', '5 minutes'],
	['*/4 * * * *', '5 minutes'],
	['0,3 * * * *', '5 minutes'],
	['0,57 * * * *', '5 minutes'],
	['59 23,0 * * *', undefined],
	['58 23 * * *', undefined],
	['0 0 * * * *', 'five fields'],
	['0 9 * * MON', 'five fields'],
	['@daily', 'five fields'],
	['60 * * * *', 'five fields'],
	['5-1 * * * *', 'five fields'],
	['*/0 * * * *', 'five fields'],
	['', 'five fields'],
	['0 9 29 2 *', '62 days'],
	['0 0 31 2 *', '62 days'],
	['0 0 1 1 *', '62 days'],
])('says of the cron "%s": %s', (text, fault) => {
	if (fault === undefined) expect(cronFault(text)).toBeUndefined();
	else expect(cronFault(text)).toContain(fault);
});

it.each([
	'every 5 minutes',
	'every 30 minutes',
	'every 30 minutes starting at 7',
	'every 2 hours',
	'hourly',
	'hourly at 15',
	'every hour',
	'daily',
	'daily at 9:00',
	'daily at 9 pm',
	'every day at 21:30',
	'weekly',
	'every week',
	'Every 15 mins.',
	'EVERY 12 HRS',
])('takes the words "%s"', (text) => expect(scheduleTextFault(text)).toBeUndefined());

it.each([
	'every 7 minutes',
	'every 4 minutes',
	'every 5 hours',
	'sometimes',
	'daily at 25:00',
	'daily at 13 pm',
	'',
])('refuses the words "%s"', (text) =>
	expect(scheduleTextFault(text)).toContain('every 30 minutes'),
);

it('never throws and never takes long, whatever is typed', () => {
	fc.assert(
		fc.property(fc.string(), (text) => {
			expect(['string', 'undefined']).toContain(typeof cronFault(text));
			expect(['string', 'undefined']).toContain(typeof scheduleTextFault(text));
		}),
	);
});
