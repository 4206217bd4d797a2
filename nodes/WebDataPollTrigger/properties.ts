import { updateDisplayOptions } from 'n8n-workflow';
import type { INodeProperties } from 'n8n-workflow';
import { noticeField } from '../fields/field';
import { pollEvents } from './events';

const event: INodeProperties = {
	displayName: 'Event',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	options: pollEvents.map(({ name, value, description }) => ({ name, value, description })),
	default: 'newPages',
	description: 'What starts the workflow',
};

// n8n puts its Poll Times, with a poll every minute, before the properties of a polling node: no default of ours counts.
const everyMinute: INodeProperties = {
	...noticeField('everyMinuteNotice', 'Every minute is 43,200 polls a month: choose every hour.'),
	displayOptions: { show: { '/pollTimes.item[0].mode': ['everyMinute'] } },
};

/** The panel's properties: the event, what a poll for it costs, and its fields. */
export function readProperties(): INodeProperties[] {
	const ofEvents = pollEvents.flatMap(({ value, notice, fields }) =>
		updateDisplayOptions({ show: { event: [value] } }, [noticeField(`${value}Notice`, notice), ...fields]),
	);
	return [everyMinute, event, ...ofEvents];
}
