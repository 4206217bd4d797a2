import type { SitePage } from '../page.ts';

export const caseNordhaven: SitePage = {
	path: '/case-nordhaven',
	title: 'Case study: parcels in Nordhaven',
	description: 'How a parcel firm replaced eleven vans by fourteen trikes and a hub.',
	sections: [
		{
			heading: 'The start',
			paragraphs: [
				'Nordhaven is a port city with 310,000 people and an inner city of narrow streets. A parcel carrier ran 11 diesel vans there and paid 46,000 euros in suspension fines in one year, which is what started the project.',
				'In March the firm opened a hub of 180 square metres in a car suspend and bought 14 trikes with boxes of 1.5 cubic metres. Two electric vans stayed for parcels over 31 kg.',
			],
		},
		{
			heading: 'Results after one year',
			paragraphs: [
				'After twelve months the trikes delivered 86 percent of all parcels in the area. Parcels per hour rose from 15 to 18, the cost per parcel fell by 17 percent, from 2.05 to 1.70 euros, and fines fell to 1,900 euros.',
				'Carbon dioxide fell from 71 to 9 tonnes a year, counting the power and the lorry that fills the hub. The firm had expected 12 tonnes.',
			],
		},
		{
			heading: 'What went wrong',
			paragraphs: [
				'The first winter was hard: batteries left in the bikes overnight gave a third less range and six rounds a week could not be finished. Since then all batteries are stored indoors and each trike has two.',
				'Frames were the second surprise. Five of 14 frames cracked at the rear axle within nine months because boxes were loaded with up to 240 kg, 40 kg more than allowed. A scale at the hub door ended that.',
			],
		},
		{
			heading: 'Advice',
			paragraphs: [
				"The manager's advice: begin with the rounds that have the most stops, keep one van for heavy goods, and hire a mechanic as soon as there are ten bikes. Waiting for an outside workshop cost 3.2 bike days a week.",
			],
		},
	],
	related: ['/hubs', '/winter', '/load-limits'],
};
