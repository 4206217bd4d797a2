import type { SitePage } from '../page.ts';

export const loadLimits: SitePage = {
	path: '/load-limits',
	title: 'Load limits and what fits',
	description: 'How much different cargo bikes carry, by weight and by volume.',
	sections: [
		{
			heading: 'By weight',
			paragraphs: [
				'The load limit of a bike is its highest total weight less its own weight and the rider. A long john with a limit of 220 kg that weighs 38 kg and carries a rider of 80 kg has 102 kg left for goods and box.',
				'Trikes carry 150 to 200 kg and four-wheeled bikes 200 to 250 kg. Trailers are rated for 60 to 150 kg, but a trailer without brakes should not carry more than 80 kg.',
			],
		},
		{
			heading: 'By volume',
			paragraphs: [
				'Volume runs out before weight. A parcel weighs 3.2 kg on average and takes 18 litres, so a box of 1.5 cubic metres is full with about 65 parcels, which together weigh only 210 kg.',
				'A van of 10 cubic metres carries 180 to 220 parcels. A trike therefore has to reload two or three times a shift, which is why the way to the hub must be short.',
			],
		},
		{
			heading: 'Heavy and bulky goods',
			paragraphs: [
				'Single pieces over 31 kg need two people or a lift and are better left to a van. Pallets of half size with up to 200 kg do fit on some four-wheeled bikes and are loaded with a hand pallet truck.',
				'Tradespeople carry less than they think: a survey of 70 plumbers and electricians found that 62 percent of their calls needed tools and parts under 50 kg.',
			],
		},
		{
			heading: 'What overloading does',
			paragraphs: [
				'Overloading by 20 percent doubles the wear of spokes and lengthens the way to stop by a quarter. It is also the first thing that an insurer asks after an accident.',
			],
		},
	],
	related: ['/maintenance', '/vans', '/rules'],
};
