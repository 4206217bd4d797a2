import type { SitePage } from '../page.ts';

export const safety: SitePage = {
	path: '/safety',
	title: 'Safety in traffic',
	description: 'Accidents, braking, visibility and training for cargo bike delivery.',
	sections: [
		{
			heading: 'How often things go wrong',
			paragraphs: [
				'Delivery riders on cargo bikes report about 4 accidents with injury per million kilometres, vans in the same streets 3. But van accidents hurt others: seven of ten people injured in them are outside the van, against two of ten for bikes.',
				'Most falls of riders happen without another vehicle: wet tram rails, kerbs taken at an angle and shifting loads make up 55 percent of them.',
			],
		},
		{
			heading: 'Brakes and loads',
			paragraphs: [
				'A loaded long john of 220 kg needs 6.5 m to stop from 25 km per hour with good hydraulic discs, and 10 m with worn pads. Pads on delivery bikes last only 1,500 to 2,500 km, so they need a check every week.',
				'The load belongs low and near the axle. With 60 kg at a height of 1 m the lean angle at which a trike lifts a wheel drops from 24 to 15 degrees, which is a quick turn at 18 km per hour.',
			],
		},
		{
			heading: 'Being seen',
			paragraphs: [
				"Bikes with a box are 2.4 m long and easily vanish in a lorry's blind spot. Side markers, a light on the box and a mirror cost under 120 euros together and halved near misses in a trial with 60 riders.",
			],
		},
		{
			heading: 'Training',
			paragraphs: [
				'A day of training pays. Fleets that train new riders for 8 hours with a loaded bike have 40 percent fewer accidents in the first three months, which is when half of all accidents happen.',
				'Helmets are worn by 92 percent of riders where the employer provides them and by 54 percent where he only recommends them.',
			],
		},
	],
	related: ['/rules', '/riders', '/maintenance'],
};
