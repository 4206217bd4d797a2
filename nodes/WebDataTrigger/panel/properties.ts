import type { INodeProperties } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { jobEventFields } from './jobEvent';
import { websiteChangedFields } from './websiteChanged';
import { choiceField } from '../../WebData/fields/field';

const event: INodeProperties = choiceField(
	'event',
	'Event',
	'websiteChanged',
	'What starts the workflow',
	[
		['Website Changed', 'websiteChanged', 'A page, website or search has changed since the last check'],
		['Job Event', 'jobEvent', 'A crawl, batch scrape, extract or agent starts, makes progress or ends'],
	],
	{ noDataExpression: true, send: false },
);

/** The panel's properties; the build turns them into JSON, as those of Web Data. */
export function readProperties(): INodeProperties[] {
	return [
		event,
		...updateDisplayOptions({ show: { event: ['websiteChanged'] } }, websiteChangedFields),
		...updateDisplayOptions({ show: { event: ['jobEvent'] } }, jobEventFields),
	];
}
