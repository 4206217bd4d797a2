import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { resources } from '../../nodes/WebData/resources/index.ts';

const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');
const [, section = ''] = readme.split('\n## Operations\n');
const rows = (section.split('\n| resource ')[1] ?? '')
	.split('\n\n')[0]
	?.split('\n')
	.slice(2)
	.map((line) => line.split('|').map((cell) => cell.trim()));

it('names every resource of the panel, in its order', () => {
	const named = rows?.map(([, resource = '']) => resource.replace(/ \(.*\)$/, ''));
	expect(named).toEqual(resources.map(({ name }) => name));
});

it.each(resources.map(({ name, operations }, index) => [name, operations, index] as const))(
	'names the operations of %s, in their order',
	(_name, operations, index) => {
		const cell = rows?.[index]?.[2] ?? '';
		const separator = cell.includes(';') ? '; ' : ', ';
		expect(cell.split(separator)).toEqual(operations.map(({ name }) => name));
	},
);
