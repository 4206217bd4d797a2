/**
 * Which of thirty results a research reads, and which contradictions it tells. `SOURCES_SHOW=1` prints the tables,
 * `SOURCES_SEEDS` and `SOURCES_QUESTIONS` choose what they are measured on.
 */
import { Chance } from '../chance.ts';
import { CHOOSERS, conflictPages, JUDGES, measured, MOST_PAGES } from './sourcesWorld.ts';
import type { Table } from './sourcesWorld.ts';
import { dataIn, World } from './world.ts';

const SEEDS = (process.env.SOURCES_SEEDS ?? '1').split(',').map(Number);
const QUESTIONS = Number(process.env.SOURCES_QUESTIONS ?? 4);

it('reads who the question is about and who has made the figures, each story once', async () => {
	const rows: Array<Table & { chooser: string }> = [];
	for (const chooser of Object.keys(CHOOSERS)) rows.push({ chooser, ...(await measured(chooser, SEEDS, QUESTIONS)) });
	if (process.env.SOURCES_SHOW) console.table(rows);
	const [bySite, , adversary] = rows;
	expect(bySite?.official).toBe(1);
	expect(bySite?.copies).toBe(0);
	// A third of the places is code's, whatever the model says.
	expect(adversary?.spam).toBeLessThan(MOST_PAGES);
});

it('tells claims that cannot both be true, with their sites, whatever the report says', async () => {
	const rows: Array<{ judge: string; questions: number; found: number; wrong: number; pairs: number }> = [];
	for (const [judge, verdictOn] of Object.entries(JUDGES)) {
		const row = { judge, questions: 0, found: 0, wrong: 0, pairs: 0 };
		for (const seed of SEEDS) {
			const chance = new Chance(seed + 7);
			for (let number = 0; number < QUESTIONS; number += 1) {
				const { query, pages } = conflictPages(chance);
				const world = new World(pages, {
					judge: (request) => {
						const pairs = dataIn(request)
							.join('\n')
							.matchAll(/^(\d+)\. (?:Statement|Heading): (.*)(?:\nPage: (.*))?\nPassage: (.*)$/gm);
						const verdicts = [...pairs].map(([, pair, statement = '', page, passage = '']) => {
							// Of a claim and its own page nothing is asked here.
							if (page === undefined) return { pair: Number(pair), verdict: 'supported' };
							row.pairs += 1;
							return { pair: Number(pair), verdict: verdictOn(statement, passage) };
						});
						return JSON.stringify({ verdicts });
					},
				});
				const { contradictions } = await world.run({ query });
				const told = contradictions.map(({ statements }) => statements.map(({ source }) => new URL(source).host));
				const isConflict = (hosts: string[]) =>
					hosts.includes('two.example') && (hosts.includes('one.example') || hosts.includes('four.example'));
				row.questions += 1;
				row.found += told.some(isConflict) ? 1 : 0;
				row.wrong += told.some((hosts) => hosts.includes('three.example')) ? 1 : 0;
			}
		}
		rows.push(row);
	}
	if (process.env.SOURCES_SHOW) console.table(rows);
	const [honest, , none] = rows;
	expect(honest).toMatchObject({ found: honest?.questions, wrong: 0 });
	expect(none?.found).toBe(0);
});
