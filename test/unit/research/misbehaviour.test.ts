import { answerText, jsonObjects } from '../../../nodes/research/model/answers';
import { claimsOf, dataIn, modelError, site, World, stepOf, verdictsOn, withoutJumps } from './world.ts';
import type { Answer, Script } from './world.ts';

const URL_1 = 'https://one.example/a';
const URL_2 = 'https://two.example/b';
const PAGES = {
	[URL_1]: 'Acme was founded in 1990 in Graz.',
	[URL_2]: 'Acme employs 1,200 people today.',
};

/** The reading of an honest model, in another wrapping. */
function reading(wrap: (json: string) => Answer): Script {
	return {
		read: (request) => wrap(JSON.stringify({ claims: claimsOf(dataIn(request)[0] ?? '') })),
	};
}

describe('an answer is read', () => {
	it.each<[string, (json: string) => Answer]>([
		['in a code fence', (json) => `Sure!\n\`\`\`json\n${json}\n\`\`\`\nDone.`],
		['behind thinking', (json) => `<think>{"claims": [{"text": "x"}]}</think>${json}`],
		['behind thinking whose beginning was cut off', (json) => `hm {"a"}</think>\n${json}`],
		[
			'in parts',
			(json) => ({
				content: [
					{ type: 'thinking', thinking: '{}' },
					{ type: 'text', text: json },
				],
			}),
		],
		['in several parts', (json) => ({ content: [{ type: 'text', text: json.slice(0, 9) }, json.slice(9)] })],
		['between other text', (json) => `The claims are ${json}, as you can see.`],
		['with a comma too many', (json) => json.replace(/\]\}$/, ',]}')],
		['cut off behind a claim', (json) => `${json.slice(0, -2)}, {"text": "Acme`],
		['as claims without a list', (json) => json.slice('{"claims":['.length, -2)],
	])('%s', async (_, wrap) => {
		const world = new World(PAGES, reading(wrap));
		const result = await world.run();
		expect(result.claims).toHaveLength(2);
		expect(world.count('read')).toBe(2);
		expect(result.status).toBe('completed');
	});

	it('after it was sent back alone to be repaired, without its page', async () => {
		const world = new World(PAGES, {
			...reading((json) => json.replace('"quote":', '"quote" ')),
			fixJson: (request) => (dataIn(request)[0] ?? '').replace('"quote" ', '"quote":'),
		});
		const result = await world.run();
		expect(result.claims).toHaveLength(2);
		expect(world.count('read')).toBe(2);
		expect(world.count('fixJson')).toBe(2);
	});

	it('when it comes at the second time', async () => {
		const world = new World(PAGES, {
			read: (request, count) =>
				count <= 2 ? 'I cannot do that.' : JSON.stringify({ claims: claimsOf(dataIn(request)[0] ?? '') }),
		});
		expect((await world.run()).claims).toHaveLength(2);
		expect(world.count('read')).toBe(4);
	});
});

describe('a page is skipped and named', () => {
	it.each<[string, Answer]>([
		['the answers are no JSON', 'I am a small model.'],
		['the answers are empty', ''],
		['the answers are thinking without end', '<think>Let me see'],
		['the model refuses with an error', modelError(400, 'content_filter')],
	])('when %s', async (_, answer) => {
		const world = new World(PAGES, {
			read: (request) =>
				request.user.includes('Graz') ? answer : JSON.stringify({ claims: claimsOf(dataIn(request)[0] ?? '') }),
		});
		const result = await world.run();
		expect(result.skippedPages).toEqual([{ url: URL_1, reason: expect.stringMatching(/^The chat model/) as string }]);
		expect(result.claims).toHaveLength(1);
		expect(result.finalAnalysis).toContain('1,200 people');
		expect(result.pagesRead).toBe(1);
	});
});

it('ends at the first page when no answer of a model can be used, with its own words', async () => {
	for (const [nonsense, told] of [
		['As a small model I like bananas.', 'It answered: As a small model I like bananas.'],
		['', 'It answered nothing that can be shown.'],
	] as const) {
		const answer = () => nonsense;
		const world = new World(site(20), { plan: answer, read: answer, gaps: answer, fixJson: answer });
		await expect(world.run()).rejects.toThrow(
			`The chat model gave no plan and no claims that could be read, each asked for twice. ${told} Choose a model that answers in JSON`,
		);
		expect(world.scraped).toHaveLength(1);
		expect(world.requests).toHaveLength(4);
	}
});

it.each<[string, Answer]>([
	['refuses', 'I am sorry, I cannot help with that.'],
	['answers nothing', ''],
	['throws a refusal', modelError(400)],
	['cites only claims that do not exist', 'It was in 1990 [77]. It is big [78].'],
])('lists the claims when the writing model %s', async (_, answer) => {
	const result = await new World(PAGES, { write: () => answer }).run();
	expect(result).toMatchObject({ status: 'partial', endedBy: 'model' });
	expect(result.closing).toContain(
		'Partial result: The chat model wrote nothing that could be used, so the claims are listed',
	);
	expect(withoutJumps(result.finalAnalysis)).toBe(
		[`- Acme was founded in 1990 in Graz. [1](${URL_1})`, `- Acme employs 1,200 people today. [2](${URL_2})`].join(
			'\n',
		),
	);
});

it('asks once more for a quote that is not on the page, with the passage and not with the page', async () => {
	const filler = 'Nothing to see here at all. '.repeat(200);
	const world = new World(
		{ [URL_1]: `${filler}\n\nAcme was founded in 1990 in Graz.\n\n${filler}` },
		{
			read: () =>
				JSON.stringify({
					claims: [
						{ text: 'Acme was founded in 1990.', quote: 'founded by wolves in 1990', question: 1 },
						{ text: 'Acme has 7 moons.', quote: 'Acme has 7 moons', question: 1 },
					],
				}),
			repair: () =>
				JSON.stringify({
					claims: [
						{
							claim: 1,
							text: 'Acme was founded in 1990.',
							quote: 'Acme was founded in 1990',
							question: 1,
						},
					],
				}),
		},
	);
	const result = await world.run({ unsupportedClaims: 'mark' });
	expect(result.claims).toEqual([
		{
			text: 'Acme was founded in 1990.',
			quote: 'Acme was founded in 1990',
			source: URL_1,
			link: `${URL_1}#:~:text=Acme%20was%20founded%20in%201990`,
			verified: true,
		},
		{
			text: 'Acme has 7 moons.',
			quote: 'Acme has 7 moons',
			source: URL_1,
			verified: false,
			reason: 'quote',
		},
	]);
	expect(result.checks.unverifiedClaims).toMatchObject({ quote: 1, figures: 0 });
	const [repair] = world.requests.filter(({ user }) => user.includes('The passages:'));
	expect(repair?.user).toContain('Acme was founded in 1990 in Graz.');
	expect(repair?.user).toContain('Acme has 7 moons. (question 1; the quote does not stand on the page)');
	expect(repair?.user.length).toBeLessThan(3000);
	expect((await new World(world.pages, world.script).run()).claims).toHaveLength(1);
});

it('has a report with faults written once more, and takes the better one', async () => {
	const world = new World(PAGES, {
		write: (_, count) => (count === 1 ? 'In 1991 [1]. Great.' : 'In 1990 [1]. Also 1,200 people [2].'),
		judge: (request) => verdictsOn(request, () => true),
	});
	const result = await world.run();
	expect(withoutJumps(result.finalAnalysis)).toBe(`In 1990. [1](${URL_1}) Also 1,200 people. [2](${URL_2})`);
	expect(result.checks).toMatchObject({ uncitedSentences: 0, unsupportedSentences: 0 });
	expect(world.count('write')).toBe(2);
	expect(dataIn(world.requests.findLast((one) => stepOf(one) === 'write') as never)[2]).toContain(
		'No claim is cited: "Great."',
	);
});

it('reads an answer of any shape', () => {
	for (const content of [undefined, null, 5, {}, [], [null], [{ type: 'text' }], { text: 5 }]) {
		expect(answerText(content)).toBe('');
	}
	expect(answerText('a</think>\nb')).toBe('b');
	expect(answerText('<think>a</think>b')).toBe('b');
	expect(jsonObjects('{'.repeat(100_000))).toEqual([]);
	expect(jsonObjects('{"a":'.repeat(20_000))).toEqual([]);
	expect(jsonObjects('x {"a": "}"} y {"b": {"c": 1}} z')).toEqual([{ a: '}' }, { b: { c: 1 } }]);
});

it('does not call a sub-question answered that no claim is about, whatever the model says', async () => {
	// Each claim says that it is about the first one.
	const world = new World(PAGES, { gaps: () => '{"answered": [1, 2], "contradictions": [], "queries": []}' });
	const result = await world.run();
	expect(result.unanswered).toEqual(['How many?']);
});

it.each([
	'The mark `</think>` ends the thinking of a model. [1]',
	'Models write \\</think> at its end. [1]\n\nThat is all. [2]',
	'They end with </think> and go on. [1]',
	'```\n<think>a</think>\n```\nis how it looks. [1]',
])('an answer that mentions the end of thinking is whole: %j', (text) => {
	expect(answerText(text)).toBe(text);
});

it('a verdict that is no word of the judge leaves its claim not judged, and counts it', async () => {
	for (const odd of ['constructor', '__proto__', 'toString', 'valueOf']) {
		const judge = () => JSON.stringify({ verdicts: [{ pair: 1, verdict: odd }] });
		const result = await new World({ [URL_1]: PAGES[URL_1] }, { judge }).run({ unsupportedClaims: 'mark' });
		expect(result.checks.unverifiedClaims.notJudged).toBe(1);
	}
});

it('a source with an address of IPv6 is a source like others', async () => {
	const url = 'http://[2001:db8::1]/p';
	const result = await new World({ [url]: PAGES[URL_1] }).run();
	expect(result.status).toBe('completed');
	expect(result.sources).toMatchObject([{ url }]);
	expect(withoutJumps(result.finalAnalysis)).toContain(`(${url})`);
});
