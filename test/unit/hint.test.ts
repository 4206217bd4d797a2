import { jobSummary } from '../../nodes/run/output/hints';
import type { RunTotals } from '../../nodes/run/output/hints';
import { Notes } from '../../nodes/run/output/notes';

const nothing: RunTotals = {
	items: 3,
	failed: 0,
	started: 0,
	ended: 0,
	finished: 0,
	used: 0,
	putOut: 0,
	usageUnit: ['page', 'pages'],
	credits: 0,
	open: { starts: 0, credits: 0 },
	expiresAt: undefined,
	throttledSeconds: 0,
	collectWith: 'Crawl · Get',
	timeZone: 'UTC',
};

const one = { ended: 1, finished: 1, used: 1, putOut: 1, credits: 1 };
const three = { ended: 3, finished: 3, used: 42, putOut: 42, credits: 42 };
const part = { ended: 3, finished: 2, used: 2000, putOut: 150, credits: undefined };
const expiring = { ...one, expiresAt: '2026-11-21T23:45:57.000Z' };

it.each<[string, Partial<RunTotals>]>([
	['', {}],
	['', { throttledSeconds: 5 }],
	['1 job finished, 1 page (= 1 credit).', one],
	[
		'1 job finished, 1 page (= 1 credit). 2 starts got no clear answer, and may have cost up to 40 credits more.',
		{ ...one, open: { starts: 2, credits: 40 } },
	],
	[
		'1 start got no clear answer, and may have cost more. The item failed.',
		{ failed: 1, items: 1, open: { starts: 1, credits: Infinity } },
	],
	['3 jobs finished, 42 pages (= 42 credits). Rate limits made it wait 65 s.', { ...three, throttledSeconds: 65 }],
	['1 job finished, 1 page (= 1 credit). Results expire on 2026-11-21 23:45 (UTC).', expiring],
	[
		'1 job finished, 1 page (= 1 credit). Results expire on 2026-11-22 00:45 (Europe/Berlin).',
		{ ...expiring, timeZone: 'Europe/Berlin' },
	],
	['1 job finished, 1 page (= 1 credit).', { ...one, expiresAt: 'NaN' }],
	['2 jobs started. Collect the results with Crawl · Get.', { started: 2 }],
	['2 jobs finished, 1 job ended early, 150 of 2000 pages. 1 of 3 items failed.', { ...part, failed: 1 }],
	['The item failed.', { items: 1, failed: 1 }],
])('a run of jobs is summed up as "%s"', (text, totals) => {
	expect(jobSummary({ ...nothing, ...totals })).toBe(text);
});

it.each([
	['nothingFound', 'Nothing was found: no a; no b; no c; and 2 more.'],
	['unusedJobs', /of an earlier try: a, b, c, d, e\. They/],
	['notCollected', /requested and paid for again\. a b c$/],
	['httpErrors', '5 pages answered with an HTTP error: a (1), b (1), c (1), d (1), e (1).'],
] as const)('names the first of what a hint counts: %s', (key, text) => {
	const notes = new Notes();
	for (const name of ['a', 'b', 'c', 'd', 'e']) notes.add(key, { name });
	expect(notes.hints()[0]?.message).toMatch(text);
});
