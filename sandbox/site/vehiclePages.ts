import type { SitePage } from './fleetPages.ts';

export const batteries: SitePage = {
	path: '/batteries',
	title: 'Batteries and charging',
	description: 'Battery sizes, life, charging and fire safety for cargo bikes.',
	sections: [
		{
			heading: 'Size and range',
			paragraphs: [
				'Most delivery bikes carry a battery of 500 to 750 Wh. Loaded with 80 kg a long john uses 12 to 15 Wh a kilometre, a trike 18 to 22 Wh, so one battery of 700 Wh lasts for about 50 km or 35 km.',
				'A full shift of 60 to 70 km therefore needs two batteries or a break with a charger. Swapping takes under 2 minutes and is what most fleets do; a spare battery costs 650 to 900 euros.',
			],
		},
		{
			heading: 'Life',
			paragraphs: [
				'A battery in daily use lasts 700 to 1,000 full cycles, which is three to four years, before it falls below 75 percent of its capacity. Keeping it between 20 and 80 percent charge stretches that by about a third.',
				'Fleets that charged every battery to 100 percent and left it there over the weekend had to replace it 9 months earlier on average than fleets that used timers.',
			],
		},
		{
			heading: 'Charging',
			paragraphs: [
				'A usual charger of 4 A fills a 700 Wh battery in 4.5 hours; a fast one of 8 A in 2.5 hours at the cost of some life. Ten bikes need a connection of about 3 kW when charging is staggered, which an ordinary shop already has.',
				'Power for one bike costs about 110 euros a year at 0.32 euros per kWh and 14,000 km. That is the smallest item of all running costs.',
			],
		},
		{
			heading: 'Fire safety',
			paragraphs: [
				'Damaged cells are the main fire risk. Insurers ask for charging in a room with a smoke detector, on a surface that does not burn, and with 30 cm between batteries. Batteries that have been dropped should be kept apart for 24 hours and then tested.',
			],
		},
	],
	related: ['/winter', '/maintenance', '/costs'],
};

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

export const vans: SitePage = {
	path: '/vans',
	title: 'Cargo bikes compared with vans',
	description: 'Speed, cost, capacity and reliability of bikes and vans on the same rounds.',
	sections: [
		{
			heading: 'Speed',
			paragraphs: [
				'In the inner city bikes are as fast as vans between stops, at 15 to 16 km per hour on average, and faster at the door. Measured over 2,300 stops a rider took 2.1 minutes from arrival to departure, a van driver 3.4 minutes.',
				'Outside the inner ring vans win: above 1 km between stops their average rises to 26 km per hour, and a bike falls behind by 20 percent or more.',
			],
		},
		{
			heading: 'Cost per parcel',
			paragraphs: [
				'With 90 stops or more a day a parcel costs 1.60 euros by bike, 1.95 euros by diesel van and 1.85 euros by electric van. With 50 stops a day all three cost about 2.60 euros.',
				'A bike needs 3 square metres to suspend, a van 12. Where a place in a garage costs 120 euros a month for a van, four bikes fit in it.',
			],
		},
		{
			heading: 'Capacity and reliability',
			paragraphs: [
				'One van is replaced by 1.2 to 1.5 bikes, not by one, since a bike has to return to reload. Firms that planned one for one had to keep their vans for the afternoon.',
				'Bikes arrive more evenly: the time of a round varies by 7 percent from day to day, that of a van by 19 percent, because traffic jams and suspension hardly touch bikes.',
			],
		},
		{
			heading: 'When to keep the van',
			paragraphs: [
				'Heavy goods, rounds over 40 km, hills above 12 percent and areas without cycle paths speak for the van. Most firms end with a mix of about four bikes to one electric van.',
			],
		},
	],
	related: ['/costs', '/load-limits', '/noise-emissions'],
};

export const noiseEmissions: SitePage = {
	path: '/noise-emissions',
	title: 'Noise, emissions and space',
	description: 'What cargo bikes change for air, noise and street space in a city.',
	sections: [
		{
			heading: 'Carbon dioxide',
			paragraphs: [
				'An electric cargo bike causes about 22 g of carbon dioxide a kilometre over its life, making and power included. An electric van causes 95 g and a diesel van 260 g on the same rounds.',
				'Making the bike counts for 60 percent of its emissions, chiefly the battery and the aluminium frame. A bike in use for six years instead of three emits a third less per kilometre.',
			],
		},
		{
			heading: 'Air and noise',
			paragraphs: [
				'Bikes give off no exhaust, and their brakes and tyres shed 90 percent less fine dust than those of a van. In a street with 40 delivery vans a day, changing half of them to bikes lowered nitrogen dioxide by 4 percent.',
				'A passing cargo bike reaches 50 decibels at 2 m, an electric van 62 and a diesel van 70. Deliveries before 7 in the morning woke 3 percent of the residents with bikes and 21 percent with vans.',
			],
		},
		{
			heading: 'Space',
			paragraphs: [
				'A suspended van takes 12 square metres of street, a bike 3. In a trial in two quarters double suspension fell by 38 percent after a third of the deliveries had changed to bikes.',
				'Pavements pay part of the price. People with prams and wheelchairs complained about suspended bikes in 17 cases in half a year, until the city marked 26 loading bays on former car spaces.',
			],
		},
		{
			heading: 'What it does not solve',
			paragraphs: [
				'More parcels eat up the gain. Volumes grow by 7 percent a year, so a city that moves a quarter of its parcels to bikes is back at the same number of vans within four years.',
			],
		},
	],
	related: ['/vans', '/rules', '/hubs'],
};
