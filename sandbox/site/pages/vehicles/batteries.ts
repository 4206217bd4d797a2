import type { SitePage } from '../page.ts';

export const batteries: SitePage = {
	path: '/batteries',
	title: 'Batteries and charging',
	description: 'Battery sizes, life, charging and fire safety for cargo bikes.',
	sections: [
		{
			heading: 'Size and range',
			paragraphs: [
				'Most delivery bikes carry a battery of 500 to 750 Wh. Loaded with 80 kg a long john uses 12 to 15 Wh a kilometre, a trike 18 to 22 Wh, so one battery of 700 Wh lasts for about 50 km or 35 km.',
				'A full shift of 60 to 70 km therefore needs two batteries or a break with a charger. Swapping takes under 2 minutes and is what most fleets do; a spare battery costs 650 to 900 euros.',
			],
		},
		{
			heading: 'Life',
			paragraphs: [
				'A battery in daily use lasts 700 to 1,000 full cycles, which is three to four years, before it falls below 75 percent of its capacity. Keeping it between 20 and 80 percent charge stretches that by about a third.',
				'Fleets that charged every battery to 100 percent and left it there over the weekend had to replace it 9 months earlier on average than fleets that used timers.',
			],
		},
		{
			heading: 'Charging',
			paragraphs: [
				'A usual charger of 4 A fills a 700 Wh battery in 4.5 hours; a fast one of 8 A in 2.5 hours at the cost of some life. Ten bikes need a connection of about 3 kW when charging is staggered, which an ordinary shop already has.',
				'Power for one bike costs about 110 euros a year at 0.32 euros per kWh and 14,000 km. That is the smallest item of all running costs.',
			],
		},
		{
			heading: 'Fire safety',
			paragraphs: [
				'Damaged cells are the main fire risk. Insurers ask for charging in a room with a smoke detector, on a surface that does not burn, and with 30 cm between batteries. Batteries that have been dropped should be kept apart for 24 hours and then tested.',
			],
		},
	],
	related: ['/winter', '/maintenance', '/costs'],
};
