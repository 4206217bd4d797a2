import type { INodeProperties } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { jobEventFields } from './jobEvent';
import { websiteChangedFields } from './websiteChanged';

const event: INodeProperties = {
	displayName: 'Event',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Website Changed',
			value: 'websiteChanged',
			description: 'A page, website or search has changed since the last check',
		},
		{
			name: 'Job Event',
			value: 'jobEvent',
			description: 'A crawl, batch scrape, extract or agent starts, makes progress or ends',
		},
	],
	default: 'websiteChanged',
	description: 'What starts the workflow',
};

/** The panel's properties; the build turns them into JSON, as those of Web Data. */
export function readProperties(): INodeProperties[] {
	return [
		event,
		...updateDisplayOptions({ show: { event: ['websiteChanged'] } }, websiteChangedFields),
		...updateDisplayOptions({ show: { event: ['jobEvent'] } }, jobEventFields),
	];
}
