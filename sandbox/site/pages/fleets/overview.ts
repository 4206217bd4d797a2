import type { SitePage } from '../page.ts';

export const overview: SitePage = {
	path: '/',
	title: 'Cargo bikes for city deliveries',
	description:
		'What cargo bikes can do in city deliveries, where they beat vans and where they do not.',
	sections: [
		{
			heading: 'What this is about',
			paragraphs: [
				'Cargo bikes carry parcels, groceries, tools and laundry through dense cities. In a typical European city about half of all motorised goods trips carry less than 200 kg over less than 7 km, which is within reach of a bike with an electric motor.',
				'Three kinds do most of the work. A long john with the box in front carries 80 to 100 kg, a trike 150 to 200 kg, and a four-wheeled bike with a cab up to 250 kg. A bike trailer adds another 60 to 150 kg but makes narrow turns slower.',
			],
		},
		{
			heading: 'Where they work well',
			paragraphs: [
				'Bikes win where stops are close together and suspension is scarce. On rounds with more than 6 stops per kilometre a rider delivers about 12 parcels an hour, against 9 for a van driver who has to look for a place to stop.',
				'They work less well on rounds longer than 40 km, for goods heavier than 40 kg a piece, and in suburbs where one stop is 800 m from the next. Operators who put bikes there report that a van is cheaper by about a quarter.',
			],
		},
		{
			heading: 'What to check first',
			paragraphs: [
				'A firm that thinks about changing should first count its stops, weigh its goods and find a place within 3 km of its customers where bikes can be loaded. Without such a hub the ride to the first stop eats up to 30 percent of a shift.',
				'Each further question has a page of its own here, with figures from operators and from the trials of four towns.',
			],
		},
	],
	related: ['/costs', '/vans', '/hubs'],
};
