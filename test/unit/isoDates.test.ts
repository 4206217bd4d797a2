import { withIsoDates } from '../../nodes/operation/recordFields';

describe('times of the service', () => {
	it.each([
		['of its database', '2026-11-21 20:30:00.625328+00', '2026-11-21T20:30:00.625Z'],
		['without a fraction', '2026-11-21 20:30:00+00', '2026-11-21T20:30:00.000Z'],
		['of another zone', '2026-11-21 20:30:00.5-05:30', '2026-11-22T02:00:00.500Z'],
		['in ISO 8601 of another zone', '2026-11-21T22:30:00+02:00', '2026-11-21T20:30:00.000Z'],
		['in ISO 8601 and UTC', '2026-11-21T20:30:00.123456Z', '2026-11-21T20:30:00.123456Z'],
		['that are none', '2026-99-99 20:30:00+00', '2026-99-99 20:30:00+00'],
		['that are not told', null, null],
	])('%s come out in ISO 8601 and UTC', (_what, told, expected) => {
		expect(withIsoDates({ createdAt: told, runs: [{ startedAt: told }] })).toEqual({
			createdAt: expected,
			runs: [{ startedAt: expected }],
		});
	});

	it('are no other texts, whatever they look like', () => {
		const data = { target: '2026-11-21 20:30:00+00', prompt: '2026-11-21T22:30:00+02:00' };
		expect(withIsoDates(data)).toEqual(data);
	});
});
