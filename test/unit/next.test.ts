import { readNext } from '../../nodes/service/results/nextLink';
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
