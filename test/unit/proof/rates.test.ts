import { proveValues } from '../../../nodes/proof/proveValues';
import { seededRandom } from '../../../sandbox/runtime/runtime.ts';
import { KINDS, changedBy } from './adversary';
import { madePages } from './madePages';
import type { MadePage } from './madePages';
import { LATER } from './laterPages';
import { STRANGE } from './strangePages';
import { HELD_BACK, LAST, WRITTEN } from './writtenPages';

/**
 * How well values are told apart, on pages whose truth is known. `PROOF_SEEDS=1,2,3 PROOF_PAGES=60` makes others, and all
 * values of them are changed; `PROOF_SHOW=1` shows what is wrong.
 */
const SEEDS = (process.env.PROOF_SEEDS ?? '1').split(',').map(Number);
const PAGES = Number(process.env.PROOF_PAGES ?? 20);
/** Most changes of one kind on a page that was made; of those written by hand, all. */
const MOST_CHANGES = process.env.PROOF_PAGES === undefined ? 4 : Infinity;

const prove = ({ markdown, url, schema }: MadePage, json: unknown) =>
	proveValues(json, { markdown, url, metadata: {} }, schema);

function show(what: string, all: readonly string[]): void {
	if (process.env.PROOF_SHOW) console.info([what, ...all.slice(0, 20)].join('\n'));
}

describe.each([
	['made pages', MOST_CHANGES, SEEDS.flatMap((seed) => madePages(seed, PAGES))],
	['pages written by hand', Infinity, [...WRITTEN, ...HELD_BACK, ...LAST, ...STRANGE, ...LATER]],
])('on %s', (_name, most, pages) => {
	it('right values are found: false alarms below 2 %, unchecked at most 15 %', () => {
		const told = pages.flatMap((page) => prove(page, page.json).map((one) => ({ page: page.name, ...one })));
		const share = (state: string) => told.filter((one) => one.state === state).length / told.length;
		show(`${told.length} values, absent ${share('absent')}, unchecked ${share('unchecked')}`, [
			...told.filter(({ state }) => state === 'absent').map((one) => JSON.stringify(one)),
		]);
		expect(told.length).toBeGreaterThan(40);
		expect(share('absent')).toBeLessThan(0.02);
		expect(share('unchecked')).toBeLessThanOrEqual(0.15);
	});

	it.each(Object.keys(KINDS))('what an adversary has changed is not found: %s', (kind) => {
		const random = seededRandom(SEEDS[0] ?? 1);
		const changes = pages.flatMap((page) => {
			const all = changedBy(kind, page, random);
			const some = all.filter(() => random() < most / all.length);
			return some.map((change) => {
				const told = prove(page, change.json).find(({ path }) => path === change.path);
				return { page: page.name, ...change, json: undefined, told };
			});
		});
		const missed = changes.filter(({ told }) => told?.state !== 'absent');
		// Nobody can look a word of one script up on a page in another one.
		const wrong = missed.filter(({ told }) => told?.reason !== 'otherScript');
		show(
			`${kind}: ${changes.length} changes, ${wrong.length} not found out`,
			missed.map((one) => JSON.stringify(one)),
		);
		expect(wrong.length / Math.max(1, changes.length)).toBeLessThanOrEqual(0.02);
	});
});
