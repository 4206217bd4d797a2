import { research } from '../../../../nodes/research/research';
import { claimsOf, dataIn, modelError, QUESTION, World } from '../world.ts';

const PAGES = Object.fromEntries(
	[0, 1, 2, 3, 4].map((n) => [`https://s${n}.example/a`, `Acme number ${n} was founded in 191${n}.`]),
);

/** Pages that come one after the other, and a model that fails while some are on their way. */
function slowWorld(fails: () => boolean) {
	const world = new World(PAGES, {
		read: (request) => (fails() ? modelError(401) : JSON.stringify({ claims: claimsOf(dataIn(request)[0] ?? '') })),
	});
	world.modelMs = 10;
	const { parts } = world;
	let asked = 0;
	const scrape = async (url: string) => {
		world.scraped.push(url);
		asked += 1;
		await world.clock.sleep(1000 + 500 * asked);
		return world.page(url);
	};
	return { world, parts: { ...parts, scrape } };
}

describe('a retry at once after a failure', () => {
	it('finds the pages that were on their way', async () => {
		let count = 0;
		const { world, parts } = slowWorld(() => (count += 1) === 1);
		await expect(world.clock.until(research(QUESTION, parts))).rejects.toThrow('credential');
		const result = await world.clock.until(research(QUESTION, parts));
		expect(result.claims).toHaveLength(5);
		expect(world.scraped).toHaveLength(5);
	});

	it('finds those of another question, which ended this one', async () => {
		const { world, parts } = slowWorld(() => false);
		const end = new AbortController();
		const ended = research(QUESTION, { ...parts, ending: end.signal });
		void world.clock.sleep(3000).then(() => end.abort());
		await expect(world.clock.until(ended)).rejects.toThrow('canceled');
		await world.clock.until(research(QUESTION, parts));
		expect(world.scraped).toHaveLength(5);
	});

	it('waits for nothing when the execution is stopped', async () => {
		const { world, parts } = slowWorld(() => false);
		const stopped = research(QUESTION, parts);
		void world.clock.sleep(3000).then(() => world.stop.abort());
		await expect(world.clock.until(stopped)).rejects.toThrow('canceled');
		expect(world.clock.now()).toBeLessThan(4000);
	});
});
