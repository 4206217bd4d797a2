import type { INodeProperties } from 'n8n-workflow';

/** An option of starts: what to do when nobody knows whether the job runs. Read by run/jobs/planJob.ts. */
export const onUnclearStart: INodeProperties = {
	displayName: 'If Start Is Uncertain',
	name: 'onUnclearStart',
	type: 'options',
	options: [
		{
			name: 'Fail',
			value: 'fail',
			description: 'Error that says what Firecrawl lists; nothing is paid twice',
		},
		{
			name: 'Start Again',
			value: 'startAgain',
			description: 'Send the request again; the work may be paid for twice',
		},
	],
	default: 'fail',
	description:
		'What to do if the connection breaks while a job is being started and Firecrawl does not list the job',
};
