import { HISTORY_FORM } from '../../nodes/research/contract/history';
import type { ResearchResult } from '../../nodes/research/contract/result';
import type { NodeMemory } from '../../nodes/run/memory/memory';
import type { JsonObject } from '../../nodes/service/http/transport';
import { ResearchHistories } from '../../nodes/WebResearch/researchHistory';
import type { ResearchMemory } from '../../nodes/WebResearch/researchMemory';

const AT = '2026-11-28T12:00:00.000Z';
const NOW_MS = Date.parse(AT);

const labels = { notFound: 'a', contradictions: 'b', new: 'c', changed: 'd', withdrawn: 'e', before: 'f' };

/** A question with what its research leaves for the next one: so many statements, and a plan of its own. */
function asked(name: string, query: string, statements: number, planned = query) {
	const all = Array.from({ length: statements }, (_unused, index) => ({
		text: `${query} ${index} ${'x'.repeat(250)}`,
		quote: { start: 'x'.repeat(80), length: 80, digest: 'd' },
		question: 'q',
		source: `https://example.com/${index}`,
		firstSeen: AT,
		lastSeen: AT,
	}));
	const plan = { subQuestions: [planned], queries: [planned], labels };
	const history = { form: HISTORY_FORM, plan, answered: [1], at: AT, statements: all, pages: [] };
	const memory = { historyCopy: () => undefined, keepHistoryCopy: () => undefined } as unknown as ResearchMemory;
	return { name, query, memory, result: { history } as unknown as ResearchResult };
}

/** What is stored of these, beginning with what is there. */
async function stored(questions: Array<ReturnType<typeof asked>>, value: JsonObject = {}): Promise<JsonObject> {
	let after: JsonObject = {};
	const memory: NodeMemory = {
		place: 'table',
		value,
		version: 1,
		store: async (change) => {
			after = change(value);
			return await Promise.resolve(undefined);
		},
	};
	await new ResearchHistories(memory, NOW_MS).store(questions);
	return after;
}

const sizeOf = (value: JsonObject): number => JSON.stringify(value).length;

it.each<[string, () => Array<ReturnType<typeof asked>>]>([
	[
		'3,000 questions under one name',
		() => Array.from({ length: 3000 }, (_unused, n) => asked('One', `${n} ${'q'.repeat(300)}`, 1)),
	],
	['3,000 names', () => Array.from({ length: 3000 }, (_unused, n) => asked(`Name ${n}`, `${n} ${'q'.repeat(300)}`, 1))],
	['one question with all that it may have', () => [asked('One', 'q', 400)]],
	['one question whose plan alone is too long', () => [asked('One', 'q', 3, 'p'.repeat(500_000))]],
])('has room for %s, in less than 1 MB, and ends', async (_what, questions) => {
	const kept = await stored(questions());
	expect(sizeOf(kept)).toBeLessThan(1_001_000);
	expect(sizeOf(kept)).toBeGreaterThan(100);
});

it('keeps what was used last', async () => {
	const old = (await stored([asked('Old', 'q'.repeat(300), 400)])) as { webDataResearchHistory: JsonObject };
	const names = Array.from({ length: 12 }, (_unused, n) => asked(`New ${n}`, `n${n}`, 400));
	const aged = {
		webDataResearchHistory: { Old: { ...(old.webDataResearchHistory.Old as JsonObject), at: NOW_MS - 1e9 } },
	};
	const { webDataResearchHistory: kept } = (await stored(names, aged)) as typeof old;
	expect(Object.keys(kept)).not.toContain('Old');
	expect(Object.keys(kept).length).toBeGreaterThan(3);
});

it('reads what somebody has changed within bounds: no time but a time, no plan of 10,000 searches', async () => {
	const one = (await stored([asked('One', 'q', 2)])) as {
		webDataResearchHistory: Record<string, { parts: Record<string, JsonObject> }>;
	};
	const parts = one.webDataResearchHistory.One?.parts ?? {};
	const [key = ''] = Object.keys(parts);
	const [first, second] = (parts[key]?.statements ?? []) as JsonObject[];
	const plan = { subQuestions: ['a'], queries: Array.from({ length: 10_000 }, String), labels };
	const changed = {
		...parts[key],
		plan,
		at: '<img src=x>',
		statements: [{ ...first, lastSeen: '**bold**' }, second],
	};
	const value = { webDataResearchHistory: { One: { at: NOW_MS, parts: { [key]: changed } } } };
	const memory = { place: 'table', value, version: 1, store: async () => await Promise.resolve(undefined) } as const;
	const { name, query, memory: notes } = asked('One', 'q', 0);
	const begun = { name, query, memory: notes };
	const history = new ResearchHistories(memory, NOW_MS).begin(begun, [begun]);
	expect(history).toMatchObject({ plan: undefined, at: '', statements: [second] });
});
