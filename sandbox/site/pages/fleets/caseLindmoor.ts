import type { SitePage } from '../page.ts';

export const caseLindmoor: SitePage = {
	path: '/case-lindmoor',
	title: 'Case study: groceries in Lindmoor',
	description: 'A supermarket chain delivers groceries by four-wheeled bike: figures of two years.',
	sections: [
		{
			heading: 'The service',
			paragraphs: [
				'In Lindmoor, a hilly town of 95,000 people, a supermarket chain delivers groceries from three shops with nine four-wheeled bikes. Orders average 17 kg and go to homes within 4 km in slots of one hour.',
				'A bike carries six orders and makes five tours a day. Two years in, 94 percent of the orders arrive within their slot, against 88 percent with the vans used before.',
			],
		},
		{
			heading: 'Money',
			paragraphs: [
				'A delivery costs the chain 3.40 euros by bike and cost 4.60 euros by van. Bikes cost 13,500 euros each and were bought with a grant of 25 percent; the chain reckons with 26 months to pay them back.',
				'The hills took their toll: brake pads last 900 km, and motors ran hot on the steepest street, a climb of 11 percent over 600 m. Riders now take a way round that is 400 m longer.',
			],
		},
		{
			heading: 'Cold goods',
			paragraphs: [
				'Frozen food travels in boxes with cooling packs that hold minus 18 degrees for three hours. In the hot summer 2 of 1,000 orders were refused for thawed goods, in winter none.',
			],
		},
		{
			heading: 'People',
			paragraphs: [
				'Riders earn 14.80 euros an hour, the same as shop staff, and half of them work in the shop on other days. Only 3 of 22 riders left in two years, where the van service had lost half its drivers each year.',
				'Customers like it: 61 percent said in a survey that delivery by bike was a reason to order again. Noise was named more often than climate.',
			],
		},
	],
	related: ['/riders', '/batteries', '/costs'],
};
