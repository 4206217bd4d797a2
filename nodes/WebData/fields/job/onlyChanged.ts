import type { INodeProperties } from 'n8n-workflow';

import { ignoredLines } from './ignoredLines';

/** Where an output has pages that can be left out. */
const displayOptions = { hide: { '/output': ['status'] } };

/** Options: pages that are as they were in the last run are left out; read by run/changes/changesAsked.ts. */
export const onlyChanged: INodeProperties[] = [
	{
		displayName: 'Only New and Changed Pages',
		name: 'onlyChanged',
		type: 'boolean',
		default: true,
		displayOptions,
		description:
			'Whether to return only what is new, changed or gone since the last production run. Firecrawl fetches each page again, for the same credits, unless you set Max Age: its cache may be two days old. Manual runs record nothing.',
	},
	{ ...ignoredLines, displayOptions },
];
