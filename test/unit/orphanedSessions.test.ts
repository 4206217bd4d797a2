import fc from 'fast-check';

import {
	findPossibleOrphans,
	possibleOrphans,
} from '../../nodes/service/sessions/orphanedSessions';
import type { LostOpening } from '../../nodes/service/sessions/orphanedSessions';
import type { OpenSession } from '../../nodes/service/sessions/sessionList';
import { sessionRegister } from '../../nodes/service/sessions/sessionRegister';
import { BrowserService } from './browserService.ts';

const opening = (sentMs: number, more: Partial<LostOpening> = {}): LostOpening => ({
	sentMs,
	lostMs: sentMs,
	isFresh: true,
	mayBeUsed: false,
	...more,
});

describe('which open sessions may be those of lost openings', () => {
	/** The service's clock shows 1,000,000 where ours shows 0. */
	const clock = { dateMs: 1_000_000, receivedMs: 0 };
	const session = (id: string, openedMs: number | undefined, usedMs?: number): OpenSession => ({
		id,
		openedMs: openedMs === undefined ? undefined : 1_000_000 + openedMs,
		usedMs,
	});
	const found = (
		sessions: OpenSession[],
		openings: LostOpening[],
		isKnown: (id: string) => boolean = () => false,
	) => possibleOrphans({ sessions, clock }, openings, isKnown, 60_000);

	it('those of the time between sending and shortly after the loss, with their age', () => {
		const lost = opening(10_000, { lostMs: 30_000 });
		const sessions = [
			session('before', 7999),
			session('first', 8000),
			session('last', 37_000),
			session('after', 37_001),
		];
		expect(found(sessions, [lost])).toEqual([
			{ id: 'first', ageMs: 52_000, openings: [lost] },
			{ id: 'last', ageMs: 23_000, openings: [lost] },
		]);
	});

	it('a minute more to both sides where an earlier try had put the times down', () => {
		const lost = opening(100_000, { isFresh: false });
		const sessions = [
			session('before', 39_999),
			session('first', 40_000),
			session('last', 165_000),
			session('after', 165_001),
		];
		expect(found(sessions, [lost]).map(({ id }) => id)).toEqual(['first', 'last']);
	});

	it('none that this process knows, and none in use where nobody can have its id', () => {
		const sessions = [session('known', 0), session('used', 0, 1_000_500), session('free', 0)];
		const isKnown = (id: string) => id === 'known';
		const ids = (mayBeUsed: boolean) =>
			found(sessions, [opening(0, { mayBeUsed })], isKnown).map(({ id }) => id);
		expect(ids(false)).toEqual(['free']);
		expect(ids(true)).toEqual(['used', 'free']);
	});

	it('one that does not tell when it was opened, and none younger than now', () => {
		const sessions = [session('undated', undefined), session('ahead', 61_000)];
		expect(found(sessions, [opening(59_000)])).toEqual([
			{ id: 'undated', ageMs: undefined, openings: [opening(59_000)] },
			{ id: 'ahead', ageMs: 0, openings: [opening(59_000)] },
		]);
	});

	it('each is named once, with all openings that it may belong to', () => {
		const [first, second] = [opening(0), opening(1000)];
		const orphans = found([session('a', 500), session('b', 30_000)], [first, second]);
		expect(orphans).toMatchObject([{ id: 'a', openings: [first, second] }]);
	});

	it('never a known one, one of another time, or one that somebody works in', () => {
		const times = fc.integer({ min: 0, max: 200_000 });
		const any = fc.record({
			id: fc.stringMatching(/^[a-z]{1,3}$/),
			openedMs: times,
			usedMs: fc.option(times, { nil: undefined }),
		});
		fc.assert(
			fc.property(
				fc.uniqueArray(any, { selector: ({ id }) => id }),
				fc.array(fc.stringMatching(/^[a-z]{1,3}$/)),
				fc.array(fc.tuple(times, times, fc.boolean(), fc.boolean())),
				(listed, known, lost) => {
					const openings = lost.map(([sentMs, lastsMs, isFresh, mayBeUsed]) =>
						opening(sentMs, { lostMs: sentMs + lastsMs, isFresh, mayBeUsed }),
					);
					const sessions = listed.map(({ id, openedMs, usedMs }) => session(id, openedMs, usedMs));
					const orphans = found(sessions, openings, (id) => known.includes(id));
					for (const { id, openings: possible } of orphans) {
						const one = listed.find((each) => each.id === id);
						expect(known).not.toContain(id);
						expect(possible.length).toBeGreaterThan(0);
						for (const { sentMs, lostMs, mayBeUsed } of possible) {
							expect(one?.openedMs).toBeGreaterThanOrEqual(sentMs - 60_000);
							expect(one?.openedMs).toBeLessThanOrEqual(lostMs + 65_000);
							if (!mayBeUsed) expect(one?.usedMs).toBeUndefined();
						}
					}
				},
			),
		);
	});
});

describe('looking for them', () => {
	let service: BrowserService;
	beforeEach(() => (service = new BrowserService()));

	const register = () => sessionRegister(service.limits);
	const find = async (...openings: LostOpening[]) =>
		await service.time.until(findPossibleOrphans(openings, register(), service.client()));
	const ids = async (...openings: LostOpening[]) => {
		const finding = await find(...openings);
		return finding.kind === 'listed' ? finding.orphans.map(({ id }) => id) : finding.kind;
	};
	const readings = () => service.seen.map(({ atMs }) => atMs);
	const ALL_READINGS = [500, 2000, 5000, 10_000, 15_000];

	/** Nothing but the list was asked for, whatever was found. */
	afterEach(() => {
		for (const what of service.whats) expect(what).toBe('GET');
	});

	it('ends at the first reading that has one for each', async () => {
		service.add('a', 100);
		expect(await ids(opening(0))).toEqual(['a']);
		expect(readings()).toEqual([500]);
	});

	it('goes on for 15 seconds while the list lags behind', async () => {
		service.time.at(12_000, () => service.add('late', 100));
		expect(await ids(opening(0))).toEqual(['late']);
		expect(readings()).toEqual(ALL_READINGS);
	});

	it('goes on while two were lost and one is listed', async () => {
		service.add('a', 100);
		service.time.at(1000, () => service.add('b', 200));
		expect(await ids(opening(0), opening(50))).toEqual(['a', 'b']);
		expect(readings()).toEqual([550, 2050]);
	});

	it('goes on while one of two has none, however many the other may have', async () => {
		service.add('a', 0);
		service.add('b', 0);
		expect(await ids(opening(0), opening(20_000))).toEqual(['a', 'b']);
		expect(readings().at(-1)).toBe(35_000);
	});

	it('names none when nobody opened one by then', async () => {
		service.add('earlier', -60_000);
		expect(await ids(opening(0))).toEqual([]);
		expect(readings()).toEqual(ALL_READINGS);
	});

	it('reads at once, and once, where the loss is longer ago', async () => {
		await service.time.pass(20_000);
		expect(await ids(opening(0))).toEqual([]);
		expect(readings()).toEqual([20_000]);
	});

	it('reads once for those of an earlier try, which had looked itself', async () => {
		expect(await ids(opening(0, { isFresh: false }))).toEqual([]);
		expect(readings()).toEqual([0]);
	});

	it('knows nothing where there is no list, and asks once', async () => {
		service.listing = () => ({ status: 404, body: '' });
		expect(await find(opening(0))).toEqual({ kind: 'unknown' });
		expect(readings()).toEqual([500]);
	});

	it('knows nothing where the list cannot be read for 15 seconds', async () => {
		service.listing = () => ({ body: {} });
		expect(await find(opening(0))).toEqual({ kind: 'unknown' });
		expect(readings()).toEqual(ALL_READINGS);
	});

	it('finds them when the list is there again', async () => {
		service.add('a', 0);
		service.listing = (count) => (count === 1 ? { body: {} } : undefined);
		expect(await ids(opening(0))).toEqual(['a']);
		expect(readings()).toEqual([500, 2000]);
	});

	it('ends when the execution is stopped', async () => {
		service.time.at(700, () => service.stop.abort());
		expect(await ids(opening(0))).toEqual([]);
		expect(service.time.now()).toBeLessThan(1300);
		expect(service.seen).toHaveLength(1);
	});
});
