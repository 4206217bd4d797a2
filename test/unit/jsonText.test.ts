import fc from 'fast-check';

import { jsonFaultIndex, jsonFaultPlace } from '../../nodes/WebData/run/input/jsonText.ts';
import { isExample } from '../../nodes/WebData/run/input/schemaOfExample.ts';

const isJson = (text: string): boolean => {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
};

it('finds a fault exactly where JSON.parse refuses the text', () => {
	fc.assert(
		fc.property(
			fc.json(),
			fc.nat(),
			fc.constantFrom('', ',', '}', '"', 'x', '1', ':'),
			(json, at, odd) => {
				const place = at % (json.length + 1);
				const text = json.slice(0, place) + odd + json.slice(place + 1);
				expect(jsonFaultIndex(text) === undefined).toBe(isJson(text));
			},
		),
	);
});

it.each([
	['{ "a": 1,\n  b: 2 }', 'line 2, column 3'],
	['{ "a": 1', 'line 1, column 9'],
	['[1 2]', 'line 1, column 4'],
	["{\n\t'a': 1\n}", 'line 2, column 2'],
	['{"a": 1}}', 'line 1, column 9'],
])('says where %j goes wrong', (text, place) => {
	expect(jsonFaultPlace(text)).toBe(place);
});

it.each([
	[{ name: 'string' }, true],
	[{ type: 'house', price: 5 }, true],
	[{ title: 'Blue bicycle', price: 499.5 }, true],
	[{ type: 'object', properties: {} }, false],
	[{ type: 'string' }, false],
	[{ type: 'nonsense' }, false],
	[{ $ref: '#/$defs/a', $defs: {} }, false],
	[{}, false],
])('tells an example from a JSON Schema: %j', (object, expected) => {
	expect(isExample(object)).toBe(expected);
});
