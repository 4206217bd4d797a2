import { readProblems } from '../../nodes/service/http/refusal';

const problem = (message: string, path: unknown[] = []) => ({ code: 'custom', path, message });
const union = (...branches: unknown[]) => ({
	code: 'invalid_union',
	path: ['formats', 0],
	message: 'Invalid input',
	errors: branches,
});
const otherKind = (...values: string[]) => ({
	code: 'invalid_value',
	path: ['type'],
	values,
	message: 'Invalid option',
});
const texts = (...details: unknown[]) =>
	readProblems({ details }).map(({ path, message, unknown }) => ({
		path,
		message,
		...(unknown.length > 0 && { unknown }),
	}));

it('gives five problems at most, however many there are and however deep', () => {
	const many = Array.from({ length: 9 }, (_unused, index) => problem(`No ${index}`));
	expect(texts(...many).map(({ message }) => message)).toEqual([
		'No 0',
		'No 1',
		'No 2',
		'No 3',
		'No 4',
	]);
	expect(texts(union(many))).toHaveLength(5);
	expect(texts('text', 5, null, ['list'], ...many)).toHaveLength(5);
});

it.each([undefined, null, 'text', {}, { 0: problem('No') }])(
	'finds none where there is no list of them: %j',
	(details) => {
		expect(readProblems({ details })).toEqual([]);
	},
);

it('names a place by its first eight steps, and nothing that is no name', () => {
	const path = ['a', 0, null, { b: 1 }, '', 'c', 'd', 'e', 'f', 'g'];
	expect(texts(problem('No', path))).toEqual([{ path: 'a.0.c.d.e', message: 'No' }]);
});

describe('options that are not known', () => {
	const unknownKeys = (keys: unknown, message?: string) => ({
		code: 'unrecognized_keys',
		path: ['formats', 0],
		keys,
		message,
	});

	it('are named with their place, ten at most, and not at length', () => {
		const keys = ['a', 'x'.repeat(200), ...Array<string>(20).fill('b')];
		const [found] = readProblems({ details: [unknownKeys(keys, 'Unrecognized')] });
		expect(found?.unknown).toHaveLength(10);
		expect(found?.unknown.slice(0, 3)).toEqual([
			'formats.0.a',
			`formats.0.${'x'.repeat(80)}…`,
			'formats.0.b',
		]);
	});

	it('are a problem like others where the service names none', () => {
		expect(texts(unknownKeys([], 'Unrecognized'))).toEqual([
			{ path: 'formats.0', message: 'Unrecognized' },
		]);
		expect(texts(unknownKeys('all'))).toEqual([]);
	});

	it('are not meant by every list of keys', () => {
		expect(texts({ ...unknownKeys(['a'], 'Two of these'), code: 'custom' })).toEqual([
			{ path: 'formats.0', message: 'Two of these' },
		]);
	});
});

describe('of an option that may be several things', () => {
	it('the problems are told of the thing that has the fewest', () => {
		const two = [problem('One', ['a']), problem('Two', ['b'])];
		expect(texts(union([], two, [problem('Only', ['c'])], two))).toEqual([
			{ path: 'formats.0.c', message: 'Only' },
		]);
	});

	it.each([
		['another value of its type', otherKind('a')],
		['another literal', { ...otherKind('a'), code: 'invalid_literal' }],
		['another type altogether', { code: 'invalid_type', path: [], message: 'Expected string' }],
		['another value as a whole', { code: 'invalid_value', path: [], message: 'Expected "a"' }],
	])('none is told of a thing that was not meant: %s', (_name, other) => {
		const meant = [problem('One', ['a']), problem('Two', ['b'])];
		expect(texts(union([other], meant)).map(({ message }) => message)).toEqual(['One', 'Two']);
	});

	it.each([
		['a wrong value of another field', { ...otherKind('a'), path: ['mode'] }],
		['a wrong type of a field', { code: 'invalid_type', path: ['a'], message: 'Invalid option' }],
	])('they are told where the thing was meant: %s', (_name, own) => {
		expect(texts(union([own], [problem('One'), problem('Two')]))).toMatchObject([
			{ message: 'Invalid option' },
		]);
	});

	it('the kinds are listed, each once, where none was meant', () => {
		const mode = { ...otherKind('not this'), path: ['mode'] };
		expect(texts(union([otherKind('a')], [otherKind('b', 'a'), mode]))).toEqual([
			{ path: 'formats.0.type', message: 'must be one of "a", "b"' },
		]);
	});

	it('its own words are told where no kinds are listed', () => {
		const literal = { code: 'invalid_type', path: [], message: 'Expected string' };
		expect(texts(union([literal]))).toEqual([{ path: 'formats.0', message: 'Invalid input' }]);
	});

	it('as many as a hundred are checked', () => {
		const none = Array.from({ length: 99 }, () => []);
		const own = [problem('Only')];
		expect(texts(union(...none, own))).toMatchObject([{ message: 'Only' }]);
		expect(texts(union(...none, [], own))).toMatchObject([{ message: 'Invalid input' }]);
	});

	it('nothing of it is read in a problem of another sort', () => {
		const other = { ...union([problem('Inner')]), code: 'custom' };
		expect(texts(other)).toMatchObject([{ message: 'Invalid input' }]);
		expect(texts({ ...union(), errors: 'none' })).toMatchObject([{ message: 'Invalid input' }]);
	});
});
