import type { SitePage } from '../page.ts';

export const vans: SitePage = {
	path: '/vans',
	title: 'Cargo bikes compared with vans',
	description: 'Speed, cost, capacity and reliability of bikes and vans on the same rounds.',
	sections: [
		{
			heading: 'Speed',
			paragraphs: [
				'In the inner city bikes are as fast as vans between stops, at 15 to 16 km per hour on average, and faster at the door. Measured over 2,300 stops a rider took 2.1 minutes from arrival to departure, a van driver 3.4 minutes.',
				'Outside the inner ring vans win: above 1 km between stops their average rises to 26 km per hour, and a bike falls behind by 20 percent or more.',
			],
		},
		{
			heading: 'Cost per parcel',
			paragraphs: [
				'With 90 stops or more a day a parcel costs 1.60 euros by bike, 1.95 euros by diesel van and 1.85 euros by electric van. With 50 stops a day all three cost about 2.60 euros.',
				'A bike needs 3 square metres to suspend, a van 12. Where a place in a garage costs 120 euros a month for a van, four bikes fit in it.',
			],
		},
		{
			heading: 'Capacity and reliability',
			paragraphs: [
				'One van is replaced by 1.2 to 1.5 bikes, not by one, since a bike has to return to reload. Firms that planned one for one had to keep their vans for the afternoon.',
				'Bikes arrive more evenly: the time of a round varies by 7 percent from day to day, that of a van by 19 percent, because traffic jams and suspension hardly touch bikes.',
			],
		},
		{
			heading: 'When to keep the van',
			paragraphs: [
				'Heavy goods, rounds over 40 km, hills above 12 percent and areas without cycle paths speak for the van. Most firms end with a mix of about four bikes to one electric van.',
			],
		},
	],
	related: ['/costs', '/load-limits', '/noise-emissions'],
};
