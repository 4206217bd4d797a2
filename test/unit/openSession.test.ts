import type { ServiceRequest } from '../../nodes/service/http/transport';
import { openSession } from '../../nodes/service/sessions/openSession';
import type { Opening, OpeningEvents } from '../../nodes/service/sessions/openSession';
import { sessionRegister } from '../../nodes/service/sessions/sessionRegister';
import { BrowserService } from './browserService.ts';

const REQUEST: ServiceRequest = {
	method: 'POST',
	path: '/v2/interact',
	body: { ttl: 300 },
	bucket: 'interact',
};
const LOST = { code: 'ECONNRESET' };
const NO = { success: false, error: 'No' };

let service: BrowserService;
let told: string[];
let abandonAtMs: number;

beforeEach(() => {
	service = new BrowserService();
	told = [];
	abandonAtMs = Infinity;
});

const register = () => sessionRegister(service.limits);
const events: OpeningEvents = {
	onSending: () => told.push('sending'),
	onNothing: () => told.push('nothing'),
	onOpened: (id) => told.push(`opened ${id}`),
	onFoundAndClosed: (id, answer) => told.push(`closed ${id} ${String(answer.creditsBilled)}`),
};
async function begin(maxWaitMs = 60_000): Promise<Opening> {
	const isAbandoned = () => service.time.now() >= abandonAtMs;
	const client = service.client();
	return await openSession(REQUEST, { maxWaitMs, isAbandoned }, events, register(), client);
}
const open = async (maxWaitMs?: number) => await service.time.until(begin(maxWaitMs));

/** Nobody may be waited for, or a later opening would be in doubt for ever, or be held up. */
afterEach(() => {
	for (const one of told) {
		if (one.startsWith('opened')) service.limits.starts('interact').left();
	}
	expect([...register().underWay]).toEqual([]);
	expect([...register().lost]).toEqual([]);
	expect(service.limits.isIdle(Infinity)).toBe(true);
});

it('opens one, tells so before anything else, and knows that it is its own', async () => {
	expect(await open()).toEqual({ kind: 'opened', id: 's1', answer: { success: true, id: 's1' } });
	expect(told).toEqual(['sending', 'opened s1']);
	expect(service.seen).toMatchObject([{ method: 'POST', body: { ttl: 300 } }]);
	expect(register().isKnown('s1')).toBe(true);
	expect(service.time.now()).toBeLessThan(50);
});

it('has opened nothing where it is refused', async () => {
	service.opening = () => ({ status: 400, body: NO });
	const opening = await open();
	expect(opening).toMatchObject({ kind: 'failed', failure: { httpCode: 400, reached: 'no' } });
	expect(opening).not.toHaveProperty('finding');
	expect(told).toEqual(['sending', 'nothing']);
	expect(service.whats).toEqual(['POST']);
});

it('counts as on its way until its answer is there, and no longer', async () => {
	service.opening = () => ({ ms: 5000 });
	const opening = begin();
	await service.time.pass(1000);
	expect([...register().underWay]).toEqual([{ sentMs: 0 }]);
	expect((await service.time.until(opening)).kind).toBe('opened');
});

it('waits for a free browser, and keeps its place', async () => {
	service.opening = (count) =>
		count === 1 ? { status: 429, body: NO, headers: { 'retry-after': '7' } } : undefined;
	let pauseEndMs = 0;
	service.time.at(1000, () => (pauseEndMs = service.limits.pauses.untilMs('interact')));
	expect((await open()).kind).toBe('opened');
	expect(told).toEqual(['sending', 'nothing', 'sending', 'opened s2']);
	expect(service.seen[1]?.atMs).toBeGreaterThanOrEqual(7000);
	expect(service.seen[1]?.atMs).toBeCloseTo(pauseEndMs, 0);
});

it('gives up when nothing has moved for the longest wait', async () => {
	service.opening = () => ({ status: 429, body: NO });
	const opening = await open(30_000);
	expect(opening).toMatchObject({
		kind: 'failed',
		failure: { kind: 'rateLimited', reached: 'no' },
	});
	expect(service.time.now()).toBeGreaterThanOrEqual(30_000);
	expect(service.time.now()).toBeLessThan(65_000);
});

describe('when the answer is lost', () => {
	it('closes the session that it opened, and opens another', async () => {
		service.opening = (count) => (count === 1 ? LOST : undefined);
		expect(await open()).toMatchObject({ kind: 'opened', id: 's2' });
		expect(told).toEqual(['sending', 'closed s1 2', 'nothing', 'sending', 'opened s2']);
		expect(service.whats).toEqual(['POST', 'GET', 'DELETE s1', 'POST']);
		expect(service.rows.map(({ id }) => id)).toEqual(['s2']);
	});

	it('opens another where none was opened', async () => {
		service.opening = (count) => (count === 1 ? { ...LOST, body: {} } : undefined);
		expect((await open()).kind).toBe('opened');
		expect(told).toEqual(['sending', 'sending', 'opened s2']);
		expect(service.count('POST')).toBe(2);
	});

	it('does that once', async () => {
		service.opening = () => LOST;
		const opening = await open();
		expect(opening).toMatchObject({ kind: 'failed', finding: { kind: 'found', ids: ['s2'] } });
		expect(service.count('POST')).toBe(2);
		expect(told.slice(-2)).toEqual(['closed s2 2', 'nothing']);
		expect(service.rows).toEqual([]);
	});

	it('opens no other where the list is not to be had, and says so', async () => {
		service.opening = () => LOST;
		service.listing = () => ({ status: 404, body: '' });
		expect(await open()).toMatchObject({ kind: 'failed', finding: { kind: 'unknown' } });
		expect(service.count('POST')).toBe(1);
		expect(told).toEqual(['sending']);
	});

	it('closes none where it may be one of several', async () => {
		service.opening = () => LOST;
		service.add('others');
		const opening = await open();
		expect(opening).toMatchObject({ finding: { kind: 'several', ids: ['others', 's1'] } });
		expect(service.rows).toHaveLength(2);
		expect(service.count('POST')).toBe(1);
	});

	it('opens no other when the first cannot be closed', async () => {
		service.opening = () => LOST;
		service.closing = () => ({ status: 403, body: NO });
		const opening = await open();
		expect(opening).toMatchObject({ kind: 'failed', finding: { kind: 'found', ids: ['s1'] } });
		expect(service.count('POST')).toBe(1);
		expect(told).toEqual(['sending']);
	});

	it('opens no other when the execution is stopped meanwhile', async () => {
		service.opening = () => LOST;
		service.closing = () => ({ ms: 1000, body: { success: true } });
		service.time.at(700, () => service.stop.abort());
		expect(await open()).toMatchObject({ kind: 'failed', finding: { kind: 'found' } });
		expect(service.count('POST')).toBe(1);
		expect(told).toEqual(['sending', 'closed s1 undefined', 'nothing']);
	});

	it('opens no other when the rest of the run is not wanted any more', async () => {
		service.opening = () => LOST;
		abandonAtMs = 300;
		expect(await open()).toMatchObject({ kind: 'failed', finding: { kind: 'found' } });
		expect(service.count('POST')).toBe(1);
	});

	it('clears up after two that were lost together, and opens one for each', async () => {
		service.opening = (count) => (count <= 2 ? LOST : undefined);
		const both = await service.time.until(Promise.all([begin(), begin()]));
		expect(both.map(({ kind }) => kind)).toEqual(['opened', 'opened']);
		expect(service.rows.map(({ id }) => id).sort()).toEqual(['s3', 's4']);
	});

	it('closes each of them once', async () => {
		service.opening = (count) => (count <= 2 ? LOST : undefined);
		service.closing = () => ({ ms: 3000 });
		await service.time.until(Promise.all([begin(), begin()]));
		expect([service.count('DELETE s1'), service.count('DELETE s2')]).toEqual([1, 1]);
	});

	it('opens no other when one of them cannot be closed', async () => {
		service.opening = (count) => (count <= 2 ? LOST : undefined);
		service.closing = (count) => (count === 1 ? { status: 403, body: NO } : undefined);
		const both = await service.time.until(Promise.all([begin(), begin()]));
		expect(both.map(({ kind }) => kind).sort()).toEqual(['failed', 'opened']);
		expect(service.rows.map(({ id }) => id)).toEqual(['s1', 's3']);
	});

	it('never closes the session of another that is on its way', async () => {
		service.opening = (count) => (count === 1 ? LOST : count === 2 ? { ms: 12_000 } : undefined);
		const both = await service.time.until(Promise.all([begin(), begin()]));
		expect(both).toMatchObject([{ kind: 'opened' }, { kind: 'opened', id: 's2' }]);
		expect(service.rows.map(({ id }) => id).sort()).toEqual(['s2', 's3']);
		expect(service.count('DELETE s2')).toBe(0);
	});
});

describe('what is not wanted any more', () => {
	it('is not sent when the execution is stopped already', async () => {
		service.stop.abort();
		expect((await open()).kind).not.toBe('opened');
		expect(service.seen).toEqual([]);
		expect(told.at(-1)).toBe('nothing');
	});

	it.each([
		['stopped', () => service.stop.abort()],
		['abandoned', () => (abandonAtMs = 0)],
	])('leaves the queue when the run is %s while it waits', async (_what, end) => {
		service.opening = () => ({ status: 429, body: NO, headers: { 'retry-after': '60' } });
		service.time.at(2000, end);
		expect(await open()).toEqual({ kind: 'notSent' });
		expect(service.time.now()).toBeLessThan(2600);
		expect(service.count('POST')).toBe(1);
	});

	it.each([
		['stopped', 700, () => service.stop.abort()],
		['abandoned', 700, () => (abandonAtMs = 0)],
		['stopped just now', 1800, () => service.stop.abort()],
		['abandoned just now', 1800, () => (abandonAtMs = 0)],
	])('is not asked for again when it is refused and the run was %s', async (_what, endMs, end) => {
		service.opening = () => ({ ms: 1900, status: 429, body: NO });
		service.time.at(endMs, end);
		expect(await open()).toEqual({ kind: 'notSent' });
		expect(told).toEqual(['sending', 'nothing']);
		// Nobody else lets it go later, either.
		await service.time.pass(600_000);
		service.limits.starts('interact').pump(service.time.now());
		await service.time.pass(10_000);
		expect(service.count('POST')).toBe(1);
	});

	it('comes to its end when it is on its way, so that it can be closed', async () => {
		service.opening = () => ({ ms: 3000 });
		service.time.at(500, () => service.stop.abort());
		expect(await open()).toMatchObject({ kind: 'opened', id: 's1' });
		expect(told).toEqual(['sending', 'opened s1']);
	});
});
