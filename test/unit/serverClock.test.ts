import fc from 'fast-check';

import {
	idTimeMs,
	readDateMs,
	readTimeMs,
	serverTimeOf,
} from '../../nodes/service/startRecovery/serverClock';

const AT = Date.UTC(2026, 10, 21, 20, 4, 16);

it.each([
	['2026-11-21 20:04:16.060777+00', AT + 60],
	['2026-11-21 20:04:16+00', AT],
	['2026-11-21 22:04:16+02', AT],
	['2026-11-21 22:04:16.5+02:00', AT + 500],
	['2026-11-21T20:04:16.000Z', AT],
	['2026-11-21T20:04:16+00:00', AT],
	['Sat, 21 Nov 2026 20:04:16 GMT', AT],
	['tomorrow', undefined],
	['', undefined],
	[AT, undefined],
	[null, undefined],
	[undefined, undefined],
])('the time %j is read, as databases and others write it', (text, ms) => {
	expect(readTimeMs(text)).toBe(ms);
});

it('any time is read as it is written, in any zone of whole hours', () => {
	fc.assert(
		fc.property(
			fc.date({ min: new Date(0), max: new Date(AT * 2), noInvalidDate: true }),
			fc.integer({ min: -11, max: 12 }),
			(date, zone) => {
				const local = new Date(date.getTime() + zone * 3_600_000).toISOString();
				const sign = zone < 0 ? '-' : '+';
				const offset = `${sign}${String(Math.abs(zone)).padStart(2, '0')}`;
				const text = local.replace('T', ' ').replace('Z', offset);
				expect(readTimeMs(text)).toBe(date.getTime());
			},
		),
	);
});

it('the service’s clock is read from its answers', () => {
	expect(readDateMs({ date: 'Sat, 21 Nov 2026 20:04:16 GMT' })).toBe(AT);
	expect(readDateMs({ Date: 'Sat, 21 Nov 2026 20:04:16 GMT' })).toBe(AT);
	expect(readDateMs({ age: '0' })).toBeUndefined();
	expect(readDateMs({ date: 'soon' })).toBeUndefined();
});

it('what it showed at another time is as far from that as our clock says', () => {
	const clock = { dateMs: AT, receivedMs: 5000 };
	expect(serverTimeOf(clock, 5000)).toBe(AT);
	expect(serverTimeOf(clock, 2000)).toBe(AT - 3000);
	expect(serverTimeOf(clock, 6000)).toBe(AT + 1000);
});

describe('when something began, by its ID', () => {
	it('is in every UUID of version 7, however it is written', () => {
		fc.assert(
			fc.property(fc.uuid({ version: 7 }), (id) => {
				const ms = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
				expect(idTimeMs(id)).toBe(ms);
				expect(idTimeMs(id.toUpperCase())).toBe(ms);
			}),
		);
	});

	it('is in nothing else', () => {
		fc.assert(
			fc.property(fc.oneof(fc.uuid({ version: [1, 4, 6] }), fc.string({ maxLength: 40 })), (id) => {
				expect(idTimeMs(id)).toBeUndefined();
			}),
		);
		const id = '0193a2b3-c4d5-7abc-8def-0123456789ab';
		for (const other of [`x${id}`, `${id}0`, id.replace('-8', '-c'), id.replace('b3', 'g3')]) {
			expect(idTimeMs(other)).toBeUndefined();
		}
	});
});
