import { readWarnings } from '../../nodes/service/results/pageErrors';

it('gives the service’s remarks in its own words, those of both fields', () => {
	expect(readWarnings({ warning: 'One', warnings: ['Two', 'Three'] })).toEqual(['One', 'Two', 'Three']);
	expect(readWarnings({})).toEqual([]);
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
