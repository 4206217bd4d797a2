import { fillRow } from '../../../nodes/research/fillRow';
import { seededRandom } from '../../../sandbox/runtime/runtime.ts';
import { COLUMNS, firmBy, worldOf } from './rowWorld.ts';
import { QUESTION } from './world.ts';

it.each([
	['another page of it', (site: string) => `${site}/global/en/home.html`],
	['another site', () => 'https://www.granit-group.example/welcome/home'],
])('reads the pages of a site whose address leads to %s', async (_name, leadsTo) => {
	const firm = firmBy(seededRandom(1), 40);
	const site = firm.website.replace(/\/$/, '');
	const fill = async (home: string) => {
		const world = worldOf(firm, 'honest', 'honest', seededRandom(1));
		const page = world.page.bind(world);
		const host = new URL(home).origin;
		// All of the site has moved with it.
		world.page = (url) => {
			const asked = url.replace(host, site);
			const isHome = asked.replace(/\/$/, '') === site;
			return { ...page(asked), url: isHome ? home : asked.replace(site, host) };
		};
		const { mapSite } = world.parts;
		const parts = {
			...world.parts,
			mapSite: async (url: string, words: string) => {
				const { results, creditsUsed } = await mapSite(url.replace(host, site), words);
				return { results: results.map((one) => ({ ...one, url: one.url.replace(site, host) })), creditsUsed };
			},
		};
		const row = { subject: firm.subject, website: firm.website, columns: COLUMNS };
		return await world.clock.until(fillRow(row, { ...QUESTION, query: firm.subject, maxPages: 6 }, parts));
	};
	const values = ({ cells }: Awaited<ReturnType<typeof fill>>) => cells.map(({ value }) => value);
	const usual = values(await fill(`${site}/`));
	expect(usual.filter((value) => value !== null).length).toBeGreaterThan(6);
	expect(values(await fill(leadsTo(site)))).toEqual(usual);
});
