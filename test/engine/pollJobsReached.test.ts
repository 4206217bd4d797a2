import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { PollingTrigger } from '../../engine/index.ts';
import { outcomeOf, pollingOn, startHostile } from './hostilePolls';
import type { Answer, Answering, HostileService } from './hostilePolls';

// Job Finished reaches every job, tells each once, and takes no lag of the service for an end.

const MINUTE_MS = 60_000;
const trueNow = Date.now.bind(Date);
let offsetMs = 0;
let service: HostileService;

beforeAll(async () => {
	service = await startHostile();
	vi.spyOn(Date, 'now').mockImplementation(() => trueNow() + offsetMs);
});
afterAll(() => {
	vi.restoreAllMocks();
	service.stop();
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
const ended = { body: { success: true, status: 'completed', total: 0, completed: 0, data: [] } };
const going = { body: { success: true, status: 'scraping', total: 1, completed: 0, data: [] } };
const broken = { status: 500, body: { success: false, error: 'Internal error' } };
const unknown = { status: 404, body: { success: false, error: 'Job not found' } };

/** Newest first, as the service lists it: by endpoint, in parts. */
let feed: Listed[];
let statusOf: Answering;
const isFeed = (path: string): boolean => path === '/v2/team/activity';

function listed(query: URLSearchParams): Answer {
	const endpoint = query.get('endpoint');
	const entries = endpoint ? feed.filter((one) => one.endpoint === endpoint) : feed;
	const from = Number(query.get('cursor') ?? 0);
	const end = from + Number(query.get('limit') ?? 50);
	const has_more = end < entries.length;
	const cursor = has_more ? String(end) : null;
	return { body: { success: true, data: entries.slice(from, end), has_more, cursor } };
}

beforeEach(() => {
	offsetMs = 0;
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

const told = async (polling: PollingTrigger): Promise<unknown[]> => {
	const outcome = await outcomeOf(polling);
	return typeof outcome === 'string' ? [outcome] : outcome.map(({ id }) => id);
};

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

	it('a kind that is added later begins then: its old jobs are not told, its running ones are', async () => {
		feed = [entry(3, 'agent'), entry(2, 'agent'), entry(1)];
		const crawls = await trigger({ kinds: ['crawl'] });
		expect(await told(crawls)).toEqual([]);
		statusOf = (path) => (path.endsWith(idOf(3)) ? { body: { success: true, status: 'processing' } } : ended);
		const both = await trigger({ kinds: ['crawl', 'agent'] }, crawls.staticData());
		feed = [entry(4), ...feed];
		expect(await told(both)).toEqual([idOf(4)]);
		statusOf = () => ended;
		expect(await told(both)).toEqual([idOf(3)]);
	});

	it('the jobs of another account begin a new mark: nothing old is told', async () => {
		feed = [entry(1)];
		const first = await trigger({}, {}, 'fc-first');
		expect(await told(first)).toEqual([]);
		feed = Array.from({ length: 80 }, (_, at) => entry(180 - at));
		const second = await trigger({}, first.staticData(), 'fc-second');
		expect(await told(second)).toEqual([]);
		feed = [entry(200), ...feed];
		expect(await told(second)).toEqual([idOf(200)]);
		expect(JSON.stringify(second.staticData())).not.toMatch(/fc-(first|second)/);
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

	it('a minute of 404 is its end', async () => {
		const polling = await poll404({ which: 'ids', ids: idOf(1) });
		feed = [];
		statusOf = () => unknown;
		expect(await told(polling)).toEqual([]);
		offsetMs += MINUTE_MS;
		expect(await outcomeOf(polling)).toMatchObject([{ id: idOf(1), status: 'not found' }]);
	});
});
