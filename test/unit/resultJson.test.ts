import { resultJson } from '../../nodes/run/output/outputItem';

it.each([
	[
		{ id: 1, error: 'a' },
		{ id: 1, reason: 'a' },
	],
	[
		{ id: 1, error: 'a', reason: 'b' },
		{ id: 1, reason: 'b', errorText: 'a' },
	],
	[{ id: 1, error: '' }, { id: 1 }],
	[{ id: 1 }, { id: 1 }],
])('an item of %j says all that the service says, and is no failed one', (json, shown) => {
	expect(resultJson(json)).toEqual(shown);
});
