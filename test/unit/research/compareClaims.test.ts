import { compareClaims } from '../../../nodes/research/history/compareClaims';
import type { ModelCaller } from '../../../nodes/research/model/modelCaller';

/** A model that says of each new statement that it is the first earlier one, and keeps what it was shown. */
function modelThatKnows() {
	const shown: string[] = [];
	const model = {
		asData: (text: string) => text,
		askFor: async ({ user }: { user: string }, read: (text: string) => unknown) => {
			shown.push(user.split('\n\nNew statements:')[0] ?? '');
			const count = user.split('New statements:\n')[1]?.split('\n').length ?? 0;
			const compared = Array.from({ length: count }, (_, at) => ({ new: at + 1, verdict: 'known', earlier: 1 }));
			return await Promise.resolve(read(JSON.stringify({ compared })));
		},
	};
	return { shown, model: model as unknown as ModelCaller };
}

const earlier = (count: number, question: (at: number) => string) =>
	Array.from({ length: count }, (_, index) => ({
		index,
		text: `Statement ${index}`,
		question: question(index),
		source: 'https://a.example/',
		quote: { start: '', length: 0, digest: '' },
		firstSeen: '2026-01-01',
		lastSeen: '2026-01-01',
	}));
const claim = (question: number) => ({ number: 1, text: 'New', quote: '', question, source: '', verified: true });

it('compares with a history of more than 100 statements those of its sub-question, and of those that are asked no more', async () => {
	const { shown, model } = modelThatKnows();
	const history = earlier(120, (at) => ['When?', 'How many?', 'Gone?'][at % 3] ?? '');
	const { comparisons } = await compareClaims([claim(2)], history, ['When?', 'How many?'], model);
	expect(comparisons).toEqual([{ verdict: 'known', of: 1 }]);
	const text = shown.join('\n');
	expect(text).not.toMatch(/Statement 0$/m);
	for (const at of [1, 2, 118, 119]) expect(text).toMatch(new RegExp(`Statement ${at}$`, 'm'));
});

it('compares with all of them what belongs to no sub-question', async () => {
	const { shown, model } = modelThatKnows();
	await compareClaims(
		[claim(0)],
		earlier(250, () => 'When?'),
		['When?'],
		model,
	);
	expect(shown).toHaveLength(3);
	expect(shown.join('\n').match(/Statement \d+$/gm)).toHaveLength(250);
});
