import fc from 'fast-check';

import {
	markedPage,
	MAX_CHARACTERS,
	MAX_PAGES,
	mergeMarks,
	packPages,
	pageKey,
	unpackPages,
	withinRoom,
} from '../../../nodes/WebData/run/changes/pageMark';
import type { MarkedPage, MarkedPages } from '../../../nodes/WebData/run/changes/pageMark';

const hash = fc.stringMatching(/^[0-9a-f]{32}$/);
const address = fc
	.array(fc.stringMatching(/^[a-zä€ ]{1,4}$/), { maxLength: 4 })
	.map((parts) => `https://site.example/${parts.join('/')}`);
const asPages = (all: readonly MarkedPage[]): MarkedPages =>
	new Map(all.map((page) => [pageKey(page.source ?? page.url), page]));
const pages = fc
	.array(fc.tuple(address, fc.option(address, { nil: '' }), hash), { maxLength: 20 })
	.map((all) => asPages(all.map(([url, source, hash]) => markedPage(url, source, hash))));
const sorted = (marked: MarkedPages) =>
	[...marked].sort(([left], [right]) => (left < right ? -1 : 1));

describe('the mark of pages', () => {
	it('reads what it has stored, whatever the addresses', () => {
		fc.assert(
			fc.property(pages, (marked) => {
				expect(sorted(unpackPages(packPages(marked)))).toEqual(sorted(marked));
			}),
		);
	});

	it('takes other texts for no pages', () => {
		fc.assert(
			fc.property(fc.string(), (text) => {
				expect(unpackPages(text).size).toBeLessThan(20);
			}),
		);
		expect(unpackPages('').size).toBe(0);
	});

	it('holds 10,000 addresses of 100 characters in less than 1 MB', () => {
		const many = Array.from({ length: MAX_PAGES + 5 }, (_unused, at) =>
			markedPage(
				`https://site.example/shop/${'category-of-things/'.repeat(3)}${at}-a-name-of-a-product`,
				'',
				`${at}`.padStart(32, '0'),
			),
		);
		const kept = withinRoom(asPages(many), { pages: MAX_PAGES, characters: MAX_CHARACTERS });
		expect(kept.size).toBe(MAX_PAGES);
		expect(Buffer.byteLength(JSON.stringify(packPages(kept)))).toBeLessThan(600_000);
	});

	it('keeps within 1 MB where addresses are long and have nothing in common, the oldest first', () => {
		const many = Array.from({ length: MAX_PAGES }, (_unused, at) =>
			markedPage(`https://${at}.example/${'ä'.repeat(400)}`, '', '0'.repeat(32)),
		);
		const kept = withinRoom(asPages(many), { pages: MAX_PAGES, characters: MAX_CHARACTERS });
		expect(Buffer.byteLength(JSON.stringify(packPages(kept)))).toBeLessThan(1_000_000);
		expect(kept.size).toBeGreaterThan(800);
		expect([...kept.keys()]).toEqual([...asPages(many).keys()].slice(0, kept.size));
	});

	it('of two runs keeps what either has put out, and this run where both have', () => {
		fc.assert(
			fc.property(pages, pages, pages, (base, ours, theirs) => {
				const merged = mergeMarks(base, ours, theirs);
				for (const key of new Set([...base.keys(), ...ours.keys(), ...theirs.keys()])) {
					const isOurs = ours.get(key)?.hash !== base.get(key)?.hash;
					expect(merged.get(key)).toEqual((isOurs ? ours : theirs).get(key));
				}
			}),
		);
	});
});
