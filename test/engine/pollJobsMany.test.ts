import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { PollingTrigger } from '../../engine/index.ts';
import { packHashes, shortHash } from '../../nodes/WebDataPollTrigger/marks/hashes';
import { outcomeOf, pollingOn, startHostile } from './hostilePolls';
import type { HostileService } from './hostilePolls';

// Job Finished where there are many jobs, or another key: none of them is hidden or told twice.

let service: HostileService;
/** The newest first, as the service lists them. */
let feed: Array<{ id: string; endpoint: string; target: string; created_at: string }>;
let ended: Set<string>;

beforeAll(async () => {
	service = await startHostile();
});
afterAll(() => service.stop());
beforeEach(() => {
	feed = [];
	ended = new Set();
	service.asked = [];
	service.answering = (path, query) => {
		if (path === '/v2/team/activity') {
			const entries = feed.filter(({ endpoint }) => endpoint === query.get('endpoint'));
			const from = Number(query.get('cursor') ?? 0);
			const has_more = from + 100 < entries.length;
			const cursor = has_more ? String(from + 100) : null;
			const data = entries.slice(from, from + 100);
			return { body: { success: true, data, has_more, cursor } };
		}
		const status = ended.has(path.split('/').at(-1) ?? '') ? 'completed' : 'processing';
		return { body: { success: true, status, total: 0, completed: 0, data: [] } };
	};
});

const idOf = (at: number): string => `0197a0a0-0000-4000-8000-${String(at).padStart(12, '0')}`;
/** Lists jobs of a kind that are newer than all before, and gives their ids. */
const start = (endpoint: string, count: number): string[] => {
	const ids = Array.from({ length: count }, () => {
		const created_at = new Date(Date.now() - 3_600_000 + feed.length * 1000).toISOString();
		const id = idOf(feed.length);
		feed.unshift({ id, endpoint, target: 'https://a.test', created_at });
		return id;
	});
	return ids;
};
const end = (ids: string[]): void => ids.forEach((id) => ended.add(id));

const trigger = async (
	parameters: INodeParameters = {},
	staticData: IDataObject = {},
	apiKey = 'fc-first',
): Promise<PollingTrigger> => await pollingOn(service, 'jobFinished', parameters, staticData, { apiKey });

const told = async (polling: PollingTrigger, polls = 1): Promise<unknown[]> => {
	const all: unknown[] = [];
	for (let poll = 0; poll < polls; poll += 1) {
		const outcome = await outcomeOf(polling);
		all.push(...(typeof outcome === 'string' ? [outcome] : outcome.map(({ id }) => id)));
	}
	return all;
};

it('500 agents that never end hide none of the jobs after them', async () => {
	const polling = await trigger();
	await told(polling);
	start('agent', 500);
	expect(await told(polling, 7)).toEqual([]);
	const crawls = start('crawl', 5);
	end(crawls);
	expect(await told(polling)).toEqual(crawls);
}, 60_000);

it('180 jobs that run when the workflow is activated are all told, though they end before the second poll', async () => {
	const jobs = [...start('crawl', 90), ...start('extract', 90)];
	const polling = await trigger({ kinds: ['crawl', 'extract'] });
	expect(await told(polling)).toEqual([]);
	end(jobs);
	expect((await told(polling, 3)).sort()).toEqual(jobs);
}, 60_000);

it('a day of many extracts makes no crawl new again', async () => {
	const kinds = { kinds: ['crawl', 'extract'] };
	const polling = await trigger(kinds);
	await told(polling);
	const crawls = start('crawl', 150);
	end(crawls);
	expect((await told(polling, 2)).sort()).toEqual(crawls);
	const stored = polling.staticData() as { mark: { known: Record<string, string> } };
	const extracts = Array.from({ length: 10_000 }, (_, at) => shortHash(`extract ${at}`));
	stored.mark.known.extract = packHashes(extracts);
	const later = await trigger(kinds, stored);
	const [id] = start('crawl', 1);
	end([String(id)]);
	expect(await told(later, 2)).toEqual([id]);
}, 60_000);

it('of more than 1,000 jobs that run the oldest are given up, and named once', async () => {
	const polling = await trigger({ kinds: ['agent'] });
	await told(polling);
	const stored = polling.staticData() as { mark: { waiting: IDataObject[] } };
	stored.mark.waiting = Array.from({ length: 1002 }, (_, at) => ({
		...{ id: idOf(at), endpoint: 'agent', target: '', isChecked: true },
		startedAt: new Date(at * 1000).toISOString(),
	}));
	const later = await trigger({ kinds: ['agent'] }, stored);
	const [error, ...others] = [...(await told(later)), ...(await told(later))];
	expect(error).toContain(`the end of the oldest is not reported (${idOf(0)}, ${idOf(1)})`);
	expect(others).toEqual([]);
});

describe('a new key of the same account', () => {
	it('waits for the jobs that run then, and tells none twice', async () => {
		const first = await trigger({ kinds: ['crawl'] });
		await told(first);
		const old = start('crawl', 2);
		end(old);
		expect(await told(first)).toEqual(old);
		const running = start('crawl', 3);
		expect(await told(first)).toEqual([]);
		const second = await trigger({ kinds: ['crawl'] }, first.staticData(), 'fc-second');
		expect(await told(second)).toEqual([]);
		end(running);
		expect((await told(second, 2)).sort()).toEqual(running);
		expect(JSON.stringify(second.staticData())).not.toMatch(/fc-(first|second)/);
	});

	it('tells no job of a list of IDs again', async () => {
		const ids = start('crawl', 2);
		end(ids);
		const parameters = { which: 'ids', kind: 'crawl', ids: ids.join('\n') };
		const first = await trigger(parameters);
		expect(await told(first, 2)).toEqual(ids);
		const second = await trigger(parameters, first.staticData(), 'fc-second');
		expect(await told(second, 3)).toEqual([]);
	});
});
