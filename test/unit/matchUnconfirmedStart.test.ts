import fc from 'fast-check';

import {
	isHiddenTarget,
	matchUnconfirmedStart,
} from '../../nodes/service/startRecovery/matchUnconfirmedStart';
import type {
	ListedJob,
	SearchedStart,
} from '../../nodes/service/startRecovery/matchUnconfirmedStart';

const start = (notBeforeMs: number, more: Partial<SearchedStart> = {}): SearchedStart => ({
	target: 'tides',
	asked: '{"query":"tides"}',
	notBeforeMs,
	...more,
});
const job = (id: string, beganMs: number | undefined, target = 'tides'): ListedJob => ({
	id,
	target,
	beganMs,
});

describe('one start', () => {
	it('gets the one job that asks for the same and began after it was sent', () => {
		const its = job('its', 1000);
		expect(
			matchUnconfirmedStart(start(1000), [], [job('older', 999), its, job('x', 2000, 'moon')]),
		).toEqual({
			kind: 'found',
			job: its,
		});
	});

	it('gets none of two', () => {
		const two = [job('a', 1000), job('b', 5000)];
		expect(matchUnconfirmedStart(start(1000), [], two)).toEqual({ kind: 'several', jobs: two });
	});

	it('gets the first of two that began, when the other did before it was sent', () => {
		const its = job('its', 1000);
		expect(matchUnconfirmedStart(start(1000), [], [job('a', 0), its])).toEqual({
			kind: 'found',
			job: its,
		});
		expect(matchUnconfirmedStart(start(1000), [], [])).toEqual({ kind: 'none' });
	});

	it('gets none that began before, or nobody knows when', () => {
		expect(matchUnconfirmedStart(start(1000), [], [job('a', 999), job('b', undefined)])).toEqual({
			kind: 'none',
		});
	});

	it.each([
		['http://site.example', 'http://site.example/', true],
		['http://SITE.example/a', 'http://site.example/a', true],
		['http://site.example/a#one', 'http://site.example/a#one', true],
		['http://site.example/a', 'http://site.example/a#one', false],
		['http://site.example/a#two', 'http://site.example/a#one', false],
		['http://site.example/a', 'http://site.example/a/', false],
		['http://', 'http://', true],
		['Tides', 'tides', false],
	])('takes %s for %s: %s', (listed, target, isSame) => {
		const { kind } = matchUnconfirmedStart(start(0, { target }), [], [job('a', 1, listed)]);
		expect(kind).toBe(isSame ? 'found' : 'none');
	});
});

describe('several starts for the same', () => {
	it('get none when they ask for different things in the rest', () => {
		const other = start(0, { asked: '{"query":"tides","maxDepth":2}' });
		expect(matchUnconfirmedStart(start(0), [other], [job('a', 1)]).kind).toBe('several');
	});

	it('are told apart by when they were sent', () => {
		const other = start(5000, { asked: 'something else' });
		expect(matchUnconfirmedStart(start(0), [other], [job('a', 1)]).kind).toBe('found');
		expect(matchUnconfirmedStart(other, [start(0)], [job('a', 1)]).kind).toBe('none');
	});

	it('get none when one of them asks for something else, or may have been sent by then', () => {
		const other = { asked: 'something else' };
		const jobs = [job('a', 20)];
		expect(matchUnconfirmedStart(start(0), [start(0), start(0, other)], jobs).kind).toBe('several');
		expect(matchUnconfirmedStart(start(0), [start(20, other)], jobs).kind).toBe('several');
		expect(matchUnconfirmedStart(start(0), [start(21, other)], jobs).kind).toBe('found');
	});

	it('get one each, the youngest first, also when all is at one moment', () => {
		expect(matchUnconfirmedStart(start(0), [start(10)], [job('a', 20)])).toEqual({ kind: 'none' });
		expect(matchUnconfirmedStart(start(10), [start(0)], [job('a', 20)]).kind).toBe('found');
		expect(matchUnconfirmedStart(start(10), [start(10)], [job('a', 10), job('b', 10)]).kind).toBe(
			'found',
		);
	});

	it('get none when there are more jobs than starts', () => {
		const jobs = [job('a', 1), job('b', 2), job('c', 3)];
		expect(matchUnconfirmedStart(start(0), [start(0)], jobs).kind).toBe('several');
	});

	it('are not served from what began before any of them', () => {
		const jobs = [job('before', 0), job('a', 11), job('b', 12)];
		expect(matchUnconfirmedStart(start(10), [start(11)], jobs).kind).toBe('found');
	});
});

/** Lets the starts decide one after the other, each with what is left. */
function decideAll(starts: SearchedStart[], jobs: ListedJob[]): Map<SearchedStart, ListedJob> {
	const given = new Map<SearchedStart, ListedJob>();
	const free = new Set(jobs);
	let open = [...starts];
	for (const one of starts) {
		const others = open.filter((other) => other !== one);
		const match = matchUnconfirmedStart(one, others, [...free]);
		if (match.kind !== 'found') continue;
		given.set(one, match.job);
		free.delete(match.job);
		open = others;
	}
	return given;
}

const sent = fc.record({
	sentMs: fc.nat(100),
	delayMs: fc.nat(100),
	arrived: fc.boolean(),
	target: fc.constantFrom('tides', 'moon', 'sun'),
	asked: fc.constantFrom('alike', 'alike', 'other'),
});

it('never gives a job to two, nor one that is older or asks for something else', () => {
	fc.assert(
		fc.property(
			fc.array(sent, { maxLength: 12 }),
			fc.array(fc.record({ beganMs: fc.nat(200), target: fc.constantFrom('tides', 'moon') }), {
				maxLength: 4,
			}),
			(all, foreign) => {
				const starts = all.map(({ sentMs, target, asked }) => start(sentMs, { target, asked }));
				const jobs = [
					...all.flatMap(({ arrived, sentMs, delayMs, target }, index) =>
						arrived ? [job(`own${index}`, sentMs + delayMs, target)] : [],
					),
					...foreign.map(({ beganMs, target }, index) => job(`foreign${index}`, beganMs, target)),
				];
				const given = decideAll(starts, jobs);
				expect(new Set([...given.values()]).size).toBe(given.size);
				for (const [{ target, notBeforeMs }, found] of given) {
					expect(found.target).toBe(target);
					expect(found.beganMs).toBeGreaterThanOrEqual(notBeforeMs);
				}
			},
		),
		{ numRuns: 1000 },
	);
});

it('finds every job of starts that ask for something of their own, and no job for the others', () => {
	fc.assert(
		fc.property(fc.array(sent, { maxLength: 12 }), (all) => {
			const starts = all.map(({ sentMs }, index) => start(sentMs, { target: `q${index}` }));
			const jobs = all.flatMap(({ arrived, sentMs, delayMs }, index) =>
				arrived ? [job(`${index}`, sentMs + delayMs, `q${index}`)] : [],
			);
			const given = decideAll(starts, jobs);
			const expected = all.map(({ arrived }, index) => (arrived ? `${index}` : undefined));
			expect(starts.map((one) => given.get(one)?.id)).toEqual(expected);
		}),
	);
});

it('gives out every job of starts that ask for the very same, whoever gets which', () => {
	fc.assert(
		fc.property(fc.array(sent, { maxLength: 12 }), (all) => {
			const starts = all.map(({ sentMs }) => start(sentMs));
			const jobs = all.flatMap(({ arrived, sentMs, delayMs }, index) =>
				arrived ? [job(`${index}`, sentMs + delayMs)] : [],
			);
			expect(decideAll(starts, jobs).size).toBe(jobs.length);
		}),
		{ numRuns: 1000 },
	);
});

it('decides for a thousand that ask for the very same in good time', () => {
	const starts = Array.from({ length: 1000 }, (_unused, index) => start(index));
	const jobs = starts.map(({ notBeforeMs }) => job(`job-${notBeforeMs}`, notBeforeMs + 5));
	expect(matchUnconfirmedStart(starts[500] ?? start(0), starts.slice(0, 500), jobs).kind).not.toBe(
		'none',
	);
});

it.each([
	['', true],
	[' ', true],
	['<redacted due to zero data retention>', true],
	['a < b', false],
	['<b> in HTML', false],
	['HTML with <b>', false],
	[' <hidden>\n', true],
])('knows %j for what stands in place of a target: %s', (target, isHidden) => {
	expect(isHiddenTarget(target)).toBe(isHidden);
});
