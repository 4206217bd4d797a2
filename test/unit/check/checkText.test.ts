import { checkText } from '../../../nodes/research/checkText';
import { safeAddress, whyNotAsked } from '../../../nodes/research/check/verdicts';
import { seededRandom } from '../../../sandbox/runtime/runtime.ts';
import { QUESTION, World } from '../research/world.ts';
import { CHECK_JUDGES, LAYOUTS, checkReport } from './checkWorld.ts';
import type { CheckJudge, CheckOutcome } from './checkWorld.ts';

/** `CHECK_SEEDS=1,2 CHECK_REPORTS=40` measures others; `CHECK_SHOW=1` shows what came of them. */
const SEEDS = (process.env.CHECK_SEEDS ?? '1').split(',').map(Number);
const REPORTS = Number(process.env.CHECK_REPORTS ?? 10);

async function check(judge: CheckJudge): Promise<CheckOutcome> {
	const outcome: CheckOutcome = {
		...{ trueOnes: 0, lies: {}, through: {}, accused: [], unseenAccused: [], lost: [], open: [] },
		...{ supported: 0, tokens: 0, credits: 0 },
	};
	for (const seed of SEEDS) {
		const random = seededRandom(seed);
		for (let at = 0; at < REPORTS; at += 1) {
			const layout = LAYOUTS[at % LAYOUTS.length] ?? 'numbers';
			await checkReport(random, layout, at % 4 === 0 ? 'some' : 'all', judge, outcome);
		}
	}
	if (process.env.CHECK_SHOW) console.info(judge, JSON.stringify(outcome, null, 1));
	return outcome;
}

it.each(CHECK_JUDGES)('by a judge that says %s: nobody is accused for what could not be seen', async (judge) => {
	const { unseenAccused, lost, open, accused, trueOnes, through, lies } = await check(judge);
	expect({ unseenAccused, lost, open }).toEqual({ unseenAccused: [], lost: [], open: [] });
	if (judge === 'no') return;
	expect(accused.length / trueOnes).toBeLessThan(0.02);
	if (judge === 'honest') expect(through).toEqual({});
	// Figures are compared by code; a round one may be meant as "about".
	else {
		expect(through.year ?? 0).toBe(0);
		expect((through.figure ?? 0) / (lies.figure ?? 1)).toBeLessThan(0.15);
	}
});

it.each([
	['https://a.example/x?X-Amz-Signature=abc', 'https://a.example/x?…'],
	['https://a.example/x#access_token=abc', 'https://a.example/x?…'],
	['http://ann:abc@a.example/x', 'http://a.example/x?…'],
	['http://192.168.0.7/x?token=abc', 'http://192.168.0.7/x?…'],
])('neither sends nor shows what lets others in: %s', (address, shown) => {
	expect(whyNotAsked(address)).not.toBeUndefined();
	expect(safeAddress(address)).toBe(shown);
});

const LONG = 'The weather of the region is mild, and its hills are green all year. '.repeat(8);

it('reads the pages that are cited most first, and calls what had no room not read', async () => {
	const pages = {
		'https://a.example/': `Acme has 40 boats. ${LONG}`,
		'https://b.example/': `Beta has 7 boats. ${LONG}`,
	};
	const world = new World(pages);
	const text =
		'Acme has 40 boats [1]. Beta has 7 boats [2]. Beta has 7 ports [2].\n\n1. https://a.example/\n2. https://b.example/';
	const checked = await world.clock.until(checkText(text, { ...QUESTION, maxCredits: 1 }, world.parts));
	expect(world.scraped).toEqual(['https://b.example/']);
	expect(checked).toMatchObject({ limit: 'credits', sources: [{ state: 'notRead' }, { state: 'read' }] });
	expect(checked.sentences.map(({ verdict }) => verdict)).toEqual(['notRead', 'supported', 'notStated']);
	const many = Array.from({ length: 201 }, (_one, at) => `Acme has ${at} boats (https://a${at}.example/).`).join(' ');
	const empty = new World({});
	const cut = await empty.clock.until(checkText(many, { ...QUESTION, maxPages: 1 }, empty.parts));
	expect(cut.sentences.at(-1)?.verdict).toBe('notRead');
	expect(cut.warnings).toContain('The text cites more than 200 addresses: the others are not read.');
});

it('takes an answer with an address that is none for the page that was asked for', async () => {
	const world = new World({ 'https://a.example/x': `Acme has 40 boats. ${LONG}` });
	const page = world.page.bind(world);
	world.page = (url) => ({ ...page(url), url: 'no address' });
	const text = 'Acme has 40 boats (https://a.example/x).';
	const checked = await world.clock.until(checkText(text, QUESTION, world.parts));
	expect(checked.sentences[0]?.verdict).toBe('supported');
});

it('reads no more pages than Max Pages, those that a search finds with those that are cited', async () => {
	const pages = Object.fromEntries(
		['a', 'b', 'c'].map((name) => [`https://${name}.example/`, `Acme has 40 boats. ${LONG}`]),
	);
	const text = 'Acme has 40 boats (https://a.example/). Brino has 7 boats. Calvera has 9 boats.';
	const world = new World(pages);
	world.finds = () => ['https://b.example/', 'https://c.example/'];
	const checked = await world.clock.until(
		checkText(text, { ...QUESTION, maxPages: 2 }, world.parts, { searches: true }),
	);
	expect(world.scraped).toHaveLength(2);
	expect(checked.warnings.join(' ')).toContain('1 sentence without a source was not searched for');
});
