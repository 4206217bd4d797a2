import type { INodeProperties } from 'n8n-workflow';

/** The id of a job that was started elsewhere, the same field for every kind of job. */
export const jobId: INodeProperties = {
	displayName: 'Job ID',
	name: 'jobId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. fd35809c-…',
	description: 'ID of the job (a UUID), from the output of Start or an error message',
};
