import { compareClaims } from '../../../nodes/research/history/compareClaims';
import type { ModelCaller } from '../../../nodes/research/model/modelCaller';

/** A model that says of each new statement that it is the first earlier one, and keeps what it was shown. */
function modelThatKnows(again = 'known') {
	const shown: string[] = [];
	const model = {
		asData: (text: string) => text,
		askFor: async ({ user, system }: { user: string; system: string }, read: (text: string) => unknown) => {
			shown.push(user.split('\n\nNew statements:')[0] ?? '');
			const count = user.split('New statements:\n')[1]?.split('\n').length ?? 0;
			const verdict = system.includes('Look again') ? again : 'known';
			const compared = Array.from({ length: count }, (_, at) => ({ new: at + 1, verdict, earlier: 1 }));
			return await Promise.resolve(read(JSON.stringify({ compared })));
		},
	};
	return { shown, model: model as unknown as ModelCaller };
}

const earlier = (texts: readonly string[], source = (at: number) => `https://s${at}.example/`) =>
	texts.map((text, index) => ({
		index,
		text,
		question: '',
		source: source(index),
		quote: { start: '', length: 0, digest: '' },
		firstSeen: '2026-01-01',
		lastSeen: '2026-01-01',
	}));
const claim = (text: string, source = 'https://a.example/') => {
	return { number: 1, text, quote: '', question: 0, source, verified: true };
};

it('compares with the earlier statements of the same page, and the eight nearest of others', async () => {
	const { shown, model } = modelThatKnows();
	const texts = Array.from({ length: 60 }, (_, at) => `The ${at < 12 ? 'old mill' : 'harbour'} of town ${at} is open`);
	const source = (at: number) => (at >= 50 ? 'https://a.example/' : `https://s${at}.example/`);
	await compareClaims([claim('The old mill is open')], earlier(texts, source), model);
	const numbers = [...shown.join('\n').matchAll(/town (\d+)/g)].map(([, number]) => Number(number));
	expect(numbers).toHaveLength(18);
	expect(numbers.filter((number) => number >= 50)).toHaveLength(10);
	expect(numbers.filter((number) => number < 12)).toHaveLength(8);
});

it('compares in calls of at most 100 earlier statements', async () => {
	const { shown, model } = modelThatKnows();
	const texts = Array.from({ length: 250 }, (_, at) => `Statement about boat number ${at}`);
	await compareClaims(
		[claim('A statement about a boat')],
		earlier(texts, () => 'https://a.example/'),
		model,
	);
	expect(shown).toHaveLength(3);
	expect(shown.join('\n').match(/number \d+$/gm)).toHaveLength(250);
});

it.each([
	['known', { verdict: 'changed', of: 0 }],
	['changed', { verdict: 'changed', of: 0 }],
	['new', { verdict: 'new' }],
])('asks once more where each side has a figure that the other lacks: then it is %s', async (again, comparison) => {
	const { shown, model } = modelThatKnows(again);
	const { comparisons } = await compareClaims([claim('Pro costs 49 €')], earlier(['Pro costs 39 €']), model);
	expect(shown).toHaveLength(2);
	expect(comparisons).toEqual([comparison]);
});

it.each([
	['Pro costs 39 euros', 'Pro costs €39'],
	['Ended 9 months ago (12 Aug 2025)', 'Ended 10 months ago (12 Aug 2025)'],
	['Pro costs 39 €', 'Pro costs 39 € for 5 users'],
])('believes that %p is known as %p', async (text, known) => {
	const { shown, model } = modelThatKnows();
	const { comparisons } = await compareClaims([claim(text)], earlier([known]), model);
	expect(shown).toHaveLength(1);
	expect(comparisons).toEqual([{ verdict: 'known', of: 0 }]);
});
