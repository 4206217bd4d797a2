import { placeText, readNext, skipIn } from '../../nodes/service/results/nextPageUrl';
import { failureOf } from './caught.ts';

const BASE_URL = 'https://service.example';
const link = (values: number) =>
	`${BASE_URL}/x?${Array.from({ length: values }, (_value, index) => `v${index}=1`).join('&')}`;
const refusal = async (next: unknown) =>
	await failureOf(() => Promise.resolve().then(() => readNext(next, BASE_URL)));

it('takes a link with up to ten values and no more', async () => {
	expect(Object.keys(readNext(link(10), BASE_URL) ?? {})).toHaveLength(10);
	expect((await refusal(link(11))).message).toContain('is no address');
});

it('takes a link of up to 4,000 characters and no more', async () => {
	const long = (length: number) => `${BASE_URL}/?skip=`.padEnd(length, '1');
	expect(readNext(long(4000), BASE_URL)?.skip).toHaveLength(4000 - `${BASE_URL}/?skip=`.length);
	expect((await refusal(long(4001))).message).toContain('is no address');
});

it.each([
	['a file', 'file:///etc/passwd', 'file:///etc/passwd'],
	['a long text, shortened', 'x'.repeat(4001), `${'x'.repeat(100)}…`],
	['a number', 7, '7'],
	['an object', { skip: 1 }, '{"skip":1}'],
])('names what is no link: %s', async (_name, next, shown) => {
	const failure = await refusal(next);
	expect(failure.message.endsWith(`as the place of the next pages: ${shown}.`)).toBe(true);
	expect(failure).toMatchObject({ kind: 'notJson', reached: 'maybe' });
});

it.each([
	'https://evil.example/?skip=1',
	'http://service.example:9/other/path?skip=1#x',
	'//evil.example/?skip=1',
	'?skip=1',
])('reads nothing but the query, wherever it leads: %s', (next) => {
	expect(readNext(next, BASE_URL)).toEqual({ skip: '1' });
});

it.each([undefined, null, `${BASE_URL}/v2/crawl/1`])('asks for nothing more after %j', (next) => {
	expect(readNext(next, BASE_URL)).toBeUndefined();
});

it.each([
	[{ skip: '100' }, 100],
	[{ skip: '0', limit: '5' }, 0],
	[{ skip: '123456789' }, 123_456_789],
	[{ skip: '1234567890' }, undefined],
	[{ skip: '12a' }, undefined],
	[{ skip: 'a12' }, undefined],
	[{ skip: '-1' }, undefined],
	[{ skip: 100 }, undefined],
	[{}, undefined],
	[undefined, undefined],
])('the link with %j has so many places before it: %j', (query, places) => {
	expect(skipIn(query)).toBe(places);
});

it('knows a place whatever the limit and the order, and the first one by its skip or without', () => {
	const place = placeText({ skip: '100', cursor: 'a' });
	expect(placeText({ cursor: 'a', limit: 7, skip: 100 })).toBe(place);
	expect(placeText({ cursor: 'b', skip: '100' })).not.toBe(place);
	expect(placeText({ cursor: 'a' })).toBe(placeText({ cursor: 'a', skip: '0' }));
});
