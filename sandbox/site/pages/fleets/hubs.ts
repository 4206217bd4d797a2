import type { SitePage } from '../page.ts';

export const hubs: SitePage = {
	path: '/hubs',
	title: 'Micro hubs in the city',
	description: 'Where parcels change from lorry to bike: size, cost and lessons learnt.',
	sections: [
		{
			heading: 'What a hub does',
			paragraphs: [
				'A micro hub is a small depot inside the city where goods change from a lorry to bikes. It may be a shop, a floor of a car suspend or a container in the street. The best are less than 2 km from the middle of the delivery area.',
				'Distance decides whether a hub pays. Each kilometre between hub and first stop costs a rider about 8 minutes a day, there and back with a reload, or 2,900 euros a year for a team of five.',
			],
		},
		{
			heading: 'Size and cost',
			paragraphs: [
				'Twelve bikes with 1,000 parcels a day need 150 to 200 square metres, with a door 2.5 m high and room for one lorry of 7.5 tonnes. Rents run from 12 euros a square metre in a car suspend to 35 euros in a shop.',
				'Containers are quick but tight: one of 14 square metres serves three bikes. A city that set up five of them paid 21,000 euros each, including the power connection.',
			],
		},
		{
			heading: 'Running a hub',
			paragraphs: [
				'Sorting by round before the lorry leaves saves the hub 40 percent of its space. Hubs that sort on site need 25 minutes longer each morning, and riders start late.',
				'Shared hubs, where several carriers use one place, sound thrifty but few last. Of nine that began with public money four were still open after three years, all of them with a neutral operator who was paid per parcel.',
			],
		},
		{
			heading: 'Neighbours',
			paragraphs: [
				'Complaints about hubs are mostly about lorries before 7 in the morning, not about bikes. Deliveries with electric lorries after 7 cut complaints from 14 to 2 a month in one quarter.',
			],
		},
	],
	related: ['/case-nordhaven', '/costs', '/noise-emissions'],
};
