import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { PollingTrigger } from '../../tools/n8n-engine/index.ts';
import { packHashes, shortHash } from '../../nodes/WebDataPollTrigger/marks/hashes';
import { outcomeOf, pollingOn, startHostile } from './hostilePolls';
import type { Answer, Answering, HostileService } from './hostilePolls';

// Job Finished reaches every job, tells each once, and takes no lag of the service for an end.

const MINUTE_MS = 60_000;
const trueNow = Date.now.bind(Date);
let offsetMs = 0;
let service: HostileService;

beforeAll(async () => {
	service = await startHostile();
});

interface Listed {
	id: string;
	endpoint: string;
	target: string;
	created_at: string;
}
const idOf = (at: number): string => `0197a0a0-0000-4000-8000-${String(at).padStart(12, '0')}`;
const startOf = (at: number): string => new Date(trueNow() - 3_600_000 + at * 1000).toISOString();
const entry = (at: number, endpoint = 'crawl'): Listed => ({
	id: idOf(at),
	endpoint,
	target: 'https://a.test',
	created_at: startOf(at),
});
const entryAt = (at: number, created_at: unknown) => ({ ...entry(at), created_at });
const ended = { body: { success: true, status: 'completed', total: 0, completed: 0, data: [] } };
const going = { body: { success: true, status: 'scraping', total: 1, completed: 0, data: [] } };
const broken = { status: 500, body: { success: false, error: 'Internal error' } };
const unknown = { status: 404, body: { success: false, error: 'Job not found' } };

/** Newest first, as the service lists it: by endpoint, in parts. */
let feed: unknown[];
let statusOf: Answering;
const isFeed = (path: string): boolean => path === '/v2/team/activity';

function listed(query: URLSearchParams): Answer {
	const endpoint = query.get('endpoint');
	const entries = endpoint ? feed.filter((one) => (one as Listed | null)?.endpoint === endpoint) : feed;
	const from = Number(query.get('cursor') ?? 0);
	const end = from + Number(query.get('limit') ?? 50);
	const has_more = end < entries.length;
	const cursor = has_more ? String(end) : null;
	return { body: { success: true, data: entries.slice(from, end), has_more, cursor } };
}

beforeEach(() => {
	offsetMs = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => trueNow() + offsetMs);
	feed = [];
	statusOf = () => ended;
	service.asked = [];
	service.answering = (path, query) => (isFeed(path) ? listed(query) : statusOf(path, query));
});

const trigger = async (
	parameters: INodeParameters = {},
	staticData: IDataObject = {},
	apiKey?: string,
): Promise<PollingTrigger> => await pollingOn(service, 'jobFinished', parameters, staticData, apiKey ? { apiKey } : {});

/** What so many polls report, by ID; an error as its text. */
const told = async (polling: PollingTrigger, polls = 1): Promise<unknown[]> => {
	const all: unknown[] = [];
	for (let poll = 0; poll < polls; poll += 1) {
		const outcome = await outcomeOf(polling);
		all.push(...(typeof outcome === 'string' ? [outcome] : outcome.map(({ id }) => id)));
	}
	return all;
};

describe('the time of a poll', () => {
	const jobs = Array.from({ length: 12 }, (_unused, at) => idOf(at));
	const parameters = { which: 'ids', kind: 'crawl', ids: jobs.join('\n') };

	it('of a slow service ends in time, and the next goes on where it ended', async () => {
		const polling = await trigger({ ...parameters, jobOutput: 'job' });
		statusOf = () => ({ ...ended, delayMs: 5000 });
		const all: unknown[] = [];
		for (let polls = 0; polls < 5; polls += 1) {
			const beganMs = performance.now();
			all.push(...(await told(polling)));
			expect(performance.now() - beganMs).toBeLessThanOrEqual(25_000);
		}
		expect([...all].sort()).toEqual(jobs);
	});

	it('of one that refuses for its limits is no longer, and that is said', async () => {
		// What is learned of its limits is kept for this key alone.
		const polling = await trigger(parameters, {}, 'fc-refused');
		statusOf = () => ({ status: 429, body: { success: false, error: 'Too many' } });
		const beganMs = performance.now();
		expect(await outcomeOf(polling)).toContain('refuses more requests');
		expect(performance.now() - beganMs).toBeLessThanOrEqual(25_000);
	});
});

describe('jobs whose state cannot be read', () => {
	const BROKEN = [1, 2, 3].map(idOf);
	const isBroken = (path: string): boolean => BROKEN.some((id) => path.endsWith(id));

	it('three that always fail hold up none of the five behind them, and no poll', async () => {
		const polling = await trigger();
		expect(await told(polling)).toEqual([]);
		feed = [8, 7, 6, 5, 4, 3, 2, 1].map((at) => entry(at));
		statusOf = (path) => (isBroken(path) ? broken : ended);
		const beganMs = performance.now();
		expect(await told(polling)).toEqual([4, 5, 6, 7, 8].map(idOf));
		expect(performance.now() - beganMs).toBeLessThan(10_000);
	});

	it('they are named once where no state can be read, and told when theirs can be', async () => {
		const polling = await trigger();
		await told(polling);
		feed = [3, 2, 1].map((at) => entry(at));
		statusOf = () => broken;
		const [error, ...others] = [await outcomeOf(polling), await outcomeOf(polling), await outcomeOf(polling)];
		for (const id of BROKEN) expect(error).toContain(id);
		expect(others).toEqual([[], []]);
		statusOf = () => ended;
		expect(((await told(polling)) as string[]).sort()).toEqual(BROKEN);
	});

	it('120 that always fail do not keep the one behind them', async () => {
		const polling = await trigger();
		await told(polling);
		feed = Array.from({ length: 121 }, (_, at) => entry(121 - at));
		statusOf = (path) => (path.endsWith(idOf(121)) ? ended : broken);
		const all: unknown[] = [];
		for (let polls = 0; polls < 4; polls += 1) all.push(...(await told(polling)));
		expect(all).toContain(idOf(121));
	}, 60_000);

	it('one that cannot be read for a day is told with the reason', async () => {
		const polling = await trigger();
		await told(polling);
		feed = [entry(1)];
		statusOf = () => broken;
		await outcomeOf(polling);
		offsetMs = 25 * 60 * MINUTE_MS;
		feed = [];
		let outcome = await outcomeOf(polling);
		if (typeof outcome === 'string') outcome = await outcomeOf(polling);
		expect(outcome).toMatchObject([
			{ id: idOf(1), status: 'unknown', reason: expect.stringContaining('Internal error') },
		]);
		expect(await told(polling)).toEqual([]);
	});
});

describe('the list of what was started', () => {
	it('a crawl behind 120 newer scrapes is seen', async () => {
		feed = [...Array.from({ length: 120 }, (_, at) => entry(200 - at, 'scrape')), entry(1)];
		statusOf = () => going;
		const polling = await trigger();
		expect(await told(polling)).toEqual([]);
		statusOf = () => ended;
		expect(await told(polling)).toEqual([idOf(1)]);
		expect(await told(polling)).toEqual([]);
	});

	it('a later part that is refused is said, since the jobs in it would be left out', async () => {
		const polling = await trigger();
		expect(await told(polling)).toEqual([]);
		feed = Array.from({ length: 150 }, (_, at) => entry(200 - at));
		service.answering = (path, query) => {
			if (isFeed(path) && query.has('cursor'))
				return { status: 400, body: { success: false, error: 'Invalid cursor' } };
			return isFeed(path) ? listed(query) : ended;
		};
		expect(await told(polling)).toEqual([expect.stringContaining('Invalid cursor')]);
		service.answering = (path, query) => (isFeed(path) ? listed(query) : ended);
		const ends = [...(await told(polling)), ...(await told(polling))];
		expect(new Set(ends).size).toBe(150);
	});

	it.each([
		['that is unknown', { status: 404, body: { success: false, error: 'Not Found' } }],
		['without a database', { status: 500, body: { success: false, error: 'Failed to fetch activity.' } }],
	])(
		'says what to do on a server %s',
		async (_name, answer) => {
			service.answering = () => answer;
			const polling = await trigger();
			expect(await outcomeOf(polling)).toMatch(/choose List of IDs/);
		},
		60_000,
	);
});

describe('a list of IDs', () => {
	it('an id that is added is told, the others are not told again', async () => {
		const first = await trigger({ which: 'ids', ids: [1, 2].map(idOf).join('\n') });
		await told(first);
		expect(await told(first)).toEqual([idOf(1), idOf(2)]);
		const ids = [3, 1, 2].map(idOf).join('\n');
		const more = await trigger({ which: 'ids', ids }, first.staticData());
		expect(await told(more)).toEqual([idOf(3)]);
		expect(await told(more)).toEqual([]);
	});
});

describe('a job that the service denies for a while', () => {
	const poll404 = async (which: INodeParameters) => {
		const polling = await trigger(which);
		if (which.which === undefined) await told(polling);
		feed = [entry(1)];
		if (which.which !== undefined) await told(polling);
		return polling;
	};

	it.each([
		['of the account', {}],
		['of a list', { which: 'ids', ids: idOf(1) }],
	])('one 404 is no end: its real end is told (%s)', async (_name, which) => {
		const polling = await poll404(which as INodeParameters);
		statusOf = () => unknown;
		expect(await told(polling)).toEqual([]);
		offsetMs += MINUTE_MS;
		statusOf = () => going;
		expect(await told(polling)).toEqual([]);
		statusOf = () => unknown;
		expect(await told(polling)).toEqual([]);
		offsetMs += MINUTE_MS;
		statusOf = () => ended;
		expect(await outcomeOf(polling)).toMatchObject([{ id: idOf(1), status: 'completed' }]);
		expect(await told(polling)).toEqual([]);
	});
});

describe('whatever the list is like', () => {
	const NOW = '2026-08-01T12:00:00.000Z';

	it('is not led astray by a job of the future or without a time', async () => {
		const polling = await trigger();
		feed = [entryAt(1, '2099-01-01T00:00:00Z')];
		expect(await told(polling)).toEqual([]);
		feed = [...feed, entryAt(2, NOW)];
		expect(await told(polling)).toEqual([idOf(2)]);
		feed = [entryAt(3, 'just now'), ...feed];
		expect(await told(polling)).toEqual([idOf(3)]);
		expect(await told(polling)).toEqual([]);
	});

	it('tells every one of 1,200 jobs once that were started while n8n was down', async () => {
		const polling = await trigger();
		feed = [entryAt(0, NOW)];
		await polling.poll();
		const second = (at: number) => new Date(Date.parse(NOW) + at * 1000).toISOString();
		for (let at = 1; at <= 1200; at += 1) feed.unshift(entryAt(at, second(at)));
		const all: unknown[] = [];
		for (let polls = 0; polls < 14; polls += 1) all.push(...(await told(polling)));
		expect(new Set(all).size).toBe(all.length);
		expect(all).toHaveLength(1200);
	}, 60_000);

	it('ends where the cursor repeats for ever', async () => {
		const polling = await trigger({ kinds: ['crawl'] });
		feed = [entryAt(1, NOW)];
		await polling.poll();
		service.answering = (path) =>
			path === '/v2/team/activity'
				? { body: { data: [entryAt(2, '2026-08-01T13:00:00Z')], has_more: true, cursor: 'again' } }
				: ended;
		expect(await told(polling)).toEqual([idOf(2)]);
		expect(service.asked.filter((path) => path === '/v2/team/activity').length).toBeLessThan(5);
	});

	it('one result that cannot be read holds up no other, and its job is told all the same', async () => {
		const polling = await trigger({ output: 'result' });
		await polling.poll();
		feed = [entryAt(3, NOW), entryAt(2, NOW), entryAt(1, NOW)];
		const page = { markdown: 'text', metadata: { sourceURL: 'https://a.test/', statusCode: 200 } };
		statusOf = (path) =>
			path.includes(idOf(2))
				? ended
				: { body: { success: true, status: 'completed', total: 1, completed: 1, data: [page] } };
		const items = await outcomeOf(polling);
		expect(items).toHaveLength(3);
		expect(items).toContainEqual(
			expect.objectContaining({
				id: idOf(2),
				status: 'completed',
				reason: expect.stringContaining('without a page'),
			}),
		);
		expect(await told(polling)).toEqual([]);
	});

	it('an agent that has stopped at its limit is told with what it had', async () => {
		const polling = await trigger({ output: 'result' });
		await polling.poll();
		feed = [{ ...entryAt(1, NOW), endpoint: 'agent' }];
		const body = { success: true, status: 'failed', partial: { price: 9 }, stopReason: 'credit_limit_reached' };
		statusOf = () => ({ body });
		expect(await outcomeOf(polling)).toEqual([
			expect.objectContaining({ id: idOf(1), data: { price: 9 }, isPartial: true, status: 'failed' }),
		]);
	});

	it('a result that cannot be read for a while is read by a later poll, at the third time told without', async () => {
		for (const failures of [1, 9]) {
			feed = [];
			const polling = await trigger({ output: 'result' });
			await polling.poll();
			feed = [entryAt(1, NOW)];
			const page = { markdown: 'x', metadata: { sourceURL: 'https://a.test/', statusCode: 200 } };
			const done = { success: true, status: 'completed', total: 1, completed: 1, data: [page] };
			let requests = 0;
			let failed = 0;
			// The first request of a poll is the check; the next reads the result.
			statusOf = () => {
				requests += 1;
				if (requests !== 2 || failed >= failures) return { body: done };
				failed += 1;
				return { status: 403, body: { success: false, error: 'Closed' } };
			};
			const outcomes: unknown[] = [];
			for (let polls = 0; polls < 4; polls += 1) {
				requests = 0;
				outcomes.push(await outcomeOf(polling));
			}
			expect(outcomes).toEqual(
				failures === 1
					? [[], [expect.objectContaining({ markdown: 'x' })], [], []]
					: [[], [], [expect.objectContaining({ id: idOf(1), status: 'completed' })], []],
			);
		}
	});

	it('puts out all pages of a very large job', async () => {
		const polling = await trigger({ output: 'result' });
		await polling.poll();
		feed = [entryAt(1, NOW)];
		const count = 150_000;
		const data = Array.from({ length: count }, (_unused, at) => ({ markdown: String(at) }));
		statusOf = () => ({ body: { success: true, status: 'completed', total: count, completed: count, data } });
		const items = await polling.poll();
		expect(items).toHaveLength(count);
		expect(items?.at(-1)?.json.markdown).toBe(String(count - 1));
	});

	it('rubbish in the list is left out', async () => {
		const polling = await trigger();
		await polling.poll();
		feed = [null, 7, 'x', [], { id: 4 }, { ...entryAt(5, NOW), id: '../../etc' }, entryAt(6, NOW)];
		expect(await told(polling)).toEqual([idOf(6)]);
	});

	it.each([
		[{ which: 'ids', ids: idOf(1), kind: 'spaceship' }, /Kind/],
		[{ which: 'everything' }, /Jobs/],
		[{ kinds: 'crawl' }, /Kinds/],
		[{ output: 'story' }, /Output/],
	])('says what is wrong with the panel before anything is sent: %j', async (parameters, word) => {
		const polling = await trigger(parameters as INodeParameters);
		expect(await outcomeOf(polling)).toMatch(word);
		expect(service.asked).toEqual([]);
	});
});

describe('where there are many jobs, or another key', () => {
	let endedIds: Set<string>;
	beforeEach(() => {
		endedIds = new Set();
		statusOf = (path) => {
			const status = endedIds.has(path.split('/').at(-1) ?? '') ? 'completed' : 'processing';
			return { body: { success: true, status, total: 0, completed: 0, data: [] } };
		};
	});
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
	const end = (ids: string[]): void => ids.forEach((id) => endedIds.add(id));

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
});
