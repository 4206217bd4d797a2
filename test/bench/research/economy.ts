import { tokensOf } from '../../../sandbox/model/chat.ts';
import { row } from '../row.ts';
import type { Measure } from '../row.ts';
import { pagesOf } from './pages.ts';
import type { MadePage } from './pages.ts';
import { madeQuestions } from './questions.ts';
import { MadeWorld, MODEL_CALLS_AT_ONCE, MODEL_MS, SEARCH_MS } from './world.ts';
import type { Call } from './world.ts';

/** A page of so many characters is read in parts: the model has no room for more. */
const PART = 80_000;

/** The least time that pages of a round and the calls that read them, and then judge them, can take. */
function roundMs(pages: readonly MadePage[], calls: number): number {
	const slowest = Math.max(0, ...pages.map((page) => page.lengthMs + (isText(page) ? 2 * MODEL_MS : 0)));
	const fastest = Math.min(...pages.filter(isText).map(({ lengthMs }) => lengthMs));
	const inTurns = Math.ceil(calls / MODEL_CALLS_AT_ONCE) * MODEL_MS;
	return Math.max(slowest, Number.isFinite(fastest) ? fastest + inTurns : 0);
}

function isText({ isUnreachable, markdown }: MadePage): boolean {
	return !isUnreachable && markdown !== '';
}

function partsOf({ markdown }: MadePage): number {
	return Math.ceil(markdown.length / PART);
}

/** Planning, the searches, the slowest page or the calls in turn, looking for gaps, writing. */
function criticalMs(calls: readonly Call[], pages: ReadonlyMap<string, MadePage>): number {
	const rounds = new Map<number, MadePage[]>();
	for (const { kind, key, beganMs } of calls) {
		const page = pages.get(key);
		if (kind === 'page' && page) rounds.set(beganMs, [...(rounds.get(beganMs) ?? []), page]);
	}
	const searched = new Set(calls.filter(({ kind }) => kind === 'search').map((one) => one.beganMs));
	const readMs = [...rounds.values()].reduce((sum, round) => {
		const parts = round.filter(isText).reduce((count, page) => count + partsOf(page), 0);
		return sum + roundMs(round, 2 * parts);
	}, 0);
	return 2 * MODEL_MS + searched.size * (SEARCH_MS + MODEL_MS) + readMs;
}

/** What a run spends on calls, tokens and time beyond what it must. */
export const measure: Measure = async (say) => {
	const sums = { calls: 0, reading: 0, pages: 0, parts: 0, sent: 0, text: 0, ms: 0, criticalMs: 0 };
	let worst = 0;
	for (const question of madeQuestions()) {
		const pages = pagesOf(question);
		const byUrl = new Map(pages.map((page) => [page.url, page]));
		const world = new MadeWorld(pages);
		const result = await world.run(question.query);
		const ms = world.clock.now();
		const model = world.calls.filter(({ kind }) => kind === 'model');
		const read = world.calls.flatMap(({ kind, key }) => {
			const page = byUrl.get(key);
			return kind === 'page' && page && isText(page) ? [page] : [];
		});
		const critical = criticalMs(world.calls, byUrl);
		worst = Math.max(worst, ms / critical);
		sums.calls += model.length;
		sums.reading += model.filter(({ role }) => role === 'reading').length;
		sums.pages += result.pagesRead;
		sums.parts += read.reduce((sum, page) => sum + partsOf(page), 0);
		sums.sent += model.reduce((sum, { tokens }) => sum + tokens, 0);
		sums.text += read.reduce((sum, { markdown }) => sum + tokensOf(markdown), 0);
		sums.ms += ms;
		sums.criticalMs += critical;
		say(`${question.subject}: ${result.pagesRead} pages, ${model.length} calls, ${ms / 1000} s`);
	}
	return [
		row({
			name: 'reading calls for each part of a page that fits the model',
			value: sums.reading,
			unit: 'calls',
			reference: sums.parts,
			target: { of: 'ratio', most: 1.2 },
		}),
		row({
			name: 'all calls of the model for each page read, 300 KB ones among them',
			value: sums.calls,
			unit: 'calls',
			reference: sums.pages,
		}),
		row({
			name: 'tokens sent, all calls with the judging, against the text of the pages read',
			value: sums.sent,
			unit: 'tokens',
			reference: sums.text,
			target: { of: 'ratio', most: 1.4 },
		}),
		row({
			name: 'time against the critical path, all questions',
			value: sums.ms / 1000,
			unit: 's',
			reference: sums.criticalMs / 1000,
			target: { of: 'ratio', most: 1.25 },
		}),
		row({
			name: 'time against the critical path, the worst question',
			value: worst,
			unit: 'x',
			target: { of: 'value', most: 1.25 },
		}),
	];
};
