import type { INodeProperties } from 'n8n-workflow';

const timeZone: INodeProperties = {
	displayName: 'Time Zone',
	name: 'timezone',
	type: 'string',
	typeOptions: { sentAs: 'timeZone' },
	default: 'UTC',
	placeholder: 'e.g. Europe/Oslo',
	description: 'Time zone of the schedule by its IANA name, such as Europe/Oslo',
	routing: { send: { type: 'body', property: 'schedule.timezone' } },
};

const CRON = { name: 'Cron', value: 'cron', description: 'Five fields with numbers' };
const WORDS = { name: 'Words', value: 'words', description: 'Such as daily at 9:00' };

const scheduleOfNew: INodeProperties = {
	displayName: 'Schedule',
	name: 'scheduleBy',
	type: 'options',
	options: [CRON, WORDS],
	default: 'words',
	description: 'How to set when it runs',
};

const scheduleOfKnown: INodeProperties = {
	displayName: 'Schedule',
	name: 'scheduleBy',
	type: 'options',
	options: [CRON, { name: 'Keep', value: 'keep', description: 'As it is' }, WORDS],
	default: 'keep',
	description: 'How to set when it runs from now on',
};

/** When a monitor runs: in words or as cron (shape monitorSchedule). Update may leave it as it is. */
export function scheduleFields(isNew: boolean): INodeProperties[] {
	return [
		isNew ? scheduleOfNew : scheduleOfKnown,
		{
			displayName: 'When',
			name: 'scheduleText',
			type: 'string',
			typeOptions: { sentAs: 'scheduleText' },
			default: 'daily at 9:00',
			required: true,
			placeholder: 'e.g. every 30 minutes',
			description:
				'Every N minutes (5, 6, 10, 12, 15, 20 or 30), every N hours (1, 2, 3, 4, 6, 8 or 12), hourly, daily at 9:00 or weekly',
			displayOptions: { show: { scheduleBy: ['words'] } },
			routing: { send: { type: 'body', property: 'schedule.text' } },
		},
		{
			displayName: 'Cron',
			name: 'cron',
			type: 'string',
			typeOptions: { sentAs: 'cron' },
			default: '0 9 * * *',
			required: true,
			placeholder: 'e.g. 0 9 * * 1-5',
			description:
				'Five fields with numbers: minute, hour, day, month, weekday. At least 5 minutes and at most 62 days between two runs.',
			displayOptions: { show: { scheduleBy: ['cron'] } },
			routing: { send: { type: 'body', property: 'schedule.cron' } },
		},
		{ ...timeZone, displayOptions: { show: { scheduleBy: ['cron', 'words'] } } },
	];
}
