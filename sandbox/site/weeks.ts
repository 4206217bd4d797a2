/** Pages that say other things from week to week, for research on a schedule. Operators and prices are made up. */

const WEEKS = [1, 2, 3] as const;
export type Week = (typeof WEEKS)[number];

interface WeeklyPage {
	path: string;
	title: string;
	description: string;
	/** Sentences by week; one text stands in all of them. */
	sentences: ReadonlyArray<string | Partial<Record<Week, string>>>;
}

/** From week 1 to 2: one price changes, one statement is new, one is gone. In week 3 nothing changes. */
const PAGES: readonly WeeklyPage[] = [
	{
		path: '/scooters/zippo',
		title: 'Zippo scooters: prices',
		description: 'What a ride on a Zippo scooter costs.',
		sentences: [
			{
				1: 'A ride on a Zippo scooter costs 22 cents a minute.',
				2: 'A ride on a Zippo scooter costs 25 cents a minute.',
				3: 'A ride on a Zippo scooter costs 25 cents a minute.',
			},
			'To unlock a Zippo scooter costs 1 euro.',
			'Zippo scooters may be parked in 240 marked places of the city.',
		],
	},
	{
		path: '/scooters/rolla',
		title: 'Rolla scooters: prices and cities',
		description: 'Where Rolla scooters run and what they cost.',
		sentences: [
			'A day on a Rolla scooter costs 12 euros, however long the ride is.',
			{ 1: 'Pupils and students borrow Rolla scooters at half the price in winter.' },
			'Rolla has 1,400 scooters in 9 cities.',
		],
	},
	{
		path: '/scooters/kixx',
		title: 'Kixx scooters: prices',
		description: 'Prices of Kixx scooters.',
		sentences: [
			'A Kixx scooter costs 19 cents a minute, and nothing to unlock.',
			{
				2: 'From May on Kixx offers scooters with a seat for 29 cents a minute.',
				3: 'From May on Kixx offers scooters with a seat for 29 cents a minute.',
			},
		],
	},
];

/** What the search knows of these pages: that they are there. */
export const WEEKLY_PAGES = PAGES.map(({ path, title, description, sentences }) => ({
	path,
	title,
	description,
	sentences: sentences.filter((one) => typeof one === 'string'),
}));

/** The page of this path in this week as HTML; undefined where it is none of these. */
export function weeklyPage(path: string, week: Week): string | undefined {
	const page = PAGES.find((one) => one.path === path);
	if (!page) return undefined;
	const texts = page.sentences.flatMap((one) => (typeof one === 'string' ? one : (one[week] ?? [])));
	const paragraphs = texts.map((text) => `<p>${text}</p>`).join('\n');
	return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${page.title}</title><meta name="description" content="${page.description}"></head><body><main><h1>${page.title}</h1>\n${paragraphs}</main></body></html>`;
}

/** The week that the page of this name below `/try/` begins, such as `week-2`. */
export function weekBegunBy(name: string): Week | undefined {
	return WEEKS.find((week) => name === `week-${week}`);
}

/** What the pages of firms say otherwise from week 2 on: one price is another one, one trial is gone, one number is new. */
const FIRMS_FROM_WEEK_2: ReadonlyArray<[before: string, now: string]> = [
	['The smallest plan of Velonda costs 29 euros', 'The smallest plan of Velonda costs 35 euros'],
	['There is a free trial of Kurvio for 30 days.', 'Kurvio is paid by the month.'],
	['Pakatto was founded in 2016.', 'Pakatto was founded in 2016. Pakatto has 33 employees.'],
];

/** A page of a firm as it is in this week. */
export function firmPageIn(week: Week, html: string): string {
	if (week === 1) return html;
	return FIRMS_FROM_WEEK_2.reduce((page, [before, now]) => page.replace(before, now), html);
}
