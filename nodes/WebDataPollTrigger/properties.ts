import { updateDisplayOptions } from 'n8n-workflow';
import type { INodeProperties } from 'n8n-workflow';

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

/** The panel's properties: the event, what a poll for it costs, and its fields. */
export function readProperties(): INodeProperties[] {
	const ofEvents = pollEvents.flatMap(({ value, notice, fields }) =>
		updateDisplayOptions({ show: { event: [value] } }, [
			{ displayName: notice, name: `${value}Notice`, type: 'notice', default: '' },
			...fields,
		]),
	);
	return [event, ...ofEvents];
}
