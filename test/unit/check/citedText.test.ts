import { readCitedText } from '../../../nodes/research/check/citedText';

/** Each sentence that says something, with the hosts that it cites; a star where they are assumed. */
const said = (text: string): string[] => {
	const { sentences, sources } = readCitedText(text);
	return sentences
		.filter(({ isClaim }) => isClaim)
		.map(({ text: words, sources: own, isAssumed }) => {
			const hosts = own.map((number) => {
				const { hostname, pathname } = new URL(sources[number - 1] ?? 'https://none.example');
				return hostname.replace('.example', '') + (pathname === '/' ? '' : pathname);
			});
			return `${words} <- ${hosts.join(', ')}${isAssumed ? '*' : ''}`;
		});
};

const LAYOUTS: Array<[name: string, text: string, sentences: string[]]> = [
	[
		'numbers and a list at the end',
		'# Bikes\n\nBikes carry 80 kg [1]. A trike carries 200 kg [1, 2].\n\n## Sources\n\n1. [Bikes](https://a.example/)\n2. Trikes, https://b.example/trikes\n',
		['Bikes carry 80 kg. <- a', 'A trike carries 200 kg. <- a, b/trikes'],
	],
	[
		'numbers behind the mark, a list with brackets',
		'Bikes carry 80 kg.[1] A trike carries 200 kg.[2][3]\n\nReferences:\n[1] "Bikes". https://a.example/\n[2] https://b.example/\n[3] <https://c.example/>',
		['Bikes carry 80 kg. <- a', 'A trike carries 200 kg. <- b, c'],
	],
	[
		'footnotes',
		'Bikes carry 80 kg.[^1] A trike carries 200 kg.[^2]\n\n[^1]: Bikes, https://a.example/\n[^2]: https://b.example/',
		['Bikes carry 80 kg. <- a', 'A trike carries 200 kg. <- b'],
	],
	[
		'marks of search tools',
		'Bikes carry 80 kg【1†source】. A trike carries 200 kg【2†L3-L5】.\n\nSources\n1. https://a.example/\n2. https://b.example/',
		['Bikes carry 80 kg. <- a', 'A trike carries 200 kg. <- b'],
	],
	[
		'links behind sentences, labelled by host',
		'Bikes carry 80 kg ([a.example](https://a.example/?utm_source=chatgpt.com)). A trike carries 200 kg. ([b.example](https://b.example/), [c.example+1](https://c.example/))',
		['Bikes carry 80 kg. <- a', 'A trike carries 200 kg. <- b, c'],
	],
	[
		'links in words',
		'According to [Acme Institute](https://a.example/) Berlin has 300 bikes. The [trike](https://b.example/) carries 200 kg.',
		['According to Acme Institute Berlin has 300 bikes. <- a', 'The trike carries 200 kg. <- b'],
	],
	[
		'bare addresses',
		'Bikes carry 80 kg (https://a.example/). A trike carries 200 kg, see https://b.example/trikes.',
		['Bikes carry 80 kg. <- a', 'A trike carries 200 kg, see. <- b/trikes'],
	],
	[
		'sources at the end of a paragraph alone',
		'Bikes carry 80 kg. A trike carries 200 kg. [1][2]\n\nVans carry more of it.\n\nSources:\n1. https://a.example/\n2. https://b.example/',
		['Bikes carry 80 kg. <- a, b*', 'A trike carries 200 kg. <- a, b', 'Vans carry more of it. <- '],
	],
	[
		'a list and a table',
		'- Bikes carry 80 kg [1]\n- Trikes carry 200 kg [2]\n\n| Kind | Load |\n| --- | --- |\n| Bike | 80 kg [1] |\n| Trike of Acme | 200 kg [2] |\n\nSources\n\n[1]: https://a.example/\n[2]: https://b.example/',
		['Bikes carry 80 kg <- a', 'Trikes carry 200 kg <- b', 'Bike | 80 kg <- a', 'Trike of Acme | 200 kg <- b'],
	],
	[
		'what says nothing',
		'Hi Ann,\n\nhere is what I found:\n\nWhat do bikes carry?\n\n**Loads**\n\nBikes carry 80 kg [1].\n\nLet me know if you need more!\n\n1. https://a.example/',
		['Bikes carry 80 kg. <- a'],
	],
	[
		'German, with its head of sources',
		'Lastenräder tragen z. B. 80 kg [1]. Ein Dreirad trägt laut Dr. Meier 200 kg [2].\n\nQuellen:\n- [1] https://a.example/\n- [2] https://b.example/',
		['Lastenräder tragen z. B. 80 kg. <- a', 'Ein Dreirad trägt laut Dr. Meier 200 kg. <- b'],
	],
	[
		'Japanese',
		'自転車は80キロを運ぶ[1]。三輪車は200キロを運ぶ[2]。\n\n出典\n1. https://a.example/\n2. https://b.example/',
		['自転車は80キロを運ぶ。 <- a', '三輪車は200キロを運ぶ。 <- b'],
	],
	[
		'HTML with links and raised numbers',
		'<html><head><title>Report</title></head><body><h1>Bikes</h1><p>Bikes carry 80&nbsp;kg<sup>1</sup>. A trike carries <a href="https://b.example/">200 kg</a>.</p><h2>Sources</h2><ol><li><a href="https://a.example/">Bikes</a></li></ol></body></html>',
		['Bikes carry 80 kg. <- a', 'A trike carries 200 kg. <- b'],
	],
	[
		'titles above their addresses',
		'Bikes carry 80 kg [1]. A trike carries 200 kg [2].\n\nSources\n\n[1] All about bikes\nhttps://a.example/\n\n[2] All about trikes\nhttps://b.example/',
		['Bikes carry 80 kg. <- a', 'A trike carries 200 kg. <- b'],
	],
	[
		'a numbered list of findings is no list of sources',
		'1. Bikes carry 80 kg. They are fast. https://a.example/\n2. A trike carries 200 kg. It is slow. https://b.example/',
		['Bikes carry 80 kg. <- a*', 'They are fast. <- a', 'A trike carries 200 kg. <- b*', 'It is slow. <- b'],
	],
	[
		'raised numbers, also those that a copy has put behind a full stop',
		'Bikes carry 80 kg each¹. The market grew.2 Margins fell.[3]\n\n¹ https://a.example/\n² https://b.example/\n³ https://c.example/',
		['Bikes carry 80 kg each. <- a', 'The market grew. <- b', 'Margins fell. <- c'],
	],
	[
		'footnotes with names, and a place in a source',
		'Die Firma hat 40 Leute.[^leute] Laut einer Studie (https://a.example/, S. 12) gewinnen Räder.\n\n[^leute]: https://b.example/',
		['Die Firma hat 40 Leute. <- b', 'Laut einer Studie gewinnen Räder. <- a'],
	],
	[
		'numbers that are no citations',
		'The plan [2] of 2024 costs 80 euros a month. Law (1) of 1990 still holds here.',
		['The plan of 2024 costs 80 euros a month. <- ', 'Law (1) of 1990 still holds here. <- '],
	],
];

it.each(LAYOUTS)('reads %s', (_name, text, sentences) => {
	expect(said(text)).toEqual(sentences);
});

it('takes nothing of a text for a mark of its own, and no more than 200 addresses', () => {
	const many = Array.from({ length: 300 }, (_one, at) => `Bikes carry ${at} kg (https://a${at}.example/).`).join(' ');
	const { sentences, sources } = readCitedText(`\ue001Bikes [9001] carry 80 kg. ${many}`);
	expect(sources).toHaveLength(200);
	expect(sentences[0]).toMatchObject({ sources: [] });
	expect(sentences.map(({ position }) => position)).toEqual(sentences.map((_one, at) => at + 1));
});

it('hides no statement behind a greeting, and lets a heading with a source be checked', () => {
	expect(
		said('Of course, Acme has lost 40 % of its staff. Thanks to Acme 300 bikes are gone. Dear prices fell by half.'),
	).toEqual(['Of course, Acme has lost 40 % of its staff. <- ', 'Thanks to Acme 300 bikes are gone. <- ']);
	expect(said('## Acme lost half of its staff [1]\n\nHi-tech firms grew a lot.\n\n1. https://a.example/')).toEqual([
		'## Acme lost half of its staff <- a',
		'Hi-tech firms grew a lot. <- ',
	]);
});

it('says of a sentence that it cites an address for which there is no room', () => {
	const many = Array.from({ length: 201 }, (_one, at) => `Bikes carry ${at} kg (https://a${at}.example/).`).join(' ');
	const { sentences } = readCitedText(many);
	expect(sentences.filter(({ hasMore }) => hasMore).map(({ text, sources }) => [text, sources])).toEqual([
		['Bikes carry 200 kg.', []],
	]);
});
