import fc from 'fast-check';

import { readResearch } from '../../nodes/WebData/resources/deepResearch/record';
import { recorded } from '../sandbox/recorded.ts';

type Place = 'top' | 'data' | 'both';

const source = fc.record({
	title: fc.string(),
	url: fc.webUrl(),
	description: fc.string(),
	icon: fc.string(),
});
const activity = fc.record({
	type: fc.string(),
	status: fc.string(),
	message: fc.string(),
	timestamp: fc.string(),
	depth: fc.nat(),
});
const text = fc.string({ minLength: 1 });
const values = fc.record({
	status: text,
	finalAnalysis: fc.oneof(text, fc.dictionary(text, fc.integer())),
	json: fc.oneof(text, fc.dictionary(text, fc.integer()), fc.integer()),
	sources: fc.array(source, { minLength: 1 }),
	activities: fc.array(activity, { minLength: 1 }),
	currentDepth: fc.nat(),
	maxDepth: fc.nat(),
	totalUrls: fc.nat(),
	expiresAt: text,
});
const empty: Record<string, unknown> = {
	finalAnalysis: '',
	sources: [],
	activities: [],
	expiresAt: '',
};
const place = fc.constantFrom<Place>('top', 'data', 'both');

/** The first place of each field (shape deepResearchRecord.readOrder). */
const DATA_FIRST = ['finalAnalysis', 'json', 'sources', 'activities'];

it('never throws and always gives a whole record, whatever the JSON', () => {
	fc.assert(
		fc.property(fc.jsonValue(), (body) => {
			const record = readResearch(body);
			expect(Object.keys(record)).toHaveLength(9);
			expect(Array.isArray(record.sources) && Array.isArray(record.activities)).toBe(true);
		}),
	);
});

it('never throws for known fields that hold anything', () => {
	const anyFields = fc.dictionary(
		fc.constantFrom(...Object.keys(empty), 'status', 'json', 'totalUrls', 'data'),
		fc.jsonValue(),
	);
	const body = fc
		.record({ data: anyFields })
		.chain((inner) => anyFields.map((outer) => ({ ...outer, ...inner })));
	fc.assert(
		fc.property(body, (anything) => {
			for (const { title, url, description, icon } of readResearch(anything).sources) {
				expect([title, url, description, icon].every((part) => typeof part === 'string')).toBe(
					true,
				);
			}
		}),
	);
});

it('loses no field, at the top, in data, or in both', () => {
	fc.assert(
		fc.property(values, fc.infiniteStream(place), (wanted, places) => {
			const body: Record<string, unknown> = { success: true };
			const data: Record<string, unknown> = {};
			for (const [name, value] of Object.entries(wanted)) {
				const where = places.next().value;
				if (where !== 'data') body[name] = value;
				if (where !== 'top') data[name] = value;
			}
			expect(readResearch({ ...body, data })).toEqual(wanted);
		}),
	);
});

it.each(Object.keys(empty))('prefers the %s that is not empty, wherever it sits', (name) => {
	fc.assert(
		fc.property(values, fc.boolean(), (wanted, isAtTop) => {
			const full = { [name]: wanted[name as keyof typeof wanted] };
			const other = { [name]: empty[name] };
			const body = isAtTop ? { ...full, data: other } : { ...other, data: full };
			expect(readResearch(body)).toMatchObject(full);
		}),
	);
});

it('reads each field first where the contract says', () => {
	fc.assert(
		fc.property(values, values, (top, data) => {
			const record: Record<string, unknown> = { ...readResearch({ ...top, data }) };
			for (const name of Object.keys(record)) {
				const first = DATA_FIRST.includes(name) ? data : top;
				expect([name, record[name]]).toEqual([name, first[name as keyof typeof first]]);
			}
		}),
	);
});

it('takes a list of the wrong things for no list when the other place has the sources', () => {
	const right = [{ title: 'A', url: 'https://a.example', description: '', icon: '' }];
	expect(readResearch({ data: { sources: [null, 'x'] }, sources: right }).sources).toEqual(right);
});

it('joins lists of titles and descriptions and takes the favicon for a missing icon', () => {
	const [first, second] = readResearch({
		data: {
			sources: [
				{ title: ['A', 'B', 3], url: 'u', description: ['d'], favicon: 'f' },
				{ title: 5, url: null, description: {}, icon: 'i', favicon: 'f' },
			],
		},
	}).sources;
	expect(first).toEqual({ title: 'A, B', url: 'u', description: 'd', icon: 'f' });
	expect(second).toEqual({ title: '', url: '', description: '', icon: 'i' });
});

it('keeps a final analysis that is text, empty, or an object', () => {
	const read = (finalAnalysis: unknown) => readResearch({ data: { finalAnalysis } }).finalAnalysis;
	expect([read('Text'), read(''), read({ a: 1 }), read(null), read(undefined)]).toEqual([
		'Text',
		'',
		{ a: 1 },
		'',
		'',
	]);
});

it('counts the sources when the service gives no number of URLs', () => {
	expect(readResearch({ data: { sources: [{}, {}] } }).totalUrls).toBe(2);
	expect(readResearch({ totalUrls: 0, data: { sources: [{}, {}] } }).totalUrls).toBe(0);
});

const answers = recorded('deep-research').filter(
	({ request, response }) => request.method === 'GET' && response.status === 200,
);

it.each(answers.map(({ name, response }) => [name, response.body] as const))(
	'reads the recording %s fully',
	(_name, body) => {
		const { data, ...top } = body as Record<string, unknown> & { data: Record<string, unknown> };
		const record = readResearch(body);
		expect(record).toMatchObject({
			status: top.status,
			expiresAt: top.expiresAt,
			currentDepth: top.currentDepth,
			maxDepth: top.maxDepth,
			totalUrls: top.totalUrls,
			activities: data.activities,
		});
		expect(record.sources).toEqual(data.sources);
		expect(record.finalAnalysis).toEqual(data.finalAnalysis ?? '');
		expect(record.json).toEqual(data.json ?? null);
	},
);
