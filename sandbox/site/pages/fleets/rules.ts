import type { SitePage } from '../page.ts';

export const rules: SitePage = {
	path: '/rules',
	title: 'Rules for cargo bikes',
	description: 'Width, weight, power and suspension rules that apply to delivery bikes.',
	sections: [
		{
			heading: 'When it is still a bike',
			paragraphs: [
				'In most of Europe a pedal-assisted bike counts as a bicycle when its motor gives no more than 250 W of continuous power and stops helping at 25 km per hour. No plate, licence or compulsory insurance is then needed.',
				'Stronger or faster bikes are mopeds: they need a plate, insurance and a helmet, and may not use most cycle paths. For delivery work the loss of the cycle path costs more time than 45 km per hour wins.',
			],
		},
		{
			heading: 'Size and weight',
			paragraphs: [
				'A technical standard for cargo bikes sets 300 kg as the highest total weight for single-track bikes and 500 kg for heavy ones, including rider and load. Several countries have put these figures into law.',
				'Width is commonly limited to 1 m on cycle paths, and to 2 m on the road. Bollards are the practical limit: in one city 31 of 400 measured gaps were narrower than 95 cm.',
			],
		},
		{
			heading: 'Stopping and suspension',
			paragraphs: [
				'A delivery bike may stop on the pavement to unload in many cities as long as 1.5 m stay free for people on foot. Marked loading bays for bikes exist in about 60 larger cities, at a cost of 300 to 900 euros a bay.',
				'Zero-emission zones change the sums. Where vans with an engine may enter only from 6 to 10 in the morning, bikes can deliver for 14 hours a day and evening rounds become possible.',
			],
		},
		{
			heading: 'Work law',
			paragraphs: [
				'Employers must check loads and working time as in any other job. A shift of 8 hours with 60 km counts as heavy bodily work in some countries, which demands a medical check every three years.',
			],
		},
	],
	related: ['/safety', '/load-limits', '/hubs'],
};
