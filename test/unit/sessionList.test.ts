import { closeRequest, readOpenSessions } from '../../nodes/service/sessions/sessionList';
import { sessionRegister } from '../../nodes/service/sessions/sessionRegister';
import { SharedLimits } from '../../nodes/service/limits/sharedLimits';
import { BrowserService, OFFSET_MS } from './browserService.ts';

let service: BrowserService;

beforeEach(() => (service = new BrowserService()));

const read = async () => await service.time.until(readOpenSessions(service.client()));
const listed = async (...sessions: unknown[]) => {
	service.listing = () => ({ body: { success: true, sessions } });
	const reading = await read();
	return 'failed' in reading ? undefined : reading.sessions;
};

it('asks for those that are open, and tells the service’s time', async () => {
	await service.time.pass(4990);
	service.add('a', 2000);
	expect(await read()).toEqual({
		sessions: [{ id: 'a', openedMs: OFFSET_MS + 2000, usedMs: undefined }],
		clock: { dateMs: OFFSET_MS + 5000, receivedMs: 5000 },
	});
	expect(service.seen).toMatchObject([
		{
			method: 'GET',
			url: 'https://service.example/v2/interact',
			query: { status: 'active' },
			timeoutMs: 10_000,
		},
	]);
});

it('closing and looking hold nothing back but each other', async () => {
	const path = '/v2/interact/a';
	expect(closeRequest('a')).toEqual({ method: 'DELETE', path, bucket: 'other' });
	service.limits.pauses.refused('other', 0, 5000, 0);
	await read();
	expect(service.time.now()).toBe(5010);
});

it('is held back by no pause of opening', async () => {
	service.limits.pauses.refused('interact', 0, 60_000, 0);
	service.limits.pauses.refused('interactExecute', 0, 60_000, 0);
	await read();
	expect(service.time.now()).toBe(10);
});

it('leaves out what is not open, and what has no id that can go into a path', async () => {
	const sessions = await listed(
		{ id: 'open', status: 'active' },
		{ id: 'untold' },
		{ id: 'odd', status: 5 },
		{ id: 'closed', status: 'destroyed' },
		{ id: '../team', status: 'active' },
		{ status: 'active' },
		null,
		'text',
	);
	expect(sessions?.map(({ id }) => id)).toStrictEqual(['open', 'untold', 'odd']);
});

it('knows when one was opened by its id before what is told', async () => {
	// The first 48 bits of a UUID v7 are milliseconds since 1970.
	const id = '0193a2b3-c4d5-7abc-8def-0123456789ab';
	const sessions = await listed({ id, createdAt: '2020-01-01T00:00:00Z' }, { id: 'other' });
	expect(sessions?.map(({ openedMs }) => openedMs)).toEqual([0x0193a2b3c4d5, undefined]);
});

it('takes one for used when something was done in it after it was opened', async () => {
	const at = (ms: number) => new Date(OFFSET_MS + ms).toISOString();
	const sessions = await listed(
		{ id: 'new', createdAt: at(0), lastActivity: at(0) },
		{ id: 'noted', createdAt: at(0), lastActivity: at(500) },
		{ id: 'used', createdAt: at(0), lastActivity: at(501) },
		{ id: 'undated', lastActivity: at(0) },
		{ id: 'untold', createdAt: at(0) },
	);
	expect(sessions?.map(({ usedMs }) => usedMs)).toEqual([
		undefined,
		undefined,
		OFFSET_MS + 501,
		OFFSET_MS,
		undefined,
	]);
});

it.each([{}, { sessions: {} }, { sessions: 'a' }, { success: true, sessions: null }])(
	'takes %j for no list',
	async (body) => {
		service.listing = () => ({ body });
		expect(await read()).toEqual({ failed: 'passing' });
	},
);

it('takes a list without the service’s time for none', async () => {
	service.listing = () => ({ body: { sessions: [] }, headers: { date: '' } });
	expect(await read()).toEqual({ failed: 'passing' });
});

it('tries a check that fails once more, and no longer', async () => {
	service.listing = (count) => (count === 1 ? { status: 502, body: '' } : undefined);
	expect(await read()).toHaveProperty('sessions');
	expect(service.seen).toHaveLength(2);
	service.listing = () => ({ status: 502, body: '' });
	expect(await read()).toEqual({ failed: 'passing' });
	expect(service.seen).toHaveLength(4);
	service.listing = () => ({ status: 403, body: '' });
	expect(await read()).toEqual({ failed: 'refused' });
});

it('all executions that use a credential know of each other’s sessions, and of no other’s', () => {
	const { limits } = service;
	sessionRegister(limits).know('a', 0);
	expect(sessionRegister(limits).isKnown('a')).toBe(true);
	expect(sessionRegister(new SharedLimits()).isKnown('a')).toBe(false);
});

it('forgets the oldest of ten thousand sessions', () => {
	const register = sessionRegister(service.limits);
	for (let count = 0; count <= 10_000; count++) register.know(`s${count}`, 0);
	expect([register.isKnown('s0'), register.isKnown('s1')]).toEqual([false, true]);
});
