import { readWarnings, remarksOf } from '../../nodes/service/results/pageErrors';

it('gives the service’s remarks in its own words, those of both fields', () => {
	expect(readWarnings({ warning: 'One', warnings: ['Two', 'Three'] })).toEqual(['One', 'Two', 'Three']);
	expect(readWarnings({})).toEqual([]);
});

it('gives no more than five of a list, and none that is too long', () => {
	const warnings = Array.from({ length: 9 }, (_unused, index) => `Remark ${index}`);
	expect(readWarnings({ warnings })).toEqual(warnings.slice(0, 5));
	expect(readWarnings({ warning: 'x'.repeat(10_000) })[0]).toHaveLength(501);
});

it.each([{ warning: 5 }, { warning: ' ' }, { warnings: 'text' }, { warnings: [null, {}, '', ' '] }])(
	'takes wrong types for missing: %j',
	(body) => {
		expect(readWarnings({ ...body, replacement: 7 })).toEqual([]);
	},
);

it('names what replaces something that will be given up, unless a remark has named it', () => {
	expect(readWarnings({ replacement: '/v2/agent' })).toEqual(['Use /v2/agent instead.']);
	const warning = 'Deprecated: use /v2/agent';
	expect(readWarnings({ warning, replacement: '/v2/agent' })).toEqual([warning]);
	expect(readWarnings({ warning: 'Deprecated', replacement: '/v2/agent' })).toEqual([
		'Deprecated',
		'Use /v2/agent instead.',
	]);
	const many = ['Deprecated', 'use /v2/agent'];
	expect(readWarnings({ warnings: many, replacement: '/v2/agent' })).toEqual(many);
});

it('hands on the remarks as they are, and those alone that say something', () => {
	const remarks = { warning: 'One', warnings: ['Two'], replacement: '/v2/agent' };
	expect(remarksOf({ ...remarks, data: 1 })).toStrictEqual(remarks);
	expect(remarksOf({ warning: ' ', warnings: [], replacement: 7 })).toStrictEqual({});
	expect(remarksOf({ warnings: ['Two'] })).toStrictEqual({ warnings: ['Two'] });
	expect(remarksOf({ warnings: { length: 1 } })).toStrictEqual({});
});
