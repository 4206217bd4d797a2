import {
	findEarlierSession,
	findKilledSessions,
	findLostSession,
} from '../../nodes/service/sessions/findStray';
import { sessionRegister } from '../../nodes/service/sessions/sessionRegister';
import { BrowserService } from './browserService.ts';

let service: BrowserService;

beforeEach(() => (service = new BrowserService()));

const register = () => sessionRegister(service.limits);
/** Looks, from now on, for the session of an opening that was sent at a time. */
const lost = async (sentMs = service.time.now()) => {
	const opening = { sentMs };
	register().lost.add(opening);
	const finding = await service.time.until(findLostSession(opening, register(), service.client()));
	register().lost.delete(opening);
	return finding;
};
const looks = () => service.seen.map(({ atMs }) => atMs);

describe('the session of an opening whose answer was just lost', () => {
	it('is found at the first look, half a second later', async () => {
		service.add('a', 100);
		expect(await lost()).toEqual({ kind: 'found', ids: ['a'] });
		expect(looks()).toEqual([500]);
	});

	it('is looked for twice more, for one that was still on its way', async () => {
		service.time.at(4000, () => service.add('late'));
		expect(await lost()).toEqual({ kind: 'found', ids: ['late'] });
		expect(looks()).toEqual([500, 2000, 5000]);
	});

	it('is none when nobody opened one by then', async () => {
		service.add('earlier', -60_000);
		expect(await lost(0)).toEqual({ kind: 'none' });
		expect(looks()).toEqual([500, 2000, 5000]);
	});

	it('is told by the service’s clock, of which the answers show whole seconds', async () => {
		await service.time.pass(600_400);
		const sentMs = service.time.now();
		// Its clock may be two seconds behind that of the machine that answers, and no more.
		service.add('before', sentMs - 3001);
		expect((await lost(sentMs)).kind).toBe('none');
		service.rows = [];
		service.add('its', sentMs - 1500);
		expect(await lost(sentMs)).toEqual({ kind: 'found', ids: ['its'] });
	});

	it('is not one that will be opened later by somebody else', async () => {
		service.add('future', 60_000);
		expect((await lost()).kind).toBe('none');
		service.rows = [];
		const nowMs = service.time.now();
		// At the first look, half a second from now, and two seconds ahead of it.
		service.add('ahead', nowMs + 2000);
		expect((await lost()).kind).toBe('found');
	});

	it('is not one that is used, nor one that is known to be somebody’s', async () => {
		service.add('used', 0, { lastActivity: service.dateAt(2000) });
		service.add('known', 0);
		register().know('known', 0);
		expect((await lost(0)).kind).toBe('none');
	});

	it('is one of several when there are more than were lost', async () => {
		service.add('a', 0);
		service.add('b', 0);
		expect(await lost()).toEqual({ kind: 'several', ids: ['a', 'b'] });
		expect(looks()).toHaveLength(3);
		service.rows = [];
		const sentMs = service.time.now();
		service.add('c', sentMs);
		service.add('d', sentMs);
		register().lost.add({ sentMs });
		expect(await lost()).toEqual({ kind: 'found', ids: ['c', 'd'] });
	});

	it('may be another’s while that one’s answer is awaited, and is known after it', async () => {
		await service.time.pass(10_000);
		const other = { sentMs: 10_000 };
		register().underWay.add(other);
		service.add('a', 10_100);
		service.time.at(30_000, () => {
			register().know('a', 0);
			register().underWay.delete(other);
		});
		expect(await lost()).toEqual({ kind: 'none' });
		expect(service.time.now()).toBeGreaterThan(30_000);
		expect(service.time.now()).toBeLessThan(31_500);
		// About once a second.
		expect(service.seen.length).toBeLessThan(27);
	});

	it('stays in doubt when that other one is not answered within a minute and a half', async () => {
		register().underWay.add({ sentMs: 0 });
		service.add('a', 100);
		expect(await lost()).toEqual({ kind: 'doubt', ids: ['a'] });
		expect(service.time.now()).toBeGreaterThan(85_000);
		expect(service.time.now()).toBeLessThan(95_000);
	});

	it('is not that of an opening which was sent after it was opened', async () => {
		await service.time.pass(10_000);
		service.add('a', 100);
		register().underWay.add({ sentMs: 9000 });
		expect(await lost(0)).toEqual({ kind: 'found', ids: ['a'] });
	});

	it('is not known where there is no list to be had', async () => {
		service.listing = () => ({ status: 404, body: '' });
		expect(await lost()).toEqual({ kind: 'unknown' });
		expect(looks()).toEqual([500, 2000, 5000]);
	});

	it('is found when the list is there again', async () => {
		service.add('a', 0);
		service.listing = (count) => (count === 1 ? { body: {} } : undefined);
		expect(await lost()).toEqual({ kind: 'found', ids: ['a'] });
		expect(looks()).toEqual([500, 2000]);
	});

	it('is looked for no longer when the execution is stopped', async () => {
		service.time.at(700, () => service.stop.abort());
		expect((await lost()).kind).toBe('none');
		expect(service.time.now()).toBeLessThan(1300);
		expect(service.seen).toHaveLength(1);
	});
});

describe('the session of an earlier try', () => {
	const earlier = async (sentAgoMs: number) =>
		await service.time.until(findEarlierSession(sentAgoMs, register(), service.client()));

	beforeEach(async () => await service.time.pass(1_000_000));

	it('was opened after it was sent, within the time that anybody waits for it', async () => {
		service.add('before', 1_000_000 - 600_000 - 3100);
		service.add('its', 1_000_000 - 600_000 + 140_000);
		service.add('later', 1_000_000 - 600_000 + 152_000);
		expect(await earlier(600_000)).toEqual({ kind: 'found', ids: ['its'] });
		expect(service.seen).toHaveLength(1);
	});

	it('is not known where there are two, or no list, and is none where there is none', async () => {
		expect((await earlier(1000)).kind).toBe('none');
		service.add('a', 1_000_000);
		service.add('b', 1_000_000);
		expect(await earlier(1000)).toEqual({ kind: 'several', ids: ['a', 'b'] });
		service.listing = () => ({ body: {} });
		expect(await earlier(1000)).toEqual({ kind: 'unknown' });
	});

	it('is none that somebody uses', async () => {
		service.add('used', 1_000_000, { lastActivity: service.dateAt(1_002_000) });
		expect((await earlier(1000)).kind).toBe('none');
	});
});

describe('the sessions that n8n left open when it was killed', () => {
	const killed = async (sinceAgoMs: number, most = 5) =>
		await service.time.until(
			findKilledSessions({ sinceAgoMs, most }, register(), service.client()),
		);

	beforeEach(async () => await service.time.pass(1_000_000));

	it('are those since its execution began, also used ones, that nobody uses now', async () => {
		service.add('a', 1_000_000 - 500_000);
		service.add('b', 1_000_000 - 400_000, { lastActivity: service.dateAt(900_000) });
		service.add('inUse', 1_000_000 - 400_000, { lastActivity: service.dateAt(900_000) });
		service.add('older', 1_000_000 - 600_000 - 7000);
		service.time.at(1_001_000, () => {
			service.rows = service.rows.map((row) =>
				row.id === 'inUse' ? { ...row, lastActivity: service.dateAt(1_001_000) } : row,
			);
			service.add('new');
		});
		expect(await killed(600_000)).toEqual({ kind: 'found', ids: ['a', 'b'] });
		expect(service.seen).toHaveLength(2);
		expect((looks()[1] ?? 0) - (looks()[0] ?? 0)).toBeGreaterThanOrEqual(3000);
	});

	it('may have begun a few seconds before, since clocks are set', async () => {
		service.add('a', 1_000_000 - 600_000 - 4000);
		expect((await killed(600_000)).kind).toBe('found');
	});

	it('may seem to be opened just now, by a clock that is ahead', async () => {
		service.add('a', 1_000_000 + 900);
		expect((await killed(600_000)).kind).toBe('found');
	});

	it('are none that were opened after the look began', async () => {
		service.add('new', 1_000_000 + 2500);
		expect((await killed(600_000)).kind).toBe('none');
	});

	it('are not known where there are more than there can be', async () => {
		for (const id of ['a', 'b', 'c']) service.add(id, 900_000);
		expect((await killed(600_000, 2)).kind).toBe('several');
		expect((await killed(600_000, 3)).kind).toBe('found');
	});

	it('need no second look where none is open', async () => {
		expect(await killed(600_000)).toEqual({ kind: 'none' });
		expect(service.seen).toHaveLength(1);
	});

	it.each([1, 2])('are not known when look %i does not come to anything', async (failing) => {
		service.add('a', 900_000);
		service.listing = (count) => (count === failing ? { body: {} } : undefined);
		expect(await killed(600_000)).toEqual({ kind: 'unknown' });
	});

	it('are not known, and not looked for again, when the execution is stopped', async () => {
		service.add('a', 900_000);
		service.time.at(1_001_000, () => service.stop.abort());
		expect(await killed(600_000)).toEqual({ kind: 'unknown' });
		expect(service.seen).toHaveLength(1);
		expect(service.time.now()).toBeLessThan(1_001_600);
	});
});
