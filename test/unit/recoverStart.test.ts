import { Secrets } from '../../nodes/service/secrets/secrets';
import type { HttpCall, HttpOptions } from '../../nodes/service/http/transport';
import { batchScrapeJob, crawlJob, deepResearchJob } from '../../nodes/service/jobs/jobKinds';
import type { JobKind } from '../../nodes/service/jobs/jobKinds';
import type { LostStart, LostStartFinding } from '../../nodes/service/jobs/jobTask';
import { ServiceClient } from '../../nodes/service/limits/client';
import { SharedLimits } from '../../nodes/service/limits/sharedLimits';
import { StartRegister } from '../../nodes/service/limits/startRegister';
import { recoverStart } from '../../nodes/service/startRecovery/recoverStart';
import { httpResponse } from './httpResponse.ts';
import { VirtualTime } from './virtualTime.ts';

interface Row {
	id: string;
	endpoint?: string;
	target: string;
	created_at?: string;
}

/** The service's clock is three hours off. */
const OFFSET_MS = Date.UTC(2026, 10, 21, 20) + 3 * 3_600_000;

class Lists {
	readonly time = new VirtualTime();

	readonly limits = new SharedLimits();

	readonly seen: HttpOptions[] = [];

	rows: Row[] = [];

	/** What answers in place of the feed, or of all lists. */
	instead: (options: HttpOptions) => { status: number; text: string } | undefined = () => undefined;

	tellsTime = true;

	client(signal?: AbortSignal): ServiceClient {
		const { time, limits } = this;
		const baseUrl = 'https://service.example';
		const http: HttpCall = async (options) => await this.answer(options, signal);
		return new ServiceClient({ http, baseUrl, limits, time, secrets: new Secrets(''), signal });
	}

	/** A row of a job that begins at this time of ours, newest first. */
	add(id: string, target: string, atMs: number): void {
		const text = new Date(OFFSET_MS + atMs).toISOString();
		const created = `${text.replace('T', ' ').replace('Z', '')}+00`;
		this.rows.unshift({ id, target, created_at: created });
	}

	async find(
		lost: Partial<LostStart> & { body: Record<string, unknown> },
		kind: JobKind = deepResearchJob,
		client = this.client(),
	): Promise<LostStartFinding> {
		const { body, sentMs = this.time.now(), isFresh = true, register } = lost;
		const { lostMs = isFresh ? this.time.now() : -Infinity } = lost;
		const start = { method: 'POST', path: '/x', bucket: 'crawl', body } as const;
		return await recoverStart(
			{ kind, start, sentMs, lostMs, isFresh, ...(register && { register }) },
			client,
		);
	}

	private async answer(options: HttpOptions, signal?: AbortSignal) {
		this.seen.push(options);
		await this.time.sleep(20);
		if (signal?.aborted) throw Object.assign(new Error('Stopped'), { code: 'ERR_CANCELED' });
		const date = new Date(OFFSET_MS + this.time.now()).toUTCString();
		const headers: Record<string, string> = this.tellsTime ? { date } : {};
		const other = this.instead(options);
		if (other) return httpResponse({ ...other, headers });
		if (options.url.endsWith('/crawl/active')) {
			const crawls = this.rows.map(({ id, target, created_at }) => ({
				id,
				url: target,
				created_at,
			}));
			return httpResponse({ text: JSON.stringify({ success: true, crawls }), headers });
		}
		const from = Number(options.query?.cursor ?? 0);
		const data = this.rows.slice(from, from + 100);
		const hasMore = this.rows.length > from + 100;
		const body = { success: true, data, cursor: `${from + 100}`, has_more: hasMore };
		return httpResponse({ text: JSON.stringify(body), headers });
	}
}

const tides = { query: 'tides' };
let lists: Lists;

beforeEach(() => (lists = new Lists()));

it('has it by the service’s clock, looks once more at last, and tells its age', async () => {
	await lists.time.pass(10_000);
	lists.add('older', 'tides', 7000);
	lists.add('its', 'tides', 10_030);
	const finding = await lists.time.until(lists.find({ body: tides, sentMs: 10_000 }));
	// The service shows whole seconds.
	expect(finding).toEqual({ kind: 'found', id: 'its', ageMs: 14_970, evidence: 'addressAndTime' });
	expect(lists.time.now()).toBeLessThan(25_500);
	expect(lists.seen).toHaveLength(2);
	expect(lists.seen[0]?.query).toEqual({ endpoint: 'deep_research', limit: 100 });
});

it('takes nobody else’s for its own while its own may be behind on the list', async () => {
	lists.add('others', 'tides', 20);
	lists.time.at(9000, () => lists.add('its', 'tides', 30));
	const finding = await lists.time.until(lists.find({ body: tides }));
	expect(finding).toEqual({ kind: 'several', ids: expect.arrayContaining(['its', 'others']) });
});

it('keeps one that a list of what runs has no more at the last check', async () => {
	lists.instead = ({ url }) =>
		url.includes('/team/activity') ? { status: 404, text: '{"error":"no such route"}' } : undefined;
	lists.add('its', 'https://a.example/', 20);
	lists.time.at(8000, () => (lists.rows = []));
	const body = { url: 'https://a.example/', limit: 5 };
	const finding = await lists.time.until(lists.find({ body }, crawlJob));
	expect(finding).toMatchObject({ kind: 'found', id: 'its', evidence: 'addressAndTime' });
});

it('looks five times within about fifteen seconds for one that is listed late', async () => {
	lists.time.at(12_000, () => lists.add('late', 'tides', 0));
	const finding = await lists.time.until(lists.find({ body: tides }));
	expect(finding).toMatchObject({ kind: 'found', id: 'late' });
	expect(lists.seen).toHaveLength(5);
	expect(lists.time.now()).toBeLessThan(15_500);
});

it('names, at last, what a machine whose clock is 3.5 s behind lists', async () => {
	await lists.time.pass(10_000);
	lists.add('its', 'tides', 6500);
	const finding = await lists.time.until(lists.find({ body: tides }));
	expect(finding).toEqual({ kind: 'several', ids: ['its'] });
	expect(lists.time.now()).toBeGreaterThanOrEqual(25_000);
	lists = new Lists();
	await lists.time.pass(20_000);
	lists.add('older', 'tides', 13_000);
	expect(await lists.time.until(lists.find({ body: tides }))).toMatchObject({ kind: 'none' });
});

it('takes a reading that fails at last for no proof of what those before it did not show', async () => {
	lists.time.at(11_000, () => (lists.instead = () => ({ status: 502, text: '' })));
	const finding = await lists.time.until(lists.find({ body: tides }));
	expect(finding).toEqual({ kind: 'none', isProof: false });
});

it('reads the lists once for a thousand that wait together', async () => {
	const all = Array.from({ length: 1000 }, (_unused, index) => {
		lists.add(`job-${index}`, `question ${index}`, 10);
		return lists.find({ body: { query: `question ${index}` } });
	});
	const findings = await lists.time.until(Promise.all(all));
	expect(findings.map((one) => (one.kind === 'found' ? one.id : one.kind))).toEqual(
		all.map((_one, index) => `job-${index}`),
	);
	// Ten parts of the feed, for those who came first and for all who came meanwhile, and again at last.
	expect(lists.seen.length).toBeLessThanOrEqual(30);
});

it('gives a thousand that ask for the very same a job each', async () => {
	const all = Array.from({ length: 1000 }, (_unused, index) => {
		lists.add(`job-${index}`, 'tides', 10);
		return lists.find({ body: tides });
	});
	const findings = await lists.time.until(Promise.all(all));
	const ids = findings.map((one) => (one.kind === 'found' ? one.id : one.kind));
	expect(new Set(ids).size).toBe(1000);
});

it('reads as many parts of the feed as it needs, and no more', async () => {
	await lists.time.pass(600_000);
	for (let index = 0; index < 500; index++) lists.add(`old-${index}`, 'moon', index);
	lists.add('its', 'tides', 600_000);
	for (let index = 0; index < 150; index++) lists.add(`new-${index}`, 'sun', 600_001);
	const finding = await lists.time.until(lists.find({ body: tides, sentMs: 599_999 }));
	expect(finding).toMatchObject({ kind: 'found', id: 'its' });
	const oneReading = [undefined, '100'];
	expect(lists.seen.map(({ query }) => query?.cursor)).toEqual([...oneReading, ...oneReading]);
});

it('takes a list that leads back to itself for no proof', async () => {
	lists.instead = () => ({
		status: 200,
		text: '{"success":true,"data":[{"id":"x","target":"moon"}],"cursor":"again","has_more":true}',
	});
	const finding = await lists.time.until(lists.find({ body: tides }));
	expect(finding).toEqual({ kind: 'none', isProof: false });
});

it('takes absence from the feed for proof, but not where targets are hidden', async () => {
	const absent = await lists.time.until(lists.find({ body: tides }));
	expect(absent).toEqual({ kind: 'none', isProof: true });
	const sentMs = lists.time.now();
	lists.add('secret', '<redacted due to zero data retention>', sentMs);
	const hidden = await lists.time.until(lists.find({ body: tides, sentMs }));
	expect(hidden).toEqual({ kind: 'none', isProof: false });
});

it('knows a batch by its first URL; one with another of its URLs may be it', async () => {
	const urls = ['http://a.example', 'http://b.example'];
	lists.add('other', 'http://b.example', 0);
	await lists.time.pass(10_000);
	const doubt = await lists.time.until(lists.find({ body: { urls } }, batchScrapeJob));
	expect(doubt).toEqual({ kind: 'none', isProof: true });
	await lists.time.pass(10_000);
	const sentMs = lists.time.now();
	lists.add('maybe', 'http://b.example', sentMs);
	const maybe = await lists.time.until(lists.find({ body: { urls }, sentMs }, batchScrapeJob));
	expect(maybe).toEqual({ kind: 'none', isProof: false });
	await lists.time.pass(10_000);
	const nextMs = lists.time.now();
	lists.add('its', 'http://a.example/', nextMs);
	const its = await lists.time.until(
		lists.find({ body: { urls }, sentMs: nextMs }, batchScrapeJob),
	);
	expect(its).toMatchObject({ kind: 'found', id: 'its' });
});

it('does not look for URLs that were added to a batch: they make no job', async () => {
	const body = { urls: ['http://a.example'], appendToId: 'x' };
	const finding = await lists.time.until(lists.find({ body }, batchScrapeJob));
	expect(finding).toEqual({ kind: 'unknown' });
	expect(lists.seen).toEqual([]);
});

it.each([404, 401, 403, 400])('asks once where the feed is refused with %i', async (status) => {
	lists.instead = () => ({ status, text: '{"error":"no"}' });
	const finding = await lists.time.until(lists.find({ body: tides }));
	expect(finding).toEqual({ kind: 'unknown' });
	expect(lists.seen).toHaveLength(1);
});

it('finds a crawl among the running ones where there is no feed, which proves nothing', async () => {
	lists.instead = ({ url }) => (url.endsWith('/activity') ? { status: 404, text: '' } : undefined);
	lists.add('its', 'http://a.example/#x', 0);
	const found = lists.find({ body: { url: 'http://a.example/#x' } }, crawlJob);
	expect(await lists.time.until(found)).toMatchObject({ kind: 'found', id: 'its' });
	const absent = lists.find({ body: { url: 'http://b.example/' } }, crawlJob);
	expect(await lists.time.until(absent)).toEqual({ kind: 'none', isProof: false });
});

it('bears failures in passing', async () => {
	lists.add('its', 'tides', 0);
	let left = 4;
	lists.instead = () => (left-- > 0 ? { status: 502, text: '<html>' } : undefined);
	const finding = await lists.time.until(lists.find({ body: tides, sentMs: 0 }));
	expect(finding).toMatchObject({ kind: 'found', id: 'its' });
});

it.each(['{}', '[]', 'null', '{"data":5}', '{"success":false,"data":[]}', '<html>'])(
	'takes %s for no list',
	async (text) => {
		lists.instead = () => ({ status: 200, text });
		const finding = await lists.time.until(lists.find({ body: tides }));
		expect(finding).toEqual({ kind: 'unknown' });
	},
);

it('takes a list without the service’s time for none', async () => {
	lists.tellsTime = false;
	lists.add('its', 'tides', 0);
	expect(await lists.time.until(lists.find({ body: tides }))).toEqual({ kind: 'unknown' });
});

it('names all that it may be, at once, and takes none', async () => {
	lists.add('a', 'tides', 0);
	lists.add('b', 'tides', 0);
	const finding = await lists.time.until(lists.find({ body: tides }));
	expect(finding).toEqual({ kind: 'several', ids: ['b', 'a'] });
	expect(lists.seen).toHaveLength(1);
	expect(['a', 'b'].map((id) => lists.limits.register.isKnown(id))).toEqual([false, false]);
});

it('does not look for what no list has', async () => {
	const { listed, ...unlisted } = crawlJob;
	expect(listed).toBeDefined();
	const finding = await lists.time.until(lists.find({ body: { url: 'http://a' } }, unlisted));
	expect(finding).toEqual({ kind: 'unknown' });
	expect(lists.seen).toEqual([]);
});

it('tells how old one of long ago is', async () => {
	await lists.time.pass(10_000);
	lists.add('its', 'tides', 2000);
	const finding = await lists.time.until(lists.find({ body: tides, sentMs: 0, isFresh: false }));
	expect(finding).toEqual({ kind: 'found', id: 'its', ageMs: 8000, evidence: 'addressAndTime' });
	expect(lists.limits.register.isKnown('its')).toBe(true);
});

it('gives each of two earlier starts for the same its job in one reading', async () => {
	await lists.time.pass(10_000);
	lists.add('a', 'tides', 9500);
	lists.add('b', 'tides', 9600);
	const find = (sentMs: number) => lists.find({ body: tides, sentMs, isFresh: false });
	const findings = await lists.time.until(Promise.all([find(9000), find(8000)]));
	expect(findings.map((one) => (one.kind === 'found' ? one.id : one.kind)).sort()).toEqual([
		'a',
		'b',
	]);
	expect(lists.seen).toHaveLength(1);
});

it('reads back to the earliest of those that wait together', async () => {
	await lists.time.pass(600_000);
	lists.add('its', 'moon', 1000);
	for (let index = 0; index < 150; index++) lists.add(`new-${index}`, 'sun', 500_000);
	const late = lists.find({ body: tides, sentMs: 590_000, isFresh: false });
	const early = lists.find({ body: { query: 'moon' }, sentMs: 500, isFresh: false });
	expect(await lists.time.until(early)).toMatchObject({ kind: 'found', id: 'its' });
	expect(await lists.time.until(late)).toEqual({ kind: 'none', isProof: true });
	expect(lists.seen).toHaveLength(2);
});

it('leaves the jobs of others alone', async () => {
	lists.add('others', 'tides', 0);
	lists.limits.register.know('others', 0);
	expect(await lists.time.until(lists.find({ body: tides }))).toMatchObject({ kind: 'none' });
});

it('tells by the register that it is given whose they are', async () => {
	const register = new StartRegister();
	lists.add('others', 'tides', 0);
	register.know('others', 0);
	expect(await lists.time.until(lists.find({ body: tides, register }))).toMatchObject({
		kind: 'none',
	});
	lists.add('its', 'tides', lists.time.now());
	expect(await lists.time.until(lists.find({ body: tides, register }))).toMatchObject({
		id: 'its',
	});
	expect([register.isKnown('its'), lists.limits.register.isKnown('its')]).toEqual([true, false]);
});

it('waits for the start of another that asks for the same, whose job it may be', async () => {
	const arrived = lists.limits.register.begin({
		place: deepResearchJob.statusPath,
		target: 'tides',
	});
	await lists.time.pass(10_000);
	lists.add('others', 'tides', 10_000);
	lists.time.at(30_000, () => {
		lists.limits.register.know('others', 0);
		arrived();
	});
	expect(await lists.time.until(lists.find({ body: tides }))).toMatchObject({ kind: 'none' });
	expect(lists.time.now()).toBeGreaterThan(30_000);
	expect(lists.time.now()).toBeLessThan(31_500);
	// About once a second.
	expect(lists.seen.length).toBeLessThan(22);
});

it('does not wait for the start of another where there is no job yet', async () => {
	lists.limits.register.begin({ place: deepResearchJob.statusPath, target: 'tides' });
	expect(await lists.time.until(lists.find({ body: tides }))).toMatchObject({ kind: 'none' });
	expect(lists.time.now()).toBeLessThan(15_500);
});

it('looks as long as ever for its own job after the doubt is over', async () => {
	const arrived = lists.limits.register.begin({
		place: deepResearchJob.statusPath,
		target: 'tides',
	});
	lists.add('others', 'tides', 0);
	lists.time.at(1000, () => {
		lists.limits.register.know('others', 0);
		arrived();
	});
	lists.time.at(4000, () => lists.add('its', 'tides', 4000));
	expect(await lists.time.until(lists.find({ body: tides }))).toMatchObject({ id: 'its' });
});

it('names the job at last when the other start never comes to an end', async () => {
	lists.limits.register.begin({ place: deepResearchJob.statusPath, target: 'tides' });
	lists.add('whose', 'tides', 0);
	const finding = await lists.time.until(lists.find({ body: tides }));
	expect(finding).toEqual({ kind: 'several', ids: ['whose'] });
	expect(lists.time.now()).toBeLessThan(155_000);
});

it('reads for itself when the execution that was reading is stopped', async () => {
	const stop = new AbortController();
	lists.time.at(510, () => stop.abort());
	lists.add('its', 'tides', 0);
	const stopped = lists.find({ body: { query: 'x' } }, deepResearchJob, lists.client(stop.signal));
	const other = lists.find({ body: tides });
	expect(await lists.time.until(other)).toMatchObject({ kind: 'found', id: 'its' });
	expect(await lists.time.until(stopped)).toEqual({ kind: 'unknown' });
});

it('looks again, also for one of long ago, when the reading was that of a stopped one', async () => {
	await lists.time.pass(10_000);
	lists.add('its', 'tides', 9000);
	const stop = new AbortController();
	lists.time.at(10_010, () => stop.abort());
	const earlier = { sentMs: 8000, isFresh: false };
	const client = lists.client(stop.signal);
	const stopped = lists.find({ body: { query: 'x' }, ...earlier }, deepResearchJob, client);
	const other = lists.find({ body: tides, ...earlier });
	expect(await lists.time.until(other)).toMatchObject({ kind: 'found', id: 'its' });
	expect(await lists.time.until(stopped)).toEqual({ kind: 'unknown' });
	expect(lists.time.now()).toBeLessThan(10_100);
});

it('looks once for one of long ago, and takes nothing older than the feed for missing', async () => {
	const DAY_MS = 24 * 3_600_000;
	const body = tides;
	const recent = await lists.time.until(lists.find({ body, sentMs: -DAY_MS / 2, isFresh: false }));
	expect(recent).toEqual({ kind: 'none', isProof: true });
	expect(lists.seen).toHaveLength(1);
	const older = await lists.time.until(lists.find({ body, sentMs: -DAY_MS, isFresh: false }));
	expect(older).toEqual({ kind: 'none', isProof: false });
});
