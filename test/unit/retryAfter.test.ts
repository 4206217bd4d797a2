import fc from 'fast-check';

import { recording } from '../sandbox/recorded.ts';
import { MAX_PAUSE_MS, readRetryAfterMs } from '../../nodes/service/http/retry.ts';

const NOW = Date.UTC(2026, 0, 1, 12);
const date = (ms: number) => new Date(ms).toUTCString();
const read = (value: unknown, text = '', more: Record<string, unknown> = {}) =>
	readRetryAfterMs({ ...(value !== undefined && { 'retry-after': value }), ...more }, text, NOW);

it.each([
	['12', 12_000],
	['0', 0],
	[' 3.5 ', 3500],
	['2.25', 2250],
	[7, 7000],
	['99999999999999999999999', MAX_PAUSE_MS],
	['86400', MAX_PAUSE_MS],
	[date(NOW + 30_000), 30_000],
	[new Date(NOW + 30_000).toISOString(), 30_000],
	[date(NOW - 30_000), 0],
	[date(NOW + 365 * 86_400_000), MAX_PAUSE_MS],
	['-5', undefined],
	['soon', undefined],
	['foo 5', undefined],
	['5 seconds', undefined],
	['', undefined],
	['NaN', undefined],
	['Infinity', undefined],
	[undefined, undefined],
	[null, undefined],
	[['5'], undefined],
])('reads Retry-After %j as %j', (value, expected) => {
	expect(read(value)).toBe(expected);
});

it('measures a date against the answer’s own Date header, so that no wrong clock matters', () => {
	fc.assert(
		fc.property(fc.integer({ min: -86_400, max: 86_400 }), fc.nat(600), (skew, seconds) => {
			const sentMs = NOW + skew * 1000;
			const headers = { Date: date(sentMs) };
			expect(read(date(sentMs + seconds * 1000), '', headers)).toBe(seconds * 1000);
		}),
	);
	expect(read(date(NOW + 5000), '', { date: 'nonsense' })).toBe(5000);
});

it('reads the wait that the error text names, when no header does', () => {
	expect(read(undefined, 'Slow down, retry after 12s.')).toBe(12_000);
	expect(read(undefined, 'Retry After 1.25 seconds')).toBe(1250);
	expect(read('3', 'retry after 60s')).toBe(3000);
	expect(read('soon', 'retry after 60s')).toBe(60_000);
	expect(read(undefined, 'Request rate limit exceeded. Please try again later.')).toBeUndefined();
});

it('reads the wait from the refusal of a real server', () => {
	const { headers, body } = recording('auth', 'auth-30-ratelimit-dr-start-3').response;
	const { error } = body as { error: string };
	expect(readRetryAfterMs(headers, error, NOW)).toBe(60_000);
});

it('takes a header in any case, and gives nothing but a wait that can be kept', () => {
	expect(readRetryAfterMs({ 'Retry-After': '4' }, '', NOW)).toBe(4000);
	const headers = fc.dictionary(
		fc.constantFrom('retry-after', 'date', 'Retry-After'),
		fc.oneof(fc.string(), fc.integer(), fc.date({ noInvalidDate: true }).map(String), fc.jsonValue()),
	);
	fc.assert(
		fc.property(headers, fc.string(), (some, text) => {
			const wait = readRetryAfterMs(some, text, NOW) ?? 0;
			expect(wait).toBeGreaterThanOrEqual(0);
			expect(wait).toBeLessThanOrEqual(MAX_PAUSE_MS);
		}),
	);
});
