import fc from 'fast-check';

import { resources } from '../../nodes/WebData/resources/index.ts';
import { chosenValue } from '../../nodes/fields/basic.ts';
import { readFields, requestOf } from '../../nodes/run/input/readFields.ts';
import { Chance } from './chance.ts';
import { randomSettings } from './randomSettings.ts';
import type { Values } from './randomSettings.ts';

const operations = resources.flatMap(({ value, operations }) =>
	operations.map((operation) => [`${value} ${operation.value}`, operation] as const),
);

const withoutEmpty = (values: Values) => (Object.keys(values).length > 0 ? values : undefined);

/** Both, key by key where both have an object. */
function joined(one: Values, other: Values): Values {
	const both = Object.entries(other).map(([name, value]) => {
		const there = one[name];
		const areObjects = [there, value].every((part) => typeof part === 'object' && !Array.isArray(part));
		return [name, areObjects ? joined(there as Values, value as Values) : value];
	});
	return { ...one, ...Object.fromEntries(both) };
}

describe('500 random settings of every operation', () => {
	it.each(operations)('%s sends what its description promises', (_name, operation) => {
		fc.assert(
			fc.property(fc.nat(), (seed) => {
				const { given, body, query } = randomSettings(new Chance(seed), operation.fields);
				const asked = new Set<string>();
				const fields = readFields(operation.fields, (name, fallback) => {
					asked.add(name);
					return name in given ? given[name] : fallback;
				});
				const request = requestOf(operation.request, fields);
				const path = operation.request.path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
					encodeURIComponent(String(chosenValue(given[name])).trim()),
				);
				const { body: always, ...line } = operation.request;
				const whole = always ? joined(always, body) : body;
				expect(request).toStrictEqual({
					...line,
					path,
					...(withoutEmpty(whole) && { body: whole }),
					...(withoutEmpty(query) && { query }),
				});
				expect(operation.fields.map(({ name }) => name)).toEqual(expect.arrayContaining([...asked]));
			}),
			{ numRuns: Number(process.env.RUNS ?? 500), endOnFailure: true },
		);
	});
});
