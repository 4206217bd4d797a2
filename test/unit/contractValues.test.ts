import fc from 'fast-check';

import { readList, readWebAddress, splitAtCommas } from '../../nodes/run/input/readText.ts';
import { schemaOfExample } from '../../nodes/run/input/schemaOfExample.ts';

type Schema = Record<string, unknown>;

/** Whether a value fits a schema made of the words that schemaOfExample uses. */
function fits(value: unknown, schema: Schema): boolean {
	const anyOf = schema.anyOf as Schema[] | undefined;
	if (anyOf) return anyOf.some((one) => fits(value, one));
	if (schema.type === undefined) return true;
	if (schema.type === 'array') {
		return Array.isArray(value) && value.every((one) => fits(one, (schema.items ?? {}) as Schema));
	}
	if (schema.type !== 'object') return typeof value === schema.type;
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
	const properties = schema.properties as Record<string, Schema>;
	const required = (schema.required ?? []) as string[];
	return (
		required.every((name) => Object.hasOwn(value, name)) &&
		Object.entries(value).every(([name, one]) => fits(one, properties[name] ?? {}))
	);
}

describe('the schema of an example', () => {
	it('is fitted by the example itself, and is JSON', () => {
		fc.assert(
			fc.property(fc.jsonValue({ maxDepth: 4 }), (example) => {
				const schema = schemaOfExample(example);
				expect(fits(example, schema)).toBe(true);
				expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
			}),
			{ numRuns: 500 },
		);
	});

	it('keeps all fields and their types', () => {
		expect(schemaOfExample({ name: 'a', tags: ['x', 1], price: 2, sold: null })).toEqual({
			type: 'object',
			properties: {
				name: { type: 'string' },
				tags: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
				price: { type: 'number' },
				sold: {},
			},
			required: ['name', 'tags', 'price', 'sold'],
		});
	});
});

describe('a list that is typed in', () => {
	it.each([
		['list', 'nav, .advert\n#foot', ['nav', '.advert', '#foot']],
		['list', ':is(nav, footer), [title="a, b"]', [':is(nav, footer)', '[title="a, b"]']],
		['list', '[href]', ['[href]']],
		['list', "O'Neill, Curie", ["O'Neill", 'Curie']],
		['list', '["a, b", 2]', ['a, b', '2']],
		['list', ' , \n', []],
		['lines', 'blog/.{1,3}\n\ndocs', ['blog/.{1,3}', 'docs']],
		['urls', 'a.com, b.com https://c.com/x,y', ['a.com', 'b.com', 'https://c.com/x,y']],
		['urls', 'https://a.com/1,https://a.com/2', ['https://a.com/1', 'https://a.com/2']],
		['urls', 'a.com,b.com', ['a.com', 'b.com']],
		[
			'urls',
			'https://a.com/1|https://a.com/2｜https://a.com/3',
			['https://a.com/1', 'https://a.com/2', 'https://a.com/3'],
		],
		['urls', 'https://a.com/1\\nhttps://a.com/2\\n', ['https://a.com/1', 'https://a.com/2']],
		[
			'urls',
			'https://a.com/1・https://a.com/2／https://a.com/3',
			['https://a.com/1', 'https://a.com/2', 'https://a.com/3'],
		],
		['urls', '1. https://a.com/1\n2. https://a.com/2', ['https://a.com/1', 'https://a.com/2']],
		['urls', '- a.com\n• b.com', ['a.com', 'b.com']],
		['urls', 'https://a.com/x|y', ['https://a.com/x|y']],
	] as const)('as %s: %s', (separators, text, entries) => {
		expect(readList(text, separators)).toEqual(entries);
	});

	it('is no list when it is made of anything but texts and numbers', () => {
		for (const value of [{}, [{}], [['a']], true]) expect(readList(value, 'list')).toBeUndefined();
	});

	it('loses nothing at its commas', () => {
		fc.assert(
			fc.property(fc.string(), (text) => {
				expect(splitAtCommas(text).join(',')).toBe(text);
			}),
		);
	});
});

describe('a web address', () => {
	it.each([
		['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
		[' http://localhost:3000 ', 'http://localhost:3000'],
		['example.com/docs', 'https://example.com/docs'],
		['münchen.de', 'https://münchen.de'],
		['http://192.168.0.1', 'http://192.168.0.1'],
		['https://a.example/b).', 'https://a.example/b'],
		['https://a.example/b">', 'https://a.example/b'],
		['https://a.example/wiki/Mill_(Vienna)', 'https://a.example/wiki/Mill_(Vienna)'],
		['https://a.example/wiki/Acme_Inc.', 'https://a.example/wiki/Acme_Inc.'],
	])('is %s', (given, sent) => {
		expect(readWebAddress(given)).toBe(sent);
	});

	it.each([
		'foo',
		'ftp://a.example.com/x',
		'mailto:a@example.com',
		'a b.com',
		'https://',
		'',
		'7',
		'1.',
		'https://1.',
		'7.5',
		'0x7f000001',
		7,
		null,
	])('is not %j', (given) => {
		expect(readWebAddress(given)).toBeUndefined();
	});
});
