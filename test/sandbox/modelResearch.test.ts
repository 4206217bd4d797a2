import { researchReply } from '../../sandbox/model/research/researchReply.ts';
import { PROMPTS } from '../../nodes/research/model/prompts';

const MARK = '=====1x2y3z=====';
const data = (text: string): string => `${MARK}\n${text}\n${MARK}`;

const PAGE = [
	'Batteries of bikes',
	'==================',
	'',
	'A **spare battery** costs 650 to 900 euros, as [the makers](https://a.example) say. The weather was fine.',
	'',
	'- A battery in daily use lasts 700 cycles.',
	'- Write to our team for a quote.',
].join('\n');

function reply(system: string, user: string): string {
	const said = researchReply([
		{ role: 'system', content: system },
		{ role: 'user', content: user },
	]);
	if (said === undefined) throw new Error('No reply');
	return said;
}

const json = (system: string, user: string): unknown => JSON.parse(reply(system, user));

describe('the replies to the prompts of Web Research', () => {
	it('plans with the parts of the question, and searches for its words', () => {
		const question = 'What does a bike battery cost, and how long does it last?';
		expect(json(PROMPTS.plan, `The question: ${question}`)).toMatchObject({
			subQuestions: ['What does a bike battery cost?', 'how long does it last?'],
			queries: ['bike battery cost long last', 'bike battery cost', 'long last'],
		});
	});

	it('reads a page: sentences that answer, word for word, with the question they belong to', () => {
		const user = `The question: bike batteries\n1. What does a spare battery cost?\n2. How long does a battery last in daily use?\n\nThe page:\n${data(PAGE)}`;
		expect(json(PROMPTS.read, user)).toEqual({
			claims: [
				{
					text: 'A spare battery costs 650 to 900 euros, as the makers say.',
					quote:
						'A **spare battery** costs 650 to 900 euros, as [the makers](https://a.example) say.',
					question: 1,
				},
				{
					text: 'A battery in daily use lasts 700 cycles.',
					quote: 'A battery in daily use lasts 700 cycles.',
					question: 2,
				},
			],
		});
	});

	it('finds nothing on a page about something else', () => {
		const user = `The question: elephants of India\n1. Where do elephants live?\n\nThe page:\n${data(PAGE)}`;
		expect(json(PROMPTS.read, user)).toEqual({ claims: [] });
	});

	it('looks for quotes in the passages only when it repairs', () => {
		const user = `The question: battery\n1. What does a spare battery cost?\n\nThe claims:\n${data('1. A spare battery costs 5 euros (question 1)')}\n\nThe passages:\n${data('A spare battery costs 650 euros.')}`;
		expect(json(PROMPTS.repair, user)).toMatchObject({
			claims: [{ quote: 'A spare battery costs 650 euros.' }],
		});
	});

	it('says what is answered, what contradicts what, and searches for the rest', () => {
		const claims =
			'[1] A spare battery costs 650 euros.\n[2][3] A spare battery costs 900 euros.\n[4] Vans carry 800 kg.';
		const user = `The question: x\n1. What does a spare battery cost?\n2. How loud are drones?\n\nSearches that were made:\nbattery\n\nThe claims:\n${data(claims)}`;
		expect(json(PROMPTS.gaps, user)).toEqual({
			answered: [{ question: 1, claims: [1, 2] }],
			contradictions: [[1, 2]],
			queries: ['loud drone'],
		});
	});

	it('writes one sentence a claim with all its numbers', () => {
		const user = `The question: x\n\nThe claims:\n${data('[1][4] A battery costs 650 euros.\n[2] Vans carry 800 kg.')}`;
		expect(reply(PROMPTS.write, user)).toBe(
			'A battery costs 650 euros [1][4]. Vans carry 800 kg [2].',
		);
	});

	it('fills JSON by its schema from the claims', () => {
		const schema = { type: 'object', properties: { price: { type: 'number' } } };
		const user = `The question: x\n\nThe JSON Schema:\n${JSON.stringify(schema)}\n\nThe claims:\n${data('[1] The price is 650 euros.')}`;
		expect(json(PROMPTS.json, user)).toEqual({ price: 650 });
	});

	it('mends JSON that was cut off', () => {
		const broken = '{"claims": [{"text": "a", "quote": "b"}, {"text": "c';
		expect(json(PROMPTS.fixJson, data(broken))).toEqual({ claims: [{ text: 'a', quote: 'b' }] });
	});

	it('replies to nothing else', () => {
		expect(researchReply([{ role: 'user', content: 'Hello' }])).toBeUndefined();
	});
});
