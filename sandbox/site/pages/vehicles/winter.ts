import type { SitePage } from '../page.ts';

export const winter: SitePage = {
	path: '/winter',
	title: 'Range in winter and bad weather',
	description: 'How cold, snow and rain change the range and reliability of cargo bikes.',
	sections: [
		{
			heading: 'Cold batteries',
			paragraphs: [
				'Cold takes range. At 0 degrees a battery gives about 20 percent less than at 20 degrees, at minus 10 degrees 30 to 35 percent less. A round of 45 km that one battery covers in summer needs a swap in January.',
				'Much of the loss can be avoided by bringing the battery in at night. Bikes that start with a battery at room temperature lose only 12 percent over a shift of four hours at minus 5 degrees, since the cells warm themselves as they work.',
			],
		},
		{
			heading: 'Charging in the cold',
			paragraphs: [
				'Cells must not be charged below 0 degrees: it plates the anode and shortens their life for good. Good management systems refuse to charge; cheap ones do not, so a battery from outside should stand indoors for two hours first.',
			],
		},
		{
			heading: 'Snow and ice',
			paragraphs: [
				'Studded tyres cost 45 to 70 euros each and add 8 percent to the power used, but cut falls on ice to a third. Trikes do not fall but slide; riders report that a locked differential helps on packed snow.',
				'In a city with 40 days of snow a year a fleet of 26 bikes lost 3.5 delivery days per winter, against 2 days for vans. Streets that are cleared for cars first were the main reason, not the bikes.',
			],
		},
		{
			heading: 'Rain and wind',
			paragraphs: [
				'Rain slows rounds by 5 to 8 percent, chiefly because riders unpack more carefully. Wind matters more: a head wind of 30 km per hour raises the use of power of a tall box by 40 percent.',
				'Riders with a cab or a good rain suit stay in the job longer. One operator counted 11 sick days per rider in winter before handing out heated gloves and waterproof shoes, and 7 days after.',
			],
		},
	],
	related: ['/batteries', '/riders', '/safety'],
};
