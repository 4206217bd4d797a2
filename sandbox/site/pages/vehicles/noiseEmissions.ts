import type { SitePage } from '../page.ts';

export const noiseEmissions: SitePage = {
	path: '/noise-emissions',
	title: 'Noise, emissions and space',
	description: 'What cargo bikes change for air, noise and street space in a city.',
	sections: [
		{
			heading: 'Carbon dioxide',
			paragraphs: [
				'An electric cargo bike causes about 22 g of carbon dioxide a kilometre over its life, making and power included. An electric van causes 95 g and a diesel van 260 g on the same rounds.',
				'Making the bike counts for 60 percent of its emissions, chiefly the battery and the aluminium frame. A bike in use for six years instead of three emits a third less per kilometre.',
			],
		},
		{
			heading: 'Air and noise',
			paragraphs: [
				'Bikes give off no exhaust, and their brakes and tyres shed 90 percent less fine dust than those of a van. In a street with 40 delivery vans a day, changing half of them to bikes lowered nitrogen dioxide by 4 percent.',
				'A passing cargo bike reaches 50 decibels at 2 m, an electric van 62 and a diesel van 70. Deliveries before 7 in the morning woke 3 percent of the residents with bikes and 21 percent with vans.',
			],
		},
		{
			heading: 'Space',
			paragraphs: [
				'A suspended van takes 12 square metres of street, a bike 3. In a trial in two quarters double suspension fell by 38 percent after a third of the deliveries had changed to bikes.',
				'Pavements pay part of the price. People with prams and wheelchairs complained about suspended bikes in 17 cases in half a year, until the city marked 26 loading bays on former car spaces.',
			],
		},
		{
			heading: 'What it does not solve',
			paragraphs: [
				'More parcels eat up the gain. Volumes grow by 7 percent a year, so a city that moves a quarter of its parcels to bikes is back at the same number of vans within four years.',
			],
		},
	],
	related: ['/vans', '/rules', '/hubs'],
};
