import fc from 'fast-check';

import { sameAddress } from '../../../nodes/text/addresses';
import { MAX_CHARACTERS, MAX_PAGES, markedPage, packPages, unpackPages } from '../../../nodes/run/changes/markedPages';
import type { MarkedPage, MarkedPages } from '../../../nodes/run/changes/markedPages';

const hash = fc.stringMatching(/^[0-9a-f]{32}$/);
const address = fc
	.array(fc.stringMatching(/^[a-zä€ ]{1,4}$/), { maxLength: 4 })
	.map((parts) => `https://site.example/${parts.join('/')}`);
const asPages = (all: readonly MarkedPage[]): MarkedPages => new Map(all.map((page) => [sameAddress(page.url), page]));
const pages = fc
	.array(fc.tuple(address, fc.option(address, { nil: '' }), hash, fc.nat(3), fc.nat(1)), {
		maxLength: 20,
	})
	.map((all) =>
		asPages(
			all.map(([url, source, hash, unseen, missed]) => ({
				...markedPage(url, source, hash),
				unseen,
				missed,
			})),
		),
	);
const sorted = (marked: MarkedPages) => [...marked].sort(([left], [right]) => (left < right ? -1 : 1));

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
		const many = Array.from({ length: MAX_PAGES }, (_unused, at) =>
			markedPage(
				`https://site.example/shop/${'category-of-things/'.repeat(3)}${at}-a-name-of-a-product`,
				'',
				`${at}`.padStart(32, '0'),
			),
		);
		const text = packPages(asPages(many));
		expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(600_000);
		expect(MAX_CHARACTERS).toBeLessThan(1_000_000);
	});
});
