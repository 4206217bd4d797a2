import { crawlJob, deepResearchJob, monitorCheck } from '../../nodes/service/jobs/jobKinds';
import type { JobListing } from '../../nodes/service/jobs/jobListings';
import type { HttpOptions } from '../../nodes/service/http/transport';
import { readLists } from '../../nodes/service/startRecovery/listings';
import type { Listing } from '../../nodes/service/startRecovery/listings';
import { scriptedClient } from './scriptedClient.ts';
import type { ScriptedAnswer } from './scriptedClient.ts';

const AT = Date.UTC(2026, 10, 21, 20);
const DAY_MS = 24 * 3_600_000;
const headers = { date: new Date(AT).toUTCString() };
const at = (ms: number) => new Date(AT + ms).toISOString();

/** Reads the lists of a kind of job since ten seconds ago, from what the service says. */
async function read(
	answer: (options: HttpOptions, count: number) => ScriptedAnswer,
	listed: JobListing | undefined = deepResearchJob.listed,
	stopAtMs?: number,
) {
	if (!listed) throw new Error('It has no list');
	const stop = new AbortController();
	const script = (options: HttpOptions, count: number) => ({ headers, ...answer(options, count) });
	const { client, seen, time } = scriptedClient(script, { signal: stop.signal });
	await time.pass(100_000);
	if (stopAtMs !== undefined) time.at(stopAtMs, () => stop.abort());
	const reading = await time.until(readLists(listed, 90_000, client));
	return { reading, seen, time };
}
const listingOf = ({ reading }: Awaited<ReturnType<typeof read>>): Listing => {
	if ('failed' in reading) throw new Error(`It has failed: ${reading.failed}`);
	return reading.listing;
};
const idsOf = ({ byTarget }: Listing) => [...byTarget.values()].flat().map(({ id }) => id);
const row = (id: string, ms = 0, target = 'tides') => ({ id, target, created_at: at(ms) });

it('has what was started, by target, back to a day before', async () => {
	const { byTarget, clock, completeSinceMs } = listingOf(
		await read(() => ({
			body: { data: [row('a'), row('b', 5), row('c', 0, 'http://A.example')], has_more: false },
		})),
	);
	expect([...byTarget]).toEqual([
		[
			'tides',
			[
				{ id: 'a', target: 'tides', beganMs: AT },
				{ id: 'b', target: 'tides', beganMs: AT + 5 },
			],
		],
		['http://a.example/', [{ id: 'c', target: 'http://A.example', beganMs: AT }]],
	]);
	expect(clock).toEqual({ dateMs: AT, receivedMs: 100_010 });
	expect(completeSinceMs).toBe(100_010 - DAY_MS);
});

it('reads a job by its ID and its dates as far as they are told', async () => {
	const id = '0193a2b3-c4d5-7abc-8def-0123456789ab';
	const { byTarget } = listingOf(
		await read(() => ({
			body: {
				data: [
					{ id, target: 'tides', created_at: at(0) },
					{ id: 'camel', target: 'tides', createdAt: at(7) },
					{ id: 'undated', target: 'tides' },
					{ id: 'untold', target: 5, created_at: at(0) },
					{ id: '../x', target: 'tides' },
					{ target: 'tides' },
					null,
				],
			},
		})),
	);
	expect(byTarget.get('tides')).toEqual([
		{ id, target: 'tides', beganMs: 0x0193a2b3c4d5 },
		{ id: 'camel', target: 'tides', beganMs: AT + 7 },
		{ id: 'undated', target: 'tides', beganMs: undefined },
	]);
	expect(byTarget.get('')).toMatchObject([{ id: 'untold' }]);
});

describe('the parts of a list', () => {
	const more = { cursor: 'c', has_more: true };

	it('are read until one has a job of before', async () => {
		const result = await read((_options, count) => ({
			body: { data: [row(`a${count}`, count === 3 ? -30_000 : 0)], ...more, cursor: `c${count}` },
		}));
		expect(idsOf(listingOf(result))).toEqual(['a1', 'a2', 'a3']);
		expect(result.seen.map(({ query }) => query)).toEqual([
			{ endpoint: 'deep_research', limit: 100 },
			{ endpoint: 'deep_research', limit: 100, cursor: 'c1' },
			{ endpoint: 'deep_research', limit: 100, cursor: 'c2' },
		]);
		expect(listingOf(result).completeSinceMs).toBe(100_010 - DAY_MS);
	});

	it('are all told of in the end, a job that stands in two of them once', async () => {
		const listing = listingOf(
			await read((_options, count) => ({
				body: {
					data: count === 1 ? [row('a'), row('b')] : [row('b'), row('c')],
					cursor: 'c',
					has_more: count === 1,
				},
			})),
		);
		expect(idsOf(listing)).toEqual(['a', 'b', 'c']);
	});

	it.each([
		['one that is asked for already', { body: { data: [row('b')], ...more } }],
		['one without jobs', { body: { data: [], cursor: 'd' } }],
		['what is no list', { body: { data: 'x', cursor: 'd' } }],
	])('prove nothing when they lead to %s', async (_what, second) => {
		const first = { body: { data: [row('a')], ...more } };
		const result = await read((_options, count) => (count === 1 ? first : second));
		const listing = listingOf(result);
		expect(result.seen).toHaveLength(2);
		expect(listing.completeSinceMs).toBe(Infinity);
		expect(idsOf(listing)).toContain('a');
	});

	it('are a hundred at most, and prove nothing then', async () => {
		const result = await read((_options, count) => ({
			body: { data: [row(`a${count}`)], cursor: `c${count}`, has_more: true },
		}));
		expect(result.seen).toHaveLength(100);
		expect(listingOf(result).completeSinceMs).toBe(Infinity);
		expect(idsOf(listingOf(result))).toHaveLength(100);
	});

	it('of the checks of a monitor are asked for by how many there were', async () => {
		const data = (from: number, length: number) =>
			Array.from({ length }, (_unused, index) => ({
				id: `c${from + index}`,
				trigger: 'manual',
				createdAt: at(0),
			}));
		const result = await read(
			(_options, count) => ({ body: { data: data(count * 100, count < 3 ? 100 : 20) } }),
			monitorCheck.listed,
		);
		expect(result.seen.map(({ query }) => query?.offset)).toEqual([undefined, 100, 200]);
		expect(listingOf(result).byTarget.get('manual')).toHaveLength(220);
	});
});

describe('a list that is not to be had', () => {
	it.each([
		[400, 'refused', 1],
		[401, 'refused', 1],
		[404, 'refused', 1],
		[499, 'refused', 1],
		[501, 'refused', 3],
		[408, 'passing', 3],
		[500, 'passing', 3],
		[502, 'passing', 3],
	])('with %i is %s, after %i requests', async (status, failed, requests) => {
		const { reading, seen } = await read(() => ({ status, body: { error: 'No' } }));
		expect(reading).toEqual({ failed });
		expect(seen).toHaveLength(requests);
		for (const { timeoutMs } of seen) expect(timeoutMs).toBe(10_000);
	});

	it.each([
		['no list', { body: { data: {} } }],
		['without a time', { body: { data: [] }, headers: {} }],
		['no success', { body: { success: false, data: [] } }],
		['a web page', { body: '<html>' }],
	])('because it is %s may be one later', async (_what, said) => {
		expect((await read(() => said)).reading).toEqual({ failed: 'passing' });
	});

	it('because the limits are used up is refused for now only', async () => {
		const { reading, time } = await read(() => ({ status: 429, body: { error: 'No' } }));
		expect(reading).toEqual({ failed: 'passing' });
		expect(time.now()).toBeLessThan(100_000 + 30 * 60_000);
	});

	it('is not asked for again when the execution is stopped', async () => {
		const said = { status: 500, body: {} };
		const { reading, seen } = await read(() => said, crawlJob.listed, 100_005);
		expect(reading).toEqual({ failed: 'stopped' });
		expect(seen).toHaveLength(1);
	});
});

describe('the list of those that run', () => {
	const isRunning = ({ url }: HttpOptions) => url.endsWith('/v2/crawl/active');
	const refused = { status: 404, body: '' };
	const running = {
		body: { success: true, crawls: [{ id: 'a', url: 'http://a.example', created_at: at(0) }] },
	};
	const first = { body: { success: true, data: [row('b')] } };
	const both = (of: ScriptedAnswer, some: ScriptedAnswer) => (options: HttpOptions) =>
		isRunning(options) ? some : of;

	it('serves where the other one is not to be had, and proves nothing', async () => {
		const result = await read(both(refused, running), crawlJob.listed);
		expect(idsOf(listingOf(result))).toEqual(['a']);
		expect(listingOf(result).byTarget.has('http://a.example/')).toBe(true);
		expect(listingOf(result).completeSinceMs).toBe(Infinity);
		expect(listingOf(result).hasEnded).toBe(false);
		expect(result.seen[0]).toMatchObject({ method: 'GET', timeoutMs: 10_000 });
		expect(result.seen[0]).not.toHaveProperty('query');
	});

	it('stands in for the other one while that is down, which is no word that there is none', async () => {
		const result = await read(both({ status: 502, body: '' }, running), crawlJob.listed);
		expect(idsOf(listingOf(result))).toEqual(['a']);
		expect(listingOf(result)).toMatchObject({ completeSinceMs: Infinity, hasEnded: true });
	});

	it('adds the options to what is in both', async () => {
		const options = { limit: 5 };
		const crawls = ['b', 'a'].map((id) => ({ id, url: 'http://a.example', options }));
		const result = await read(both(first, { body: { crawls } }), crawlJob.listed);
		const jobs = [...listingOf(result).byTarget.values()].flat();
		expect(jobs.map(({ id }) => id)).toEqual(['b', 'a']);
		expect(jobs.map((job) => job.options)).toEqual([options, options]);
	});

	it('is done without where it cannot be read', async () => {
		const result = await read(both(first, refused), crawlJob.listed);
		expect(idsOf(listingOf(result))).toEqual(['b']);
	});

	it.each([
		['refused', refused, refused, 'refused'],
		['down', refused, { status: 502, body: '' }, 'passing'],
		['refused, and the other down', { status: 502, body: '' }, refused, 'passing'],
	])('says when it is %s', async (_what, of, some, failed) => {
		expect((await read(both(of, some), crawlJob.listed)).reading).toEqual({ failed });
	});
});
