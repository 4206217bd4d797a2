import { pairHints } from '../../../nodes/research/claims/pairHints';

it.each([
	['The mill was built by Dora Bach in 1901', 'The mill was built in 1901 by her uncle', 'letters: Dora, Bach'],
	['The mill was never sold', 'The mill was sold in 1901', 'statement has a negation: never'],
	['Die Mühle wurde 1901 verkauft', 'Die Mühle wurde 1901 nicht verkauft', 'passage has a negation: nicht'],
	['Мельница не была продана', 'Мельница была продана', 'statement has a negation: не'],
	['工厂没有关闭', '工厂已经关闭', 'statement has a negation: 没'],
	['لم يغلق المصنع', 'أغلق المصنع', 'statement has a negation: لم'],
])('%p beside %p is hinted at', (statement, passage, hint) => {
	expect(pairHints(statement, passage)).toEqual([expect.stringContaining(hint)]);
});

it.each([
	// Another language names people and places in another way.
	['The mill was built in Vienna by Dora Bach', 'Die Mühle wurde in Wien gebaut'],
	// All nouns have a capital letter here.
	['Am Morgen kam der Müller mit dem Wagen in die Stadt', 'Am Morgen kam der Bäcker mit dem Rad in die Stadt'],
	// The case of a name.
	['It was the mill of Anna Müllers', 'It was the mill of Anna Müller'],
	['The mill was not sold', 'Nobody bought it, and it was not sold'],
	// What a longer passage denies is something else.
	['The mill was sold', `The mill was sold. ${'It stood by the river. '.repeat(20)}It was not large.`],
])('%p beside %p is not', (statement, passage) => {
	expect(pairHints(statement, passage)).toEqual([]);
});
