import type { SitePage } from '../page.ts';

export const costs: SitePage = {
	path: '/costs',
	title: 'Costs of a cargo bike fleet',
	description: 'Purchase, running costs, insurance and payback of cargo bikes in delivery work.',
	sections: [
		{
			heading: 'Buying',
			paragraphs: [
				'A two-wheeled electric cargo bike for daily delivery work costs 5,500 to 7,500 euros, a trike 8,000 to 11,000 euros and a four-wheeled bike with a cab 12,000 to 16,000 euros. A comparable electric van costs 38,000 euros or more.',
				'Boxes, racks and a second battery are rarely in the list price. Operators add about 1,400 euros per bike for them, and another 300 euros for locks and a tracker, without which most insurers refuse theft cover.',
			],
		},
		{
			heading: 'Running',
			paragraphs: [
				'Running costs of an electric cargo bike come to about 0.11 euros a kilometre: 0.02 euros for power, 0.05 euros for wear and tyres and 0.04 euros for repairs. A diesel van in the same streets costs about 0.42 euros a kilometre.',
				'Insurance against theft and liability costs 350 to 600 euros a year and bike. Storage is the forgotten item: a lockable place with a power socket costs 40 to 90 euros a month in the inner city.',
			],
		},
		{
			heading: 'Wages decide',
			paragraphs: [
				'Wages make up 70 to 80 percent of the cost of a delivery, whatever the vehicle. A bike that saves 40 seconds at every stop is worth more than one that saves on fuel: at 90 stops a day that is a whole hour.',
				'With 90 stops a day the cost per parcel falls from 1.95 euros by van to 1.60 euros by bike. Below 50 stops a day the advantage is gone, because the longer rides between stops cost more working time than suspension saves.',
			],
		},
		{
			heading: 'Payback and grants',
			paragraphs: [
				'Fleets of ten bikes or more report a payback of 18 to 30 months against leased vans. Small firms with one or two bikes need 3 to 4 years, mostly because a standing bike costs nearly as much as a riding one.',
				'Many cities pay grants of 20 to 30 percent of the price, capped at 2,500 euros a bike. Grants shorten the payback by 5 to 8 months but usually demand that the bike stays in the city for three years.',
			],
		},
	],
	related: ['/vans', '/maintenance', '/riders'],
};
