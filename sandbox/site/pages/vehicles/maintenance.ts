import type { SitePage } from '../page.ts';

export const maintenance: SitePage = {
	path: '/maintenance',
	title: 'Maintenance and repairs',
	description: 'What wears out on delivery bikes, how often, and what it costs.',
	sections: [
		{
			heading: 'What wears',
			paragraphs: [
				'A delivery bike runs 10,000 to 15,000 km a year with loads that ordinary parts were never made for. Chains last 2,000 km, brake pads 1,500 to 2,500 km, tyres 4,000 to 6,000 km and rear wheels about 12,000 km.',
				'Belt drives last 20,000 km and need no oil, but a new one costs 95 euros and the frame must be made for it. Fleets that changed to belts cut the workshop hours per bike by 20 percent.',
			],
		},
		{
			heading: 'What it costs',
			paragraphs: [
				'Maintenance and repairs cost 700 to 1,100 euros per bike and year, about half of it labour. Trikes cost a third more than two-wheelers because they have more brakes, more tyres and a differential.',
				'A mobile mechanic charges 55 to 75 euros an hour. From about ten bikes on, an own mechanic for half the week is cheaper and cuts the days a bike stands still from 14 to 6 a year.',
			],
		},
		{
			heading: 'A plan that works',
			paragraphs: [
				"Every day: tyre pressure, brakes and lights, two minutes by the rider. Every week: chain, pads and screws, 20 minutes. Every 2,500 km: wheels, bearings, the frame's welds and the motor's software, two hours.",
				'Fleets that keep to such a plan lose 1.5 percent of their rounds to breakdowns; fleets that repair what breaks lose 5 percent. A spare bike for every eight covers the rest.',
			],
		},
		{
			heading: 'Frames',
			paragraphs: [
				'Frames crack where the load rests, mostly at the rear axle and behind the steering tube. Loads over the limit are the usual cause, and makers refuse the warranty when a scale shows it.',
			],
		},
	],
	related: ['/costs', '/load-limits', '/batteries'],
};
