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
let mayOpenAnother: boolean;

beforeEach(() => {
	service = new BrowserService();
	told = [];
	abandonAtMs = Infinity;
	mayOpenAnother = true;
});

const register = () => sessionRegister(service.limits);
const events: OpeningEvents = {
	onSending: () => told.push('sending'),
	onNothing: () => told.push('nothing'),
	onOpened: (id) => told.push(`opened ${id}`),
	onLost: () => told.push('lost'),
};
async function begin(maxWaitMs = 60_000): Promise<Opening> {
	const isAbandoned = () => service.time.now() >= abandonAtMs;
	const options = { maxWaitMs, isAbandoned, mayOpenAnother: () => mayOpenAnother };
	return await openSession(REQUEST, options, events, register(), service.client());
}
const open = async (maxWaitMs?: number) => await service.time.until(begin(maxWaitMs));

/** Nobody may be waited for, or a later opening would be in doubt for ever, or be held up. */
afterEach(() => {
	for (const one of told) {
		if (one.startsWith('opened')) service.limits.starts('interact').left();
	}
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
	expect(told).toEqual(['sending', 'nothing']);
	expect(service.whats).toEqual(['POST']);
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
	it('opens another a second later, and touches no session that the service lists', async () => {
		service.opening = (count) => (count === 1 ? LOST : undefined);
		expect(await open()).toMatchObject({ kind: 'opened', id: 's2' });
		expect(told).toEqual(['sending', 'lost', 'sending', 'opened s2']);
		expect(service.whats).toEqual(['POST', 'POST']);
		expect(service.seen[1]?.atMs).toBeGreaterThanOrEqual(1000);
		expect(service.seen[1]?.atMs).toBeLessThan(1500);
		expect(register().isKnown('s1')).toBe(false);
	});

	it('does that once', async () => {
		service.opening = () => LOST;
		expect(await open()).toMatchObject({ kind: 'failed', failure: { reached: 'maybe' } });
		expect(told).toEqual(['sending', 'lost', 'sending', 'lost']);
		expect(service.whats).toEqual(['POST', 'POST']);
	});

	it('tells of a second opening that is refused', async () => {
		service.opening = (count) => (count === 1 ? LOST : { status: 402, body: NO });
		expect(await open()).toMatchObject({ kind: 'failed', failure: { httpCode: 402 } });
		expect(told).toEqual(['sending', 'lost', 'sending', 'nothing']);
	});

	it('opens no other where that is not allowed', async () => {
		service.opening = () => LOST;
		mayOpenAnother = false;
		expect(await open()).toMatchObject({ kind: 'failed', failure: { reached: 'maybe' } });
		expect(told).toEqual(['sending', 'lost']);
		expect(service.time.now()).toBeLessThan(100);
	});

	it.each([
		['the execution is stopped', 500, () => service.stop.abort()],
		['the rest of the run is not wanted any more', 500, () => (abandonAtMs = 0)],
		['the run was given up before', 0, () => (abandonAtMs = 0)],
	])('opens no other when %s', async (_what, atMs, end) => {
		service.opening = () => LOST;
		service.time.at(atMs, end);
		expect(await open()).toMatchObject({ kind: 'failed', failure: { reached: 'maybe' } });
		expect(told).toEqual(['sending', 'lost']);
		expect(service.count('POST')).toBe(1);
	});

	it('is no longer queued when the run ends while the second waits for its turn', async () => {
		service.opening = (count) =>
			count === 1 ? LOST : { status: 429, body: NO, headers: { 'retry-after': '60' } };
		service.time.at(5000, () => service.stop.abort());
		expect(await open()).toMatchObject({ kind: 'failed', failure: { reached: 'maybe' } });
		expect(told).toEqual(['sending', 'lost', 'sending', 'nothing']);
		expect(service.time.now()).toBeLessThan(6000);
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
