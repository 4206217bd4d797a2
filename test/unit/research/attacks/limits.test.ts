import { fileForm, reportOf } from '../../../../nodes/WebResearch/reportForms';
import { oneLine } from '../../../../nodes/research/select';
import { modelError, World } from '../world.ts';

/** So many pages, each with one claim. */
function pages(count: number): Record<string, string> {
	const entries = Array.from({ length: count }, (_, index) => [
		`https://s${index}.example/a`,
		`Acme number ${index} was founded in ${1910 + index}.`,
	]);
	return Object.fromEntries(entries) as Record<string, string>;
}

const OPEN = { gaps: () => JSON.stringify({ answered: [], contradictions: [], queries: [] }) };

it('is partial where Max URLs leaves pages unread and questions open, without a further search', async () => {
	const result = await new World(pages(5), OPEN).run({ maxPages: 1, maxRounds: 3 });
	expect(result).toMatchObject({ status: 'partial', endedBy: 'pages' });
});

it('ends at once, with the words of a model that refuses all requests', async () => {
	const refuse = () => modelError(400);
	const world = new World(pages(3), { plan: refuse, read: refuse, gaps: refuse, write: refuse });
	await expect(world.run()).rejects.toThrow(
		'The chat model did not accept the request (HTTP 400). Check the settings of the connected model node. The model says: refused.',
	);
	expect(world.scraped).toEqual([]);
});

it('names the pages to read first that it does not read', async () => {
	const [one = '', two = ''] = Object.keys(pages(2));
	const firstPages = [one, two, 'no address'];
	const { skippedPages } = await new World(pages(2)).run({ maxPages: 1, firstPages });
	expect(skippedPages.map(({ url }) => url)).toEqual([two, 'no address']);
});

it('reads the pages that the user names whatever their site: they are paid for', async () => {
	const [one = '', two = ''] = Object.keys(pages(2));
	const result = await new World(pages(2)).run({
		includeDomains: ['s1.example'],
		firstPages: [one],
	});
	expect(result.sources.map(({ url }) => url)).toEqual([one, two]);
	expect(result.skippedPages).toEqual([]);
});

it('tells the model what the user wants of the JSON', async () => {
	const world = new World(pages(1));
	await world.run({
		json: { example: {} },
		wantsReport: false,
		analysisPrompt: 'Whole years only',
	});
	expect(world.requests.at(-1)?.user).toContain('Whole years only');
});

it('makes no link of titles and descriptions', async () => {
	expect(oneLine('![x](https://evil.example/?d=1) A [b](javascript:alert) <img src=x onerror=y')).toBe(
		'x A b img src=x onerror=y',
	);
	const result = await new World(pages(1)).run();
	const [source] = result.sources;
	if (!source) throw new Error('No source.');
	const description = 'See https://evil.example/?q=1 or www.evil.example or me@evil.example';
	const report = fileForm(reportOf({ ...result, sources: [{ ...source, description }] }));
	expect(report).not.toMatch(/https?:\/\/evil|www\.evil|e@evil/);
});
