import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';

import type { Operation } from '../../nodes/operation/operation';
import { resources } from '../../nodes/WebData/resources';
import type { Sandbox } from '../../sandbox/server.ts';
import { ask } from '../sandbox/client';
import { startSandbox } from '../../sandbox/server.ts';
import { callTool } from './run';

let sandbox: Sandbox;

/** What an AI agent can know: IDs that other tools have put out. */
const known: IDataObject = {
	query: 'cargo bikes',
	intent: 'deliveries',
	question: 'How do I crawl?',
	url: 'https://example.com',
	prompt: 'only pages about costs',
	paperId: 'doi:10.5555/sandbox.1',
	snapshotId: 'snap-1',
	threadId: 'thread-1',
};

const send = async (method: string, path: string, body: object) =>
	(await ask(sandbox, method, path, { body })).body as Record<string, unknown>;

/** The ID of a job of each kind, and of what is no job. */
const ids: Record<string, IDataObject> = {};

afterAll(async () => await sandbox.stop());
beforeAll(async () => {
	sandbox = await startSandbox({
		seed: 1,
		speed: 100,
	});
	const url = 'https://example.com';
	const started = async (path: string, body: object) => {
		const { id } = await send('POST', path, body);
		return { jobId: String(id) };
	};
	ids.crawl = await started('/v2/crawl', { url, limit: 2 });
	ids.batchScrape = await started('/v2/batch/scrape', { urls: [url] });
	ids.extract = await started('/v2/extract', { prompt: 'x' });
	ids.agent = await started('/v2/agent', { prompt: 'x' });
	ids.deepResearch = await started('/v1/deep-research', { query: 'x' });
	ids.llmsTxt = await started('/v1/llmstxt', { url });
	const { data } = await send('POST', '/v2/scrape', { url });
	const { scrapeId } = (data as { metadata: { scrapeId: string } }).metadata;
	ids.page = { scrapeId };
	ids.browser = { sessionId: String((await send('POST', '/v2/interact', {})).id) };
	const monitor = await send('POST', '/v2/monitor', {
		name: 'm',
		schedule: { cron: '0 * * * *', timezone: 'UTC' },
		targets: [{ type: 'scrape', urls: [url] }],
	});
	const { id: monitorId } = monitor.data as { id: string };
	const check = await send('POST', `/v2/monitor/${monitorId}/run`, {});
	ids.monitor = { monitorId, jobId: String((check.data as { id: string }).id) };
});

/** Operations that change and start nothing: what they read, and searches and questions. */
const ASKS = ['map map', 'search search', 'search searchDeveloper', 'page scrape'];
const QUESTIONS = ['support ask', 'support searchDocs', 'crawl previewOptions'];

const cases = resources.flatMap(({ value: resource, operations }) =>
	operations
		.map((operation) => ({ name: `${resource} ${operation.value}`, resource, operation }))
		.filter(({ name, operation }) => operation.request.method === 'GET' || [...ASKS, ...QUESTIONS].includes(name)),
);

const isFilled = ({ name, required, type }: INodeProperties) =>
	(required === true || name === 'prompt') && ['string', 'resourceLocator'].includes(type);

/** The fields without which there is nothing to ask, left to the model. */
function filledByModel({ fields }: Operation): INodeParameters {
	return Object.fromEntries(
		fields.filter(isFilled).map(({ name, type, displayName }) => {
			const value = `={{ $fromAI('${name}', '${displayName}', 'string') }}`;
			return [name, type === 'string' ? value : { __rl: true, mode: 'id', value }];
		}),
	) as INodeParameters;
}

it('are all operations that read', () => {
	expect(cases.length).toBeGreaterThanOrEqual(35);
});

describe.each(['invoke', 'request'] as const)('an AI agent (%s)', (path) => {
	it.each(cases)('can use $name', async ({ resource, operation }) => {
		const parameters = { resource, operation: operation.value, ...filledByModel(operation) };
		const args = { ...known, ...ids[resource] };
		const { text, description } = await callTool(sandbox, { parameters, args, path });
		expect(description).not.toBe('');
		expect(text).not.toMatch(/undefined|\[object|NaN/);
		// Not on the server that is played: the answer says so, and names the route.
		if (['agent getMany', 'agent getThread'].includes(`${resource} ${operation.value}`)) {
			expect(text).toContain('not available on this server');
			return;
		}
		const items = JSON.parse(text) as IDataObject[] | IDataObject;
		const list = (Array.isArray(items) ? items : [items]).map((item) =>
			'response' in item ? (item.response as IDataObject) : item,
		);
		expect(list.length).toBeGreaterThan(0);
		for (const item of list.flat()) expect(item).not.toHaveProperty('error');
	});
});
