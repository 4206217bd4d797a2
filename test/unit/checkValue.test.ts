import fc from 'fast-check';
import type { INodeProperties } from 'n8n-workflow';

import { checkValue } from '../../nodes/run/input/checkValue';
import { failureOf } from './caught.ts';

const field = (more: Partial<INodeProperties>): INodeProperties => ({
	displayName: 'Shown Name',
	name: 'name',
	type: 'string',
	default: '',
	...more,
});
const whole = field({
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 12, numberPrecision: 0 },
});
const atLeast = field({ type: 'number', typeOptions: { minValue: 1 } });
const anyNumber = field({ type: 'number' });
const toggle = field({ type: 'boolean' });
const text = field({});
const options = [
	{ name: 'Markdown', value: 'markdown' },
	{ name: 'JSON', value: 'json' },
];
const choice = field({ type: 'options', options });
const several = field({ type: 'multiOptions', options });
const json = field({ type: 'json' });

it.each([
	[whole, 1, 1],
	[whole, 12, 12],
	[whole, '7', 7],
	[whole, ' 7 ', 7],
	[whole, '7.0', 7],
	[atLeast, 1.5, 1.5],
	[anyNumber, '-3.25', -3.25],
	[toggle, true, true],
	[toggle, 'false', false],
	[text, 'a', 'a'],
	[text, ' a ', ' a '],
	[text, 5, '5'],
	[text, false, 'false'],
	[choice, 'json', 'json'],
	[several, ['json'], ['json']],
	[several, ['json', 'json'], ['json']],
	[several, 'markdown, json', ['markdown', 'json']],
	[several, 'json', ['json']],
	[json, { a: 1 }, { a: 1 }],
	[json, '{"a": 1}', { a: 1 }],
])('takes %#: %j %j', (one, value, expected) => {
	expect(checkValue(one, value)).toEqual(expected);
});

it.each([
	[whole, 0, 'must be a whole number from 1 to 12, but it is 0.'],
	[whole, 13, 'must be a whole number from 1 to 12, but it is 13.'],
	[whole, 1.5, 'must be a whole number from 1 to 12, but it is 1.5.'],
	[whole, 'many', 'must be a whole number from 1 to 12, but it is "many".'],
	[whole, Infinity, 'must be a whole number from 1 to 12'],
	[whole, NaN, 'must be a whole number from 1 to 12'],
	[whole, true, 'must be a whole number from 1 to 12, but it is true.'],
	[whole, [3], 'must be a whole number from 1 to 12, but it is [3].'],
	[atLeast, 0.5, 'must be a number of at least 1, but it is 0.5.'],
	[anyNumber, '1,5', 'must be a number, but it is "1,5".'],
	[toggle, 'yes', 'must be true or false, but it is "yes".'],
	[toggle, 1, 'must be true or false, but it is 1.'],
	[text, { a: 1 }, 'must be text, but it is an object with a.'],
	[text, ['a'], 'must be text, but it is a list.'],
	[choice, 'html', 'must be one of markdown, json, but it is "html".'],
	[choice, ['json'], 'must be one of markdown, json, but it is ["json"].'],
	[several, ['html'], 'must be a list made of markdown, json, but it is ["html"].'],
	[several, 'markdown json', 'must be a list made of markdown, json, but it is "markdown json".'],
	[several, { json: true }, 'must be a list made of markdown, json'],
	[several, [], 'needs at least one of markdown, json, but it is [].'],
	[json, '{"a":', 'needs JSON, but it breaks off at its end.'],
	[json, '{\n  "a": 1,\n  b: 2 }', 'needs JSON, but it is broken at line 3, column 3.'],
	[json, 'Cookie: session=SECRET', 'needs JSON, but it is broken at line 1, column 1.'],
	[json, '{"Authorization":"Bearer SECRET"', 'needs JSON, but it is broken at line 1, column 33.'],
	[json, [1], 'must be a JSON object, but it is a list.'],
	[json, '"a"', 'must be a JSON object, but it is a text.'],
	[
		{ ...json, typeOptions: { sentAs: 'stringMap' } } as never,
		'{"Cookie":["SECRET"],"Accept":"x"}',
		'must be a JSON object of texts, but it is an object with Cookie.',
	],
	[json, 'null', 'must be a JSON object, but it is null.'],
])('refuses %#: %j %j, names the field and what is allowed', async (one, value, message) => {
	const failure = await failureOf(() => checkValue(one, value));
	expect(failure).toMatchObject({ kind: 'badInput', mayHaveExecuted: false });
	expect(failure.message).toContain(`"Shown Name" ${message}`);
	expect(failure.message).toMatch(/Nothing was sent\.$/);
});

it('takes empty for not set, and asks for what is required', async () => {
	for (const one of [whole, toggle, text, choice, several, json]) {
		for (const empty of [undefined, null, '', '  ']) {
			expect(checkValue(one, empty)).toBeUndefined();
			const { message } = await failureOf(() => checkValue({ ...one, required: true }, empty));
			expect(message).toBe('"Shown Name" is required, but it is empty. Nothing was sent.');
		}
	}
});

it('lets through exactly the numbers within the limits, as number or as text', async () => {
	await fc.assert(
		fc.asyncProperty(fc.oneof(fc.integer({ min: -20, max: 30 }), fc.double()), async (number) => {
			const isAllowed = Number.isInteger(number) && number >= 1 && number <= 12;
			for (const value of [number, String(number)]) {
				if (isAllowed) expect(checkValue(whole, value)).toBe(number);
				else await failureOf(() => checkValue(whole, value));
			}
		}),
	);
});

it('throws nothing but what names the field, and keeps it short', async () => {
	const value = fc.oneof(
		fc.jsonValue(),
		fc.string(),
		fc.constantFrom(new Date(0), NaN, () => 1),
	);
	const one = fc.constantFrom(whole, toggle, text, choice, several, json);
	await fc.assert(
		fc.asyncProperty(one, value, async (some, anything) => {
			const { message } = await failureOf(() => {
				checkValue(some, anything);
				checkValue(whole, 'no number');
			});
			expect(message).toContain('"Shown Name"');
			expect(message.length).toBeLessThan(250);
		}),
	);
});
