import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import type { JsonObject } from '../../../service/http/transport';
import { returnAllOrLimit } from '../../fields/basic/list';
import { withIsoDates } from '../../operation/recordFields';
import type { ListOperation } from '../../operation/operation';

const kind: INodeProperties = {
	displayName: 'Kind of Job',
	name: 'endpoint',
	type: 'options',
	options: [
		{ name: 'Agent', value: 'agent' },
		{ name: 'All', value: '' },
		{ name: 'Batch Scrape', value: 'batch_scrape' },
		{ name: 'Browser Session', value: 'browser' },
		{ name: 'Crawl', value: 'crawl' },
		{ name: 'Deep Research', value: 'deep_research' },
		{ name: 'Extract', value: 'extract' },
		{ name: 'Interaction', value: 'interact' },
		{ name: 'LLMs.txt', value: 'llmstxt' },
		{ name: 'Map', value: 'map' },
		{ name: 'Scrape', value: 'scrape' },
		{ name: 'Search', value: 'search' },
	],
	default: '',
	description: 'Which kind of job to list',
	routing: { send: { type: 'query', property: 'endpoint' } },
};

function readList({ data }: JsonObject): IDataObject[] | undefined {
	if (!Array.isArray(data)) return undefined;
	return data.filter(isJsonObject).map((job) => {
		const { api_version: apiVersion, created_at: createdAt, ...rest } = job;
		return withIsoDates({ ...rest, apiVersion, createdAt }) as IDataObject;
	});
}

export const getActivity: ListOperation = {
	kind: 'list',
	value: 'getActivity',
	name: 'Get Activity',
	action: 'Get activity of last 24 hours',
	description: 'The jobs that your team started in the last 24 hours, newest first, one item each',
	unit: 'job',
	request: { method: 'GET', path: '/v2/team/activity', bucket: 'other' },
	readList,
	paging: {
		query: { limit: 100 },
		next: ({ cursor, has_more: hasMore }) =>
			hasMore === true && typeof cursor === 'string' && cursor !== '' ? { cursor } : undefined,
	},
	fields: [kind, ...returnAllOrLimit],
};
