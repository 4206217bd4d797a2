import type { SitePage } from '../page.ts';

export const riders: SitePage = {
	path: '/riders',
	title: 'Riders: pay, health and turnover',
	description: 'Who rides delivery bikes, what it does to them and what keeps them.',
	sections: [
		{
			heading: 'Who does it',
			paragraphs: [
				'Riders are 31 years old on average and 18 percent are women, twice the share among van drivers. No driving licence is needed, which opens the job to people who could not drive a van.',
				'Pay is 13 to 16 euros an hour for employed riders. Riders paid per parcel earn about the same on good days but 30 percent less in January and February.',
			],
		},
		{
			heading: 'What it does to the body',
			paragraphs: [
				'With an electric motor a shift of six hours takes the heart to about 110 beats a minute, comparable to brisk walking. Without a motor, and with 80 kg, it is 140 beats, and few riders keep that up for more than five years.',
				'Sore knees and hands are the usual complaints. A proper saddle height and a suspension fork cut them by half in a study with 140 riders over 18 months.',
			],
		},
		{
			heading: 'Turnover',
			paragraphs: [
				'Turnover is the hidden cost: finding and training a new rider costs 1,800 to 2,500 euros. Firms with employed riders lose 25 percent of them a year, firms that pay per parcel 80 percent.',
				'Asked what would keep them, riders name a warm place for breaks first, then good rain clothes, then pay. A break room at the hub costs about 250 euros a month.',
			],
		},
		{
			heading: 'Planning of rounds',
			paragraphs: [
				'Good rounds end near the hub and put the heavy parcels first. Planning software made for vans sends bikes round one-way streets that they may ride through; correcting that saved 6 percent of the distance.',
			],
		},
	],
	related: ['/safety', '/winter', '/costs'],
};
