import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { PollingTrigger } from '../../engine/index.ts';
import { outcomeOf, pollingOn, startHostile } from './hostilePolls';
import type { Answer, Answering, HostileService } from './hostilePolls';

let service: HostileService;

beforeAll(async () => {
	service = await startHostile();
});
afterAll(() => service.stop());
beforeEach(() => {
	service.asked = [];
});

const trigger = async (
	event: string,
	parameters: INodeParameters = {},
	staticData: IDataObject = {},
): Promise<PollingTrigger> => await pollingOn(service, event, parameters, staticData);

const idOf = (at: number): string => `0197a0a0-0000-7000-8000-${String(at).padStart(12, '0')}`;
const entry = (at: number, created_at: unknown) => ({
	id: idOf(at),
	endpoint: 'crawl',
	target: 'https://a.test',
	created_at,
});
const ended = { body: { success: true, status: 'completed', total: 0, completed: 0, data: [] } };
const going = { body: { success: true, status: 'scraping', total: 1, completed: 0, data: [] } };
/** The feed in parts of 100, newest first as it is given. */
const feedOf = (entries: unknown[], query: URLSearchParams): Answer => {
	const from = Number(query.get('cursor') ?? 0);
	const end = from + 100;
	const has_more = end < entries.length;
	return {
		body: {
			success: true,
			data: entries.slice(from, end),
			has_more,
			cursor: has_more ? String(end) : null,
		},
	};
};

describe('Job Finished, whatever the feed is like', () => {
	let feed: unknown[];
	let looks: Answering;
	beforeEach(() => {
		feed = [];
		looks = () => ended;
		service.answering = (path, query) => (path === '/v2/team/activity' ? feedOf(feed, query) : looks(path, query));
	});
	const told = async (polling: PollingTrigger): Promise<unknown[]> => {
		const outcome = await outcomeOf(polling);
		return typeof outcome === 'string' ? [outcome] : outcome.map(({ id }) => id);
	};
	const NOW = '2026-08-01T12:00:00.000Z';

	it('tells a job that comes late and out of order', async () => {
		const polling = await trigger('jobFinished');
		feed = [entry(1, NOW)];
		expect(await told(polling)).toEqual([]);
		feed = [entry(3, '2026-08-01T12:00:09.000Z'), entry(1, NOW)];
		expect(await told(polling)).toEqual([idOf(3)]);
		feed = [entry(3, '2026-08-01T12:00:09.000Z'), entry(2, '2026-08-01T12:00:07.000Z'), entry(1, NOW)];
		expect(await told(polling)).toEqual([idOf(2)]);
		expect(await told(polling)).toEqual([]);
	});

	it('is not led astray by a job of the future or without a time', async () => {
		const polling = await trigger('jobFinished');
		feed = [entry(1, '2099-01-01T00:00:00Z')];
		expect(await told(polling)).toEqual([]);
		feed = [...feed, entry(2, NOW)];
		expect(await told(polling)).toEqual([idOf(2)]);
		feed = [entry(3, 'just now'), ...feed];
		expect(await told(polling)).toEqual([idOf(3)]);
		expect(await told(polling)).toEqual([]);
	});

	it('tells every one of 1,200 jobs once that were started while n8n was down', async () => {
		const polling = await trigger('jobFinished');
		feed = [entry(0, NOW)];
		await polling.poll();
		const second = (at: number) => new Date(Date.parse(NOW) + at * 1000).toISOString();
		for (let at = 1; at <= 1200; at += 1) feed.unshift(entry(at, second(at)));
		const all: unknown[] = [];
		for (let polls = 0; polls < 14; polls += 1) all.push(...(await told(polling)));
		expect(new Set(all).size).toBe(all.length);
		expect(all).toHaveLength(1200);
	}, 60_000);

	it('does not take for new what was there before the first check, beyond its first part', async () => {
		const polling = await trigger('jobFinished');
		const second = (at: number) => new Date(Date.parse(NOW) + at * 1000).toISOString();
		for (let at = 1; at <= 250; at += 1) feed.unshift(entry(at, second(at)));
		expect(await told(polling)).toEqual([]);
		feed.unshift(entry(251, second(251)));
		expect(await told(polling)).toEqual([idOf(251)]);
		expect(await told(polling)).toEqual([]);
	});

	it('ends where the cursor repeats for ever', async () => {
		const polling = await trigger('jobFinished', { kinds: ['crawl'] });
		feed = [entry(1, NOW)];
		await polling.poll();
		service.answering = (path) =>
			path === '/v2/team/activity'
				? { body: { data: [entry(2, '2026-08-01T13:00:00Z')], has_more: true, cursor: 'again' } }
				: ended;
		expect(await told(polling)).toEqual([idOf(2)]);
		expect(service.asked.filter((path) => path === '/v2/team/activity').length).toBeLessThan(5);
	});

	it('one job that cannot be checked holds up no other', async () => {
		const polling = await trigger('jobFinished');
		await polling.poll();
		feed = [entry(2, NOW), entry(1, NOW)];
		looks = (path) => (path.endsWith(idOf(1)) ? { status: 403, body: { success: false, error: 'Closed' } } : ended);
		expect(await told(polling)).toEqual([idOf(2)]);
		looks = () => ended;
		expect(await told(polling)).toEqual([idOf(1)]);
	});

	it('one result that cannot be read holds up no other, and its job is told all the same', async () => {
		const polling = await trigger('jobFinished', { output: 'result' });
		await polling.poll();
		feed = [entry(3, NOW), entry(2, NOW), entry(1, NOW)];
		const page = { markdown: 'text', metadata: { sourceURL: 'https://a.test/', statusCode: 200 } };
		looks = (path) =>
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

	it('a result that cannot be read for a while is read by a later poll, at the third time told without', async () => {
		for (const failures of [1, 9]) {
			feed = [];
			const polling = await trigger('jobFinished', { output: 'result' });
			await polling.poll();
			feed = [entry(1, NOW)];
			const page = { markdown: 'x', metadata: { sourceURL: 'https://a.test/', statusCode: 200 } };
			const done = { success: true, status: 'completed', total: 1, completed: 1, data: [page] };
			let requests = 0;
			let failed = 0;
			// The first request of a poll is the check; the next reads the result.
			looks = () => {
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

	it.each([
		['no list', { mark: 'x' }],
		['lists of other things', { mark: { newest: 7, known: {}, running: [null, 3, { id: 5 }] } }],
		['null', { mark: null }],
	])('takes stored data of a wrong shape as far as it goes: %s', async (_name, wrong) => {
		feed = [entry(1, NOW)];
		const before = await trigger('jobFinished');
		await before.poll();
		const polling = await trigger('jobFinished', {}, { ...before.staticData(), ...wrong });
		expect(await told(polling)).toEqual([]);
		feed = [entry(2, '2026-08-01T13:00:00Z'), ...feed];
		expect(await told(polling)).toEqual([idOf(2)]);
		expect(await told(polling)).toEqual([]);
	});

	it('rubbish in the list is left out', async () => {
		const polling = await trigger('jobFinished');
		await polling.poll();
		feed = [null, 7, 'x', [], { id: 4 }, { ...entry(5, NOW), id: '../../etc' }, entry(6, NOW)];
		expect(await told(polling)).toEqual([idOf(6)]);
	});

	it('a job that has not ended waits', async () => {
		const polling = await trigger('jobFinished');
		await polling.poll();
		feed = [entry(1, NOW)];
		looks = () => going;
		expect(await told(polling)).toEqual([]);
		looks = () => ended;
		expect(await told(polling)).toEqual([idOf(1)]);
	});

	it.each([
		[{ which: 'ids', ids: idOf(1), kind: 'spaceship' }, /Kind/],
		[{ which: 'everything' }, /Jobs/],
		[{ kinds: 'crawl' }, /Kinds/],
		[{ output: 'story' }, /Output/],
	])('says what is wrong with the panel before anything is sent: %j', async (parameters, word) => {
		const polling = await trigger('jobFinished', parameters as INodeParameters);
		expect(await outcomeOf(polling)).toMatch(word);
		expect(service.asked).toEqual([]);
	});
});
