import type { INodeProperties } from 'n8n-workflow';

/** An option of starts of jobs that gather pages. */
export const maxConcurrency: INodeProperties = {
	displayName: 'Max Concurrency',
	name: 'maxConcurrency',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 5,
	description:
		'How many pages of a job to scrape at once, at least 1. Without this option: as many as the plan allows.',
	routing: { send: { type: 'body', property: 'maxConcurrency' } },
};
