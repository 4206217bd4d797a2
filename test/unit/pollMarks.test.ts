import fc from 'fast-check';

import {
	MAX_KEPT,
	asPageLines,
	commonLines,
	differenceOf,
	keptTexts,
	linesMark,
	readLinesMark,
} from '../../nodes/WebDataPollTrigger/marks/pageLines';
import type { PageLines } from '../../nodes/WebDataPollTrigger/marks/pageLines';
import {
	MAX_KNOWN,
	compareHashes,
	packHashes,
	shortHash,
	unpackHashes,
} from '../../nodes/WebDataPollTrigger/marks/hashes';

const words = fc.array(fc.stringMatching(/^[a-f]{1,2}$/), { maxLength: 30 });
const hashesOf = (texts: readonly string[]): string[] => texts.map(shortHash);

describe('addresses', () => {
	it('each is new once, whatever comes, goes and comes back', () => {
		fc.assert(
			fc.property(fc.array(words, { maxLength: 12 }), (polls) => {
				const told: string[] = [];
				let stored: unknown = '';
				for (const seen of polls) {
					const compared = compareHashes(unpackHashes(stored), hashesOf(seen));
					stored = packHashes(compared.known);
					told.push(...compared.fresh.map((position) => seen[position] ?? ''));
				}
				expect([...told].sort()).toEqual([...new Set(polls.flat())].sort());
			}),
		);
	});

	const site = (from: number, count = MAX_KNOWN) => hashesOf(Array.from({ length: count }, (_, i) => `p${from + i}`));

	it('at most so many are kept, and of them those of the last list', () => {
		const { known } = compareHashes(compareHashes([], site(0)).known, site(5));
		expect(known).toHaveLength(MAX_KNOWN);
		expect(compareHashes(known, site(5)).fresh).toEqual([]);
		expect(packHashes(known).length).toBe(8 * MAX_KNOWN);
	});

	it('of a list that is longer, the same ones are compared in whatever order', () => {
		const long = site(0, MAX_KNOWN + 10_000);
		const { known } = compareHashes([], long);
		expect(compareHashes(known, [...long].reverse()).fresh).toEqual([]);
	});
});

describe('lines', () => {
	const pageOf = (texts: readonly string[], window = Infinity): PageLines => ({
		hashes: hashesOf(texts.slice(0, window)),
		texts: texts.slice(0, window),
		isCut: texts.length > window,
	});

	it('what two texts have in common is in the order of both', () => {
		fc.assert(
			fc.property(words, words, (before, now) => {
				const common = commonLines(before, now);
				common.forEach(([one, other], at) => {
					expect(before[one]).toBe(now[other]);
					const [nextOne = Infinity, nextOther = Infinity] = common[at + 1] ?? [];
					expect(nextOne).toBeGreaterThan(one);
					expect(nextOther).toBeGreaterThan(other);
				});
				const isSame = before.join() === now.join();
				expect(common.length === before.length && common.length === now.length).toBe(isSame);
			}),
		);
	});

	it('what came and what went turns one text into the other, and any other order is told', () => {
		fc.assert(
			fc.property(words, words, (before, now) => {
				const { added, removed, moved } = differenceOf(pageOf(before), pageOf(now));
				const kept = [...before];
				for (const line of removed) kept.splice(kept.indexOf(line), 1);
				expect([...kept, ...added].sort()).toEqual([...now].sort());
				// Nothing is said to have come and gone at once.
				expect(added.filter((line) => removed.includes(line))).toEqual([]);
				const isSame = before.join() === now.join();
				expect(added.length + removed.length + moved.length === 0).toBe(isSame);
			}),
		);
	});

	it('no line is said to have come or gone that is there, however much of the page is compared', () => {
		const lines = fc.array(fc.stringMatching(/^[a-z]{3}$/), { maxLength: 30 });
		fc.assert(
			fc.property(lines, fc.nat(30), lines, fc.integer({ min: 1, max: 20 }), (page, at, put, most) => {
				const unique = [...new Set(page)];
				const fresh = [...new Set(put)].filter((line) => !unique.includes(line));
				const after = [...unique.slice(0, at), ...fresh, ...unique.slice(at)];
				const told = differenceOf(pageOf(unique, most), pageOf(after, most));
				const back = differenceOf(pageOf(after, most), pageOf(unique, most));
				fc.pre(commonLines(unique.slice(0, most), after.slice(0, most)).length > 0);
				expect(told.removed).toEqual([]);
				expect(told.added.filter((line) => unique.includes(line))).toEqual([]);
				expect(back.added).toEqual([]);
				expect(back.removed.filter((line) => unique.includes(line))).toEqual([]);
			}),
		);
	});

	it('20,000 lines in another order are no difference', () => {
		const before = Array.from({ length: 20_000 }, (_, at) => `line ${at % 7000}`);
		const { added, removed } = differenceOf(pageOf(before), pageOf([...before].reverse()));
		expect([added.length, removed.length]).toEqual([0, 0]);
	});

	it('a page of any size leaves a mark of bounded size, which is read again', async () => {
		const texts = Array.from({ length: 20_000 }, (_, i) => `line ${i}`);
		const lines = await asPageLines({ texts, isCut: true }, async () => await Promise.resolve());
		const mark = linesMark(lines);
		expect(JSON.stringify(mark).length).toBeLessThan(20_000 * 8 + 2 * MAX_KEPT);
		expect(keptTexts(texts).join('').length).toBeLessThanOrEqual(MAX_KEPT);
		expect(keptTexts(texts).length).toBeGreaterThan(4_000);
		const read = readLinesMark(mark);
		expect(read).toMatchObject({ hashes: lines.hashes, isCut: true });
		expect(keptTexts(['x'.repeat(2 * MAX_KEPT), 'y'])).toEqual(['x'.repeat(MAX_KEPT)]);
	});
});
