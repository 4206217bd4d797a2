import fc from 'fast-check';

import { MEASURE, comparedLines, contentHash, visibleLines } from '../../../nodes/text/contentHash';
import { readLinePattern } from '../../../nodes/text/linePatterns';

const patternOf = (source: string): RegExp => {
	const read = readLinePattern(source);
	if (!(read instanceof RegExp)) throw new Error(read.problem);
	return read;
};

function hashOf(page: Record<string, unknown>, ...ignored: string[]): string {
	const lines = visibleLines(page);
	if (!lines) throw new Error('The page has nothing to compare.');
	return contentHash(comparedLines(lines, ignored.map(patternOf)));
}

/** Words that people write; in HTML they stand for themselves. */
const word = fc.stringMatching(/^[\p{L}\p{N}.,;:!?$%-]{1,8}$/u).filter((one) => !/^-+$/.test(one));
const words = fc.array(word, { minLength: 1, maxLength: 30 });
const space = fc.stringMatching(/^[ \t\n\r\u00a0\u3000]{1,4}$/);
const spaces = fc.array(space, { minLength: 31, maxLength: 31 });
const tracking = fc.constantFrom<string>('utm_source=a', 'UTM_Campaign=b%20c', 'gclid=1', 'fbclid=x', '_hsenc=');
/** A character that a reader sees. */
const visible = fc
	.string({ unit: 'grapheme', minLength: 1, maxLength: 1 })
	.filter((one) => !/^[\s\p{Cc}\p{Cf}\p{M}\u00ad]/u.test(one));

const joined = (parts: string[], between: string[]): string =>
	parts.map((part, at) => `${between[at] ?? ' '}${part}`).join('');

describe('the content hash of a page', () => {
	it('is the same however much whitespace stands between words', async () => {
		await fc.assert(
			fc.asyncProperty(words, spaces, spaces, async (text, left, right) => {
				const hash = hashOf({ markdown: joined(text, left) });
				expect(hashOf({ markdown: `${joined(text, right)}\n\n` })).toBe(hash);
			}),
		);
	});

	it('is another one for any character that is added, removed or exchanged', async () => {
		const text = fc.array(visible, { minLength: 2, maxLength: 40 });
		await fc.assert(
			fc.asyncProperty(text, fc.nat(), visible, async (characters, place, other) => {
				const at = place % characters.length;
				const changed = [
					characters.toSpliced(at, 0, other),
					characters.toSpliced(at, 1),
					characters.toSpliced(at, 1, other),
				];
				const before = characters.join('');
				const hash = hashOf({ markdown: before });
				for (const now of changed.map((one) => one.join(''))) {
					if (now.normalize('NFC') === before.normalize('NFC')) continue;
					expect(hashOf({ markdown: now })).not.toBe(hash);
				}
			}),
		);
	});

	it('is another one where two words become one, or change places', async () => {
		await fc.assert(
			fc.asyncProperty(word, word, async (first, second) => {
				const hash = hashOf({ markdown: `${first} ${second}` });
				expect(hashOf({ markdown: `${first}${second}` })).not.toBe(hash);
				if (first === second) return;
				expect(hashOf({ markdown: `${second} ${first}` })).not.toBe(hash);
			}),
		);
	});

	it('leaves tracking parameters in the targets of links out, and no other parameters', async () => {
		const rest = fc.array(fc.constantFrom<string>('page=2', 'q=a_b', 'v=1'), { maxLength: 3 });
		await fc.assert(
			fc.asyncProperty(
				rest,
				fc.array(tracking, { minLength: 1, maxLength: 3 }),
				fc.nat(),
				async (kept, added, place) => {
					const all = kept.toSpliced(place % (kept.length + 1), 0, ...added);
					const asQuery = (parts: string[]) => (parts.length > 0 ? `?${parts.join('&')}` : '');
					const forms = [
						(query: string) => ({ markdown: `See [this](https://shop.test/a_(b)${query}#top).` }),
						(query: string) => ({ markdown: `See [this](/a${query} "Title")` }),
						(query: string) => ({ markdown: `<https://shop.test/a${query}>` }),
						(query: string) => ({ html: `<p><a class="x" href="/a${query}#top">this</a></p>` }),
						(query: string) => ({
							rawHtml: `<a href='/a${query.replaceAll('&', '&amp;')}'>this</a>`,
						}),
					];
					for (const form of forms) {
						const hash = hashOf(form(asQuery(kept)));
						expect(hashOf(form(asQuery(all)))).toBe(hash);
						expect(hashOf(form(asQuery([...kept, 'other=1'])))).not.toBe(hash);
					}
				},
			),
		);
	});

	it('keeps a tracking parameter that is written in the text itself', async () => {
		const hash = hashOf({ markdown: 'Add ?utm_source=news to your links' });
		expect(hashOf({ markdown: 'Add ?utm_source=shop to your links' })).not.toBe(hash);
	});

	it('leaves lines out that a pattern matches, and only these', async () => {
		const pattern = '^\\d+ (views|comments)$';
		const hash = hashOf({ markdown: 'Price: 5\n12 views\nIn stock' }, pattern);
		expect(hashOf({ markdown: 'Price: 5\n 9,999 views\nIn stock' }, pattern)).not.toBe(hash);
		expect(hashOf({ markdown: 'Price: 5\n\n 9999  comments\nIn stock' }, pattern)).toBe(hash);
		expect(hashOf({ markdown: 'Price: 6\n12 views\nIn stock' }, pattern)).not.toBe(hash);
		expect(hashOf({ markdown: 'Price: 5\nIn stock' }, pattern)).toBe(hash);
	});

	it('counts the title, wherever the service says it', async () => {
		const hash = hashOf({ markdown: 'text', metadata: { title: 'One' } });
		expect(hashOf({ markdown: 'text', metadata: { title: ['One'] } })).toBe(hash);
		expect(hashOf({ markdown: 'text', title: 'One' })).toBe(hash);
		expect(hashOf({ markdown: 'text', metadata: { title: 'Two' } })).not.toBe(hash);
	});

	it('reads HTML as a visitor does: no scripts, styles, comments, classes or ids', async () => {
		const page = (id: string, price: string) =>
			`<!doctype html><head><style>.${id}{}</style><script nonce="${id}">if (1 < 2) "${id}"</script></head>` +
			`<body data-id="${id}"><!-- ${id} --><table><td id=${id}>1</td><td class="${id}">${price}<!-- -->0</td></table>`;
		const hash = hashOf({ rawHtml: page('a1', '5') });
		expect(hashOf({ rawHtml: page('b2', '5') })).toBe(hash);
		expect(hashOf({ rawHtml: page('a1', '6') })).not.toBe(hash);
		expect(hashOf({ rawHtml: page('a1', '5 ') })).not.toBe(hash);
		expect(hashOf({ html: '<td>1</td><td>2</td>' })).not.toBe(hashOf({ html: '<td>12</td>' }));
		expect(hashOf({ html: '<img src="/a.png" alt="A">' })).not.toBe(hashOf({ html: '<img src="/b.png" alt="A">' }));
	});

	it('takes a model’s answer only where there is no text, whatever the order of its fields', async () => {
		const hash = hashOf({ json: { name: 'A', price: { value: 5, unit: '€' } } });
		expect(hashOf({ json: { price: { unit: '€', value: 5 }, name: 'A' } })).toBe(hash);
		expect(hashOf({ json: { name: 'A', price: { value: 6, unit: '€' } } })).not.toBe(hash);
		expect(hashOf({ markdown: 'text', json: { price: 5 } })).toBe(hashOf({ markdown: 'text', json: { price: 6 } }));
	});

	it('needs something to compare, of which an empty page has nothing', async () => {
		expect(visibleLines({ screenshot: 'https://pictures.test/1.png', metadata: {} })).toBeUndefined();
		expect(visibleLines({ markdown: '', metadata: {} })).toEqual([]);
		expect(hashOf({ markdown: '' })).toBe(hashOf({ markdown: ' \n ' }));
	});

	it('stays the same from version to version, while the measure does', async () => {
		expect(MEASURE).toBe(2);
		expect(hashOf({ markdown: '# Prices\n\n* A: 5 €\n', title: 'Prices' })).toBe('45b337d3b117fa3fb854a0fa1f5552fd');
	});

	it('reads hostile pages in time that grows with their length', async () => {
		for (const unit of ['<', '<a', '<!--', '](', '](/(', '<script', ']: ', '<a href="', "src='", '<a src  ']) {
			const text = unit.repeat(100_000);
			expect(hashOf({ markdown: text })).toHaveLength(32);
			expect(hashOf({ html: text })).toHaveLength(32);
		}
	});
});
