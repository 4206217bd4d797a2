import fc from 'fast-check';

import { compareAddresses, MOST_KNOWN } from '../../nodes/WebDataPollTrigger/marks/knownAddresses';
import {
	differenceOf,
	keptLines,
	linesOf,
	MOST_KEPT,
} from '../../nodes/WebDataPollTrigger/marks/lineDifference';
import { NO_FEED, withNewJobs } from '../../nodes/WebDataPollTrigger/marks/newJobs';
import type { FeedJob, FeedMark } from '../../nodes/WebDataPollTrigger/marks/newJobs';

const words = fc.array(fc.stringMatching(/^[a-f]{1,2}$/), { maxLength: 30 });

describe('addresses', () => {
	it('each is new once, whatever comes, goes and comes back', () => {
		fc.assert(
			fc.property(fc.array(words, { maxLength: 12 }), (polls) => {
				const told: string[] = [];
				let known: string[] = [];
				for (const seen of polls) {
					const compared = compareAddresses(known, seen);
					known = compared.known;
					told.push(...compared.fresh.map((position) => seen[position] ?? ''));
				}
				expect([...told].sort()).toEqual([...new Set(polls.flat())].sort());
			}),
		);
	});

	it('at most so many are kept, and of them those of the last list', () => {
		const site = (from: number) => Array.from({ length: MOST_KNOWN }, (_, i) => `p${from + i}`);
		const { known } = compareAddresses(compareAddresses([], site(0)).known, site(5));
		expect(known).toHaveLength(MOST_KNOWN);
		expect(compareAddresses(known, site(5)).fresh).toEqual([]);
		expect(JSON.stringify(known).length).toBeLessThan(120_000);
	});
});

describe('lines', () => {
	it('what came and what went turns one text into the other, in any order', () => {
		fc.assert(
			fc.property(words, words, (before, now) => {
				const { added, removed } = differenceOf(before, now);
				const kept = [...before];
				for (const line of removed) kept.splice(kept.indexOf(line), 1);
				expect([...kept, ...added].sort()).toEqual([...now].sort());
				// Nothing is said to have come and gone at once.
				expect(added.filter((line) => removed.includes(line))).toEqual([]);
			}),
		);
	});

	it('lines that are to be ignored and empty ones do not count', () => {
		expect(linesOf(' a \n\n12 Views\nb', [/^\d+ views$/iu])).toEqual(['a', 'b']);
	});

	it('a page of any size leaves a mark of bounded size', () => {
		const kept = keptLines(Array.from({ length: 20_000 }, (_, i) => `line ${i}`));
		expect(kept.join('').length).toBeLessThanOrEqual(MOST_KEPT);
		expect(kept.length).toBeGreaterThan(4_000);
	});
});

describe('the feed', () => {
	const none: FeedMark = NO_FEED;
	const job = fc.record({
		id: fc.stringMatching(/^[a-z]{3}$/),
		second: fc.integer({ min: 0, max: 9 }),
	});

	it('each job is waited for once, whenever polls come, several in the same second included', () => {
		fc.assert(
			fc.property(
				fc.uniqueArray(job, { selector: ({ id }) => id, maxLength: 20 }),
				fc.array(fc.nat(20), { maxLength: 6 }),
				(jobs, cuts) => {
					const inOrder = [...jobs]
						.sort((left, right) => left.second - right.second)
						.map(({ id, second }): FeedJob => {
							const startedAt = `2026-01-01T00:00:0${second}.000Z`;
							return { id, endpoint: 'crawl', target: '', startedAt };
						});
					let mark = none;
					for (const cut of [...cuts.sort((a, b) => a - b), inOrder.length]) {
						// As the feed shows it: newest first.
						mark = withNewJobs(mark, inOrder.slice(0, cut).reverse());
					}
					expect(mark.running.map(({ id }) => id).sort()).toEqual(jobs.map(({ id }) => id).sort());
				},
			),
		);
	});
});
