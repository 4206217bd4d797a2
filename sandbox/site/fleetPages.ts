/** One page of the site. Texts are the project's own; their figures are made up to be plausible. */
export interface SitePage {
	path: string;
	title: string;
	/** For the description in the page's head. */
	description: string;
	/** Headings with their paragraphs. */
	sections: ReadonlyArray<{ heading: string; paragraphs: readonly string[] }>;
	/** Paths of pages to read next. */
	related: readonly string[];
}

export const overview: SitePage = {
	path: '/',
	title: 'Cargo bikes for city deliveries',
	description: 'What cargo bikes can do in city deliveries, where they beat vans and where they do not.',
	sections: [
		{
			heading: 'What this is about',
			paragraphs: [
				'Cargo bikes carry parcels, groceries, tools and laundry through dense cities. In a typical European city about half of all motorised goods trips carry less than 200 kg over less than 7 km, which is within reach of a bike with an electric motor.',
				'Three kinds do most of the work. A long john with the box in front carries 80 to 100 kg, a trike 150 to 200 kg, and a four-wheeled bike with a cab up to 250 kg. A bike trailer adds another 60 to 150 kg but makes narrow turns slower.',
			],
		},
		{
			heading: 'Where they work well',
			paragraphs: [
				'Bikes win where stops are close together and suspension is scarce. On rounds with more than 6 stops per kilometre a rider delivers about 12 parcels an hour, against 9 for a van driver who has to look for a place to stop.',
				'They work less well on rounds longer than 40 km, for goods heavier than 40 kg a piece, and in suburbs where one stop is 800 m from the next. Operators who put bikes there report that a van is cheaper by about a quarter.',
			],
		},
		{
			heading: 'What to check first',
			paragraphs: [
				'A firm that thinks about changing should first count its stops, weigh its goods and find a place within 3 km of its customers where bikes can be loaded. Without such a hub the ride to the first stop eats up to 30 percent of a shift.',
				'Each further question has a page of its own here, with figures from operators and from the trials of four towns.',
			],
		},
	],
	related: ['/costs', '/vans', '/hubs'],
};

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

export const caseLindmoor: SitePage = {
	path: '/case-lindmoor',
	title: 'Case study: groceries in Lindmoor',
	description: 'A supermarket chain delivers groceries by four-wheeled bike: figures of two years.',
	sections: [
		{
			heading: 'The service',
			paragraphs: [
				'In Lindmoor, a hilly town of 95,000 people, a supermarket chain delivers groceries from three shops with nine four-wheeled bikes. Orders average 17 kg and go to homes within 4 km in slots of one hour.',
				'A bike carries six orders and makes five tours a day. Two years in, 94 percent of the orders arrive within their slot, against 88 percent with the vans used before.',
			],
		},
		{
			heading: 'Money',
			paragraphs: [
				'A delivery costs the chain 3.40 euros by bike and cost 4.60 euros by van. Bikes cost 13,500 euros each and were bought with a grant of 25 percent; the chain reckons with 26 months to pay them back.',
				'The hills took their toll: brake pads last 900 km, and motors ran hot on the steepest street, a climb of 11 percent over 600 m. Riders now take a way round that is 400 m longer.',
			],
		},
		{
			heading: 'Cold goods',
			paragraphs: [
				'Frozen food travels in boxes with cooling packs that hold minus 18 degrees for three hours. In the hot summer 2 of 1,000 orders were refused for thawed goods, in winter none.',
			],
		},
		{
			heading: 'People',
			paragraphs: [
				'Riders earn 14.80 euros an hour, the same as shop staff, and half of them work in the shop on other days. Only 3 of 22 riders left in two years, where the van service had lost half its drivers each year.',
				'Customers like it: 61 percent said in a survey that delivery by bike was a reason to order again. Noise was named more often than climate.',
			],
		},
	],
	related: ['/riders', '/batteries', '/costs'],
};

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
