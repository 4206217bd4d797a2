import { closeSession } from '../../nodes/service/sessions/closeSession';
import { BrowserService } from './browserService.ts';

const NO = (error: string) => ({ success: false, error });
let service: BrowserService;

beforeEach(() => (service = new BrowserService()));

const close = async (stopMs?: number) => await service.time.until(closeSession('a', service.client(), stopMs));
const gaps = () => service.seen.slice(1).map(({ atMs }, index) => atMs - (service.seen[index]?.atMs ?? 0));

it('closes it, and has what the service says of it', async () => {
	service.add('a');
	const closing = await close();
	expect(closing).toEqual({ kind: 'closed', answer: { success: true, creditsBilled: 2 } });
	expect(service.seen).toMatchObject([{ what: 'DELETE a', timeoutMs: 10_000 }]);
	expect(service.seen[0]).not.toHaveProperty('body');
	expect(service.rows).toEqual([]);
});

it('takes one that has ended (410) for closed', async () => {
	service.closing = () => ({ status: 410, body: NO('Session has been destroyed') });
	expect(await close()).toEqual({ kind: 'closed', answer: {} });
	expect(service.seen).toHaveLength(1);
});

it('takes one that the service goes on to deny (404) for closed after 15 s, and not before', async () => {
	service.add('a');
	service.closing = () => ({ status: 404, body: NO('Session not found') });
	expect(await close()).toEqual({ kind: 'closed', answer: {} });
	const beganMs = service.seen[0]?.atMs ?? 0;
	expect((service.seen.at(-1)?.atMs ?? 0) - beganMs).toBeGreaterThanOrEqual(15_000);
	expect((service.seen.at(-2)?.atMs ?? 0) - beganMs).toBeLessThan(15_000);
});

it('closes one that is denied for seconds', async () => {
	service.add('a');
	service.closing = (count) => (count < 4 ? { status: 404, body: NO('Session not found') } : undefined);
	expect(await close()).toMatchObject({ kind: 'closed', answer: { creditsBilled: 2 } });
	expect(service.rows).toEqual([]);
});

it('counts the denials from the first on after another answer', async () => {
	service.closing = (count) =>
		count === 5 ? { status: 500, body: NO('Oops') } : { status: 404, body: NO('Not found') };
	expect((await close()).kind).toBe('closed');
	const at = service.seen.map(({ atMs }) => atMs);
	expect((at.at(-1) ?? 0) - (at[5] ?? 0)).toBeGreaterThanOrEqual(15_000);
});

it('does not take one for closed that is denied when the execution is stopped', async () => {
	service.closing = () => ({ status: 404, body: NO('Session not found') });
	expect((await close(service.time.now())).kind).toBe('open');
});

it.each([
	[400, NO('Bad id')],
	[401, NO('Unauthorized')],
	[403, NO('Not yours')],
	[499, NO('Odd')],
	[404, '<html>'],
	[301, ''],
])('asks once where that is refused for good: %i', async (status, body) => {
	service.closing = () => ({ status, body });
	expect(await close()).toMatchObject({ kind: 'open', failure: { httpCode: status } });
	expect(service.seen).toHaveLength(1);
});

it.each([
	['a failure', { status: 500, body: NO('Oops') }],
	['a time-out of the service', { status: 408, body: NO('Slow') }],
	['a connection that breaks', { code: 'ECONNRESET' }],
	['a service that is not there', { code: 'ECONNREFUSED' }],
	['what is no answer of the service', { status: 200, body: '<html>' }],
	['the word that it is not closed', { status: 200, body: NO('It is busy.') }],
])('tries again after %s, a little later each time', async (_what, said) => {
	service.add('a');
	service.closing = (count) => (count < 4 ? said : undefined);
	expect((await close()).kind).toBe('closed');
	const [first = 0, second = 0, third = 0] = gaps();
	expect(service.seen).toHaveLength(4);
	for (const [gap, usual] of [
		[first, 1000],
		[second, 2000],
		[third, 4000],
	] as const) {
		expect(gap).toBeGreaterThanOrEqual(usual);
		expect(gap).toBeLessThan(usual * 1.25 + 20);
	}
});

it('waits as long as the service asks for', async () => {
	service.add('a');
	const headers = { 'retry-after': '7' };
	service.closing = (count) => (count === 1 ? { status: 429, body: NO('Rate limit'), headers } : undefined);
	expect((await close()).kind).toBe('closed');
	expect(gaps()).toEqual([7010]);
});

it('gives up after a minute, with the reason of the last try', async () => {
	service.closing = (count) => ({ status: 200, body: NO(`Busy 1.${count}...`) });
	const closing = await close();
	expect(service.time.now()).toBeGreaterThanOrEqual(60_000);
	expect(service.time.now()).toBeLessThan(60_500);
	if (closing.kind !== 'open') throw new Error('it should be open');
	expect(closing.failure).toMatchObject({ kind: 'http', reached: 'maybe' });
	expect(closing.failure.message).toBe(`The service did not close it: Busy 1.${service.seen.length}.`);
});

it('says so where the service gives no reason', async () => {
	service.closing = () => ({ status: 200, body: { success: false } });
	const closing = await close();
	expect(closing).toMatchObject({
		failure: { message: 'The service did not close it: it gives no reason.' },
	});
});

it('gives no try more time than is left', async () => {
	service.closing = () => ({ ms: 9500, code: 'ETIMEDOUT' });
	await close();
	for (const { atMs, timeoutMs } of service.seen) {
		expect(timeoutMs).toBe(Math.min(10_000, 60_000 - atMs));
	}
	expect(service.seen.at(-1)?.timeoutMs).toBeLessThan(10_000);
});

describe('an execution that is stopped', () => {
	it('goes on for four seconds from then, and tries at once what would come later', async () => {
		service.closing = () => ({ status: 503, body: NO('Down') });
		service.time.at(8000, () => service.stop.abort());
		expect((await close()).kind).toBe('open');
		expect(service.time.now()).toBeGreaterThanOrEqual(12_000);
		expect(service.time.now()).toBeLessThan(12_600);
		expect(service.seen.some(({ atMs }) => atMs >= 8000 && atMs <= 9000)).toBe(true);
		expect(service.seen.at(-1)?.timeoutMs).toBeLessThanOrEqual(4000);
		// A service that is down is not asked without a pause.
		expect(service.seen.filter(({ atMs }) => atMs >= 8000).length).toBeLessThan(10);
	});

	it('closes what can be closed, also when it begins after the stop', async () => {
		service.add('a');
		service.stop.abort();
		expect((await close()).kind).toBe('closed');
		expect(service.seen[0]?.timeoutMs).toBe(4000);
	});

	it('counts from when the stop was seen, where that was before', async () => {
		service.closing = () => ({ status: 503, body: NO('Down') });
		await service.time.pass(10_000);
		service.stop.abort();
		await close(7000);
		expect(service.time.now()).toBeGreaterThanOrEqual(11_000);
		expect(service.time.now()).toBeLessThan(11_500);
	});

	it('tries once even when its time is over', async () => {
		service.add('a');
		await service.time.pass(10_000);
		service.stop.abort();
		expect((await close(0)).kind).toBe('closed');
		expect(service.seen).toMatchObject([{ timeoutMs: 1 }]);
	});
});
