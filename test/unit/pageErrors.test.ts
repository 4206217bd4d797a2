import { readPageErrors } from '../../nodes/service/results/pageErrors';

const FAILED = {
	id: 'scrape-1',
	timestamp: '2026-08-01T10:00:00.000Z',
	url: 'https://a.example/1',
	code: 'SCRAPE_TIMEOUT',
	error: 'Timed out',
};
const LIST = { errors: [FAILED], robotsBlocked: ['https://a.example/2'] };

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
