import fc from 'fast-check';

import { customDataTexts, namedJobs } from '../../nodes/WebData/run/jobs/startedJobs';

const MAX_LENGTH = 255;
const HEAD = 'Crawl · Get: ';
const textsOf = (ids: string[], maxTexts: number, more = 0) =>
	customDataTexts('Crawl · Get', { ids, more }, maxTexts);

/** What the texts say: the ids they name, and how many more. */
function read(texts: string[]) {
	const whole = texts.join(', ').replace(HEAD, '');
	const [, listed = '', more = '0'] = /^(.*?)(?: and (\d+) more)?$/s.exec(whole) ?? [];
	return { shown: listed.split(', '), more: Number(more) };
}

describe('the texts that name the jobs of an execution', () => {
	const id = fc.string({ minLength: 1, maxLength: 40 }).filter((text) => !/[ ,:]/.test(text));
	const idsOf = fc.array(id, { minLength: 1, maxLength: 60 });
	const maxTexts = fc.integer({ min: 1, max: 8 });

	it('name whole ids only, from the first on, and count all others', () => {
		fc.assert(
			fc.property(idsOf, maxTexts, fc.nat(500), (ids, most, more) => {
				const texts = textsOf(ids, most, more);
				expect(texts.length).toBeLessThanOrEqual(most);
				for (const text of texts) expect(text.length).toBeLessThanOrEqual(MAX_LENGTH);
				const said = read(texts);
				expect(said.shown).toEqual(ids.slice(0, said.shown.length));
				expect(said.shown.length + said.more).toBe(ids.length + more);
			}),
		);
	});

	it('are read back as they were written', () => {
		fc.assert(
			fc.property(idsOf, maxTexts, fc.nat(500), (ids, most, more) => {
				const { ids: shown, more: left } = namedJobs('Crawl · Get', textsOf(ids, most, more));
				expect(shown).toEqual(ids.slice(0, shown.length));
				expect(shown.length + left).toBe(ids.length + more);
			}),
		);
	});

	it.each([[[]], [['mine']], [['Batch Scrape · Get: a']]])('are none in %j', (texts: string[]) => {
		expect(namedJobs('Crawl · Get', texts)).toEqual({ ids: [], more: 0 });
	});

	it('leave out none that fits', () => {
		fc.assert(
			fc.property(idsOf, maxTexts, (ids, most) => {
				const { shown } = read(textsOf(ids, most));
				if (shown.length === ids.length) return;
				// With the next id it would take one more text, or its last one would be too long.
				const all = textsOf(ids.slice(0, shown.length + 1), 99);
				const left = ids.length - shown.length - 1;
				const last = `${all.at(-1)}${left > 0 ? ` and ${left} more` : ''}`;
				expect(all.length > most || last.length > MAX_LENGTH).toBe(true);
			}),
		);
	});

	it('are one with six ids of the service, and another one with the seventh', () => {
		const ids = Array.from({ length: 8 }, (_none, n) => String(n).repeat(36));
		expect(textsOf(ids.slice(0, 6), 8)).toEqual([HEAD + ids.slice(0, 6).join(', ')]);
		expect(textsOf(ids, 8)).toEqual([HEAD + ids.slice(0, 6).join(', '), ids.slice(6).join(', ')]);
		expect(textsOf(ids, 1)).toEqual([`${HEAD}${ids.slice(0, 6).join(', ')} and 2 more`]);
	});

	it('hold fifty ids of the service', () => {
		const ids = Array.from({ length: 100 }, (_none, n) => String(n % 10).repeat(36));
		expect(read(textsOf(ids, 8)).shown.length).toBeGreaterThanOrEqual(48);
	});

	it('are one where no further key is free, and their number where an id is too long', () => {
		const fits = 'a'.repeat(MAX_LENGTH - HEAD.length);
		expect(textsOf([fits], 0)).toEqual([HEAD + fits]);
		expect(textsOf([`${fits}a`], 1)).toEqual([`${HEAD}1 job`]);
		expect(textsOf([`${fits}a`, 'b'], -3)).toEqual([`${HEAD}2 jobs`]);
	});
});
