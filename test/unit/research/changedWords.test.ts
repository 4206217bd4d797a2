import fc from 'fast-check';
import { withChangedWords } from '../../../nodes/research/history/changedWords';

it.each([
	['A ride costs 22 cents a minute.', 'A ride costs 25 cents a minute.', 'A ride costs **25** cents a minute.'],
	['Open until 18:00 on Fridays.', 'Open until 20:00 on Fridays.', 'Open until **20**:00 on Fridays.'],
	['The plan has five users.', 'The plan has ten more users.', 'The plan has **ten more** users.'],
	['料金は一分22円です。', '料金は一分25円です。', '料金は一分**25**円です。'],
	['It was the first one.', 'Nobody knows where anything else went.', 'Nobody knows where anything else went.'],
	['The same.', 'The same.', 'The same.'],
	['Has 5 stars.', 'Has *6* stars.', 'Has \\***6**\\* stars.'],
])('%s → %s', (before, now, shown) => {
	expect(withChangedWords(before, now)).toBe(shown);
});

it('changes no letter, whatever the two are', () => {
	const word = fc.constantFrom('a', 'b', '5', '7', ' ', ',', '*', '円', 'é');
	const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(''));
	fc.assert(
		fc.property(text, text, (before, now) => {
			const plain = withChangedWords(before, now).replace(/\*\*/g, '').replaceAll('\\', '');
			expect(plain.replaceAll('*', '')).toBe(now.replaceAll('*', ''));
		}),
	);
});
