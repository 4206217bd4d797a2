/** A made market of twelve weeks: prices that change, statements that move, pages that vanish, fail and come back. */

/** A price that the site tells: which product, how much, and on which page. */
export interface Fact {
	name: string;
	price: number;
	page: number;
}

const NAMES = [
	'Falcon Heron Osprey Kestrel Merlin',
	'Beaver Otter Badger Marten Weasel',
	'Walnut Chestnut Hazel Alder Rowan',
	'Granite Basalt Gneiss Slate Flint',
	'Amber Garnet Topaz Beryl Opal',
	'Saffron Paprika Cumin Fennel Nutmeg',
	'Lagoon Estuary Fjord Isthmus Atoll',
	'Sonata Rondo Nocturne Prelude Ballad',
].map((names) => names.split(' '));

const FIRST: readonly Fact[] = NAMES.flatMap((names, page) =>
	names.map((name, index) => ({ name, price: 400 + page * 70 + index * 9, page })),
);

/** The page that is new from week 9 on, and the one that has become another one in week 10. */
const NEW_PAGE = 8;
const REPLACED_PAGE = 5;

/** The prices that stand on the pages of a week, counted from 1. */
export function factsOf(week: number): Fact[] {
	const facts = FIRST.map((fact) => ({ ...fact }));
	const named = (name: string) => facts.filter((fact) => fact.name === name);
	for (const fact of named('Falcon')) fact.price = week < 3 ? 400 : week < 7 ? 480 : 510;
	for (const fact of named('Otter')) fact.page = week < 4 ? 1 : 2;
	for (const fact of named('Ballad')) fact.price = week < 6 ? fact.price : 950;
	if (week >= 9) {
		facts.push({ name: 'Zeppelin', price: 1900, page: NEW_PAGE }, { name: 'Heron', price: 409, page: NEW_PAGE });
	}
	return facts.filter(({ name, page }) => {
		if (name === 'Hazel' && week >= 8) return false;
		return !(page === REPLACED_PAGE && week >= 10);
	});
}

/** What the runs of a week should tell. */
export const EVENTS: Readonly<Record<number, { new?: string[]; changed?: string[]; withdrawn?: string[] }>> = {
	3: { changed: ['Falcon'] },
	6: { changed: ['Ballad'] },
	7: { changed: ['Falcon'] },
	8: { withdrawn: ['Hazel'] },
	9: { new: ['Zeppelin'] },
};

export const ALL_NAMES: readonly string[] = [...NAMES.flat(), 'Zeppelin'];

/** The same price in other words, by the number of the wording. */
export function wording({ name, price }: Pick<Fact, 'name' | 'price'>, number: number): string {
	const texts = [
		`The ${name} bike costs ${price} euros.`,
		`For the ${name} bike ${price} euros are asked.`,
		`${price} euros is what buyers of the ${name} bike pay.`,
	];
	return texts[number % texts.length] ?? '';
}

/** The pages of a week by their addresses: a text, or why there is none. */
export function pagesOf(week: number): Record<string, string | Error> {
	const facts = factsOf(week);
	const pages = Array.from({ length: week >= 9 ? 9 : 8 }, (_unused, page): [string, string | Error] => {
		const url = `https://s${page}.example/prices`;
		if (page === 3 && week === 5) return [url, new Error('The site could not be reached.')];
		if (page === 4 && week >= 6) return [url, new Error('There is no such page any more (HTTP 404).')];
		if (page === REPLACED_PAGE && week >= 10)
			return [url, '# For sale\n\nThis address is for sale. Write to the registrar today.'];
		// From week 11 on one page says the same in other words.
		const wordings = page === 6 && week >= 11 ? 1 : 0;
		const lines = facts.filter((fact) => fact.page === page).map((fact) => wording(fact, wordings));
		const dated = page === 0 ? `\n\nThis list was printed on day ${week * 7} of the season.` : '';
		return [url, `# Price list ${page}\n\n${FILLER}\n\n${lines.join('\n\n')}${dated}`];
	});
	return Object.fromEntries(pages);
}

/** What a page says besides: a page is more than its figures. */
const FILLER = Array.from(
	{ length: 12 },
	(_unused, at) =>
		`Paragraph ${at + 1} tells at length how the workshop chooses its wood, its paint and its bolts, who works there, and why visitors should come by on a weekday rather than on a busy Saturday afternoon.`,
).join('\n\n');
