import { batchScrapeJob, crawlJob, deepResearchJob } from '../../nodes/service/jobs/jobKinds';
import { callWithOlderPath, PageErrorReader, readPageErrors } from '../../nodes/service/results/pageErrors';
import { failureOf } from './caught.ts';
import { scriptedClient } from './scriptedClient.ts';
import type { Script } from './scriptedClient.ts';

const FAILED = {
	id: 'scrape-1',
	timestamp: '2026-08-01T10:00:00.000Z',
	url: 'https://a.example/1',
	code: 'SCRAPE_TIMEOUT',
	error: 'Timed out',
};
const LIST = { errors: [FAILED], robotsBlocked: ['https://a.example/2'] };
const NO_ROUTE = { status: 404, body: '<html>Cannot GET</html>' };
const UNKNOWN_JOB = { status: 404, body: { success: false, error: 'Job not found' } };

describe('the list of pages that a job failed on', () => {
	const failed = {
		url: 'https://a.example/1',
		cause: 'failed',
		code: 'SCRAPE_TIMEOUT',
		message: 'Timed out',
		timestamp: '2026-08-01T10:00:00.000Z',
		id: 'scrape-1',
	};
	const blocked = {
		url: 'https://a.example/2',
		cause: 'robots',
		code: '',
		message: 'The robots.txt of the site forbids this page.',
		timestamp: null,
		id: null,
	};

	it('is read at the top level and in data, the top level first', () => {
		expect(readPageErrors(LIST)).toEqual([failed, blocked]);
		expect(readPageErrors({ success: true, data: LIST })).toEqual([failed, blocked]);
		expect(readPageErrors({ errors: [], data: LIST })).toEqual([blocked]);
		expect(readPageErrors({ robotsBlocked: [], data: LIST })).toEqual([failed]);
	});

	it('may have one of its two parts', () => {
		expect(readPageErrors({ errors: [FAILED] })).toEqual([failed]);
		expect(readPageErrors({ robotsBlocked: ['https://a.example/2'] })).toEqual([blocked]);
		expect(readPageErrors({ errors: [], robotsBlocked: [] })).toEqual([]);
	});

	it.each([{}, { data: [] }, { data: null }, { errors: 'none' }, { errors: {}, data: 5 }])(
		'is not there at all in %j',
		(body) => {
			expect(readPageErrors(body)).toBeUndefined();
		},
	);

	it('says of a page what is known, and leaves out what has no shape of a page', () => {
		const bare = { url: '', cause: 'failed', code: '', timestamp: null, id: null };
		const errors = [
			{ message: 'Told in another field' },
			{ error: '', message: '' },
			{ url: 5, code: null, error: {}, timestamp: 1, id: [] },
			'text',
			null,
		];
		expect(readPageErrors({ errors, robotsBlocked: ['', 5, null] })).toEqual([
			{ ...bare, message: 'Told in another field' },
			{ ...bare, message: 'The service gives no reason.' },
			{ ...bare, message: 'The service gives no reason.' },
		]);
	});

	it.each([
		["This URL is blocked by the website's robots.txt file, which instructs crawlers…", 'robots'],
		[
			"This URL's path (/robots.txt) does not match any of the regex patterns you provided in the includePaths parameter. Only…",
			'pathRule',
			'No pattern of Include Paths matches this page.',
		],
		[
			"This URL's path (/a) matches one of the regex patterns you provided in the excludePaths parameter. Only…",
			'pathRule',
			'A pattern of Exclude Paths matches this page.',
		],
		['INCLUDE_PATTERN', 'pathRule', 'No pattern of Include Paths matches this page.'],
		[
			'This URL matches the exclude pattern "/a/.*" you provided in the excludePaths parameter.',
			'pathRule',
			'A pattern of Exclude Paths matches this page.',
		],
		['EXTERNAL_LINK', 'pathRule', 'The page is on another site, and Allow External Links is off.'],
		['SECTION_LINK', 'pathRule', 'The link goes to a section of a page that is crawled anyway.'],
		['DEPTH_LIMIT', 'pathRule', 'The page is further from the start URL than Max Depth allows.'],
		['ROBOTS_TXT', 'robots', 'The robots.txt of the site forbids this page.'],
		['EXCLUDE_PATTERN', 'pathRule', 'A pattern of Exclude Paths matches this page.'],
		['We apologize, but this site is not supported.', 'unsupported', 'The service does not support this site.'],
		['Something else', 'failed'],
	])('tells by its text why a server left a page out: %s', (error, cause, message = error) => {
		const code = 'CRAWL_DENIAL';
		expect(readPageErrors({ errors: [{ ...FAILED, code, error }] })).toEqual([{ ...failed, code, cause, message }]);
	});

	it('takes the list of what robots.txt forbids for proof, whatever the text', () => {
		const denied = { ...FAILED, code: 'CRAWL_DENIAL', error: 'Denied' };
		expect(readPageErrors({ errors: [denied], robotsBlocked: [denied.url] })).toEqual([
			{ ...failed, code: 'CRAWL_DENIAL', cause: 'robots', message: 'Denied' },
		]);
	});

	it('believes such texts of no other error', () => {
		const other = { ...FAILED, error: 'No robots.txt, and the site is not supported' };
		expect(readPageErrors({ errors: [other] })).toMatchObject([{ cause: 'failed' }]);
	});
});

/** A reader of the errors of batches, and what it asks for. */
function reading(script: Script, kind = batchScrapeJob) {
	const scripted = scriptedClient(script);
	return { ...scripted, reader: new PageErrorReader(scripted.client, kind) };
}

const paths = (seen: Array<{ url: string }>) => seen.map(({ url }) => new URL(url).pathname);

describe('asking for it', () => {
	it('is one request for a job', async () => {
		const { reader, seen, time } = reading(() => ({ body: LIST }));
		const errors = await time.until(reader.read('job-1'));
		expect(errors?.map(({ url }) => url)).toEqual(['https://a.example/1', 'https://a.example/2']);
		expect(seen).toMatchObject([{ method: 'GET' }]);
		expect(paths(seen)).toEqual(['/v2/batch/scrape/job-1/errors']);
	});

	it('goes to the older path of older servers, and finds that out once for all jobs', async () => {
		const { reader, seen, time } = reading(({ url }) => (url.includes('/v2/') ? NO_ROUTE : { body: LIST }));
		expect(await time.until(reader.read('job-1'))).toHaveLength(2);
		expect(await time.until(reader.readOnce('job-2'))).toHaveLength(2);
		expect(paths(seen)).toEqual([
			'/v2/batch/scrape/job-1/errors',
			'/v1/batch/scrape/job-1/errors',
			'/v1/batch/scrape/job-2/errors',
		]);
	});

	it('is found out once, too, by jobs that ask at the same time', async () => {
		const { reader, seen, time } = reading(({ url }) => (url.includes('/v2/') ? NO_ROUTE : { body: LIST }));
		const both = await time.until(Promise.all([reader.read('job-1'), reader.read('job-2')]));
		expect(both.map((errors) => errors?.length)).toEqual([2, 2]);
		expect(paths(seen).slice(2)).toEqual(['/v1/batch/scrape/job-1/errors', '/v1/batch/scrape/job-2/errors']);
	});

	it('ends where no path is known any more, and nothing is asked from then on', async () => {
		const { reader, seen, time } = reading(() => NO_ROUTE);
		expect(await time.until(reader.read('job-1'))).toBeUndefined();
		expect(await time.until(reader.readOnce('job-1'))).toBeUndefined();
		expect(seen).toHaveLength(2);

		const without = reading(() => ({ body: LIST }), deepResearchJob);
		expect(await without.time.until(without.reader.read('job-1'))).toBeUndefined();
		expect(without.seen).toEqual([]);
	});

	it('takes the service’s own 404 for a word about the job, not about the route', async () => {
		const { reader, seen, time } = reading(() => UNKNOWN_JOB);
		const failure = await failureOf(() => time.until(reader.read('job-1')));
		expect(failure).toMatchObject({ httpCode: 404, notFound: true });
		expect(seen).toHaveLength(1);
		await failureOf(() => time.until(reader.read('job-2')));
		expect(paths(seen)[1]).toBe('/v2/batch/scrape/job-2/errors');
	});

	it('gives none for an answer without one', async () => {
		const { reader, time } = reading(() => ({ body: { success: true } }));
		expect(await time.until(reader.read('job-1'))).toBeUndefined();
	});

	it('is repeated when it fails, where somebody asked for the list', async () => {
		const { reader, seen, time } = reading((_options, count) => (count < 3 ? { status: 500 } : { body: LIST }));
		expect(await time.until(reader.read('job-1'))).toHaveLength(2);
		expect(seen).toHaveLength(3);
	});
});

describe('as a courtesy beside results that are there', () => {
	it('is tried once, for ten seconds at most, and costs nobody anything when it fails', async () => {
		const { reader, seen, time } = reading((_options, count) => (count === 1 ? { status: 500 } : { body: LIST }));
		expect(await time.until(reader.readOnce('job-1'))).toBeUndefined();
		expect(seen).toMatchObject([{ timeoutMs: 10_000 }]);
		// One that failed says nothing about the next.
		expect(await time.until(reader.readOnce('job-2'))).toHaveLength(2);
	});

	it('is not tried again after a refusal for the limits, also when the pause is over', async () => {
		const { reader, seen, time } = reading(() => ({ status: 429, body: { error: 'Too many' } }));
		expect(await time.until(reader.readOnce('job-1'))).toBeUndefined();
		await time.pass(3_600_000);
		expect(await time.until(reader.readOnce('job-2'))).toBeUndefined();
		expect(seen).toHaveLength(1);
	});

	it('is not tried in a pause that somebody else was told to keep', async () => {
		const { limits, reader, seen, time } = reading(() => ({ body: LIST }), crawlJob);
		limits.pauses.refused('crawlStatus', time.now(), 30_000, 0);
		expect(await time.until(reader.readOnce('job-1'))).toBeUndefined();
		expect(seen).toEqual([]);
		await time.pass(30_000);
		expect(await time.until(reader.readOnce('job-1'))).toHaveLength(2);
	});

	it('ends with the execution when that is stopped', async () => {
		const stop = new AbortController();
		const { client, time } = scriptedClient(() => ({ body: LIST }), { signal: stop.signal });
		stop.abort();
		const reader = new PageErrorReader(client, crawlJob);
		expect((await failureOf(() => time.until(reader.readOnce('job-1')))).kind).toBe('aborted');
	});
});

describe('a request with an older path', () => {
	const request = { method: 'GET', path: '/v2/x', bucket: 'other' } as const;
	const onlyOld: Script = ({ url }) => (url.endsWith('/v2/x') ? NO_ROUTE : { body: { a: 1 } });

	it('goes there where the server does not have the new one', async () => {
		const { client, seen, time } = scriptedClient(onlyOld);
		expect(await time.until(callWithOlderPath(client, request, '/v1/x'))).toEqual({ a: 1 });
		expect(paths(seen)).toEqual(['/v2/x', '/v1/x']);
	});

	it('fails as it does where there is no older one, and for any other reason', async () => {
		const { client, time } = scriptedClient(onlyOld);
		const failure = await failureOf(() => time.until(callWithOlderPath(client, request, undefined)));
		expect(failure.message).toContain('GET /v2/x gives 404');

		for (const answer of [UNKNOWN_JOB, { status: 402 }]) {
			const other = scriptedClient(() => answer);
			const call = callWithOlderPath(other.client, request, '/v1/x');
			expect((await failureOf(() => other.time.until(call))).httpCode).toBe(answer.status);
			expect(other.seen).toHaveLength(1);
		}
	});
});
