import type { INodeProperties } from 'n8n-workflow';

/** An option of starts: what to do when nobody knows whether the job runs. Read by run/jobs/planJob.ts. */
export const onUnclearStart: INodeProperties = {
	displayName: 'On Unclear Start',
	name: 'onUnclearStart',
	type: 'options',
	options: [
		{
			name: 'Fail',
			value: 'fail',
			description: 'Error that says what the service lists; nothing is paid twice',
		},
		{
			name: 'Start Again',
			value: 'startAgain',
			description: 'Sends the start once more; the work may be paid for twice',
		},
	],
	default: 'fail',
	description: 'What to do when the answer to a start is lost and Firecrawl does not list the job',
};
