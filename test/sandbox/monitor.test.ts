import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { ask, field, listOf, until } from './client.ts';
import { startListener } from './listener.ts';

let sandbox: Sandbox;
let nowMs = 0;
const PATH = '/v2/monitor';
const urls = ['http://site.example/about', 'http://site.example/changing', 'http://gone.invalid/'];

beforeEach(async () => {
	nowMs = Date.UTC(2026, 10, 21, 20, 1);
	sandbox = await startSandbox({ now: () => nowMs, jobDurationMs: 1000 });
});
afterEach(() => sandbox.stop());

async function created(more: Record<string, unknown> = {}): Promise<string> {
	const targets = [{ type: 'scrape', urls }];
	const body = { name: 'm', schedule: { text: 'hourly' }, targets, ...more };
	const { body: answer, text } = await ask(sandbox, 'POST', PATH, { body });
	const id = field(answer, 'data.id');
	if (typeof id !== 'string') throw new Error(text);
	return id;
}
const get = async (path: string): Promise<unknown> => (await ask(sandbox, 'GET', path)).body;

async function checked(id: string): Promise<unknown> {
	const { body } = await ask(sandbox, 'POST', `${PATH}/${id}/run`);
	nowMs += 1000;
	return field(await get(`${PATH}/${id}/checks/${String(field(body, 'id'))}`), 'data');
}
const statusesOf = (check: unknown): unknown[] =>
	listOf(field(check, 'pages')).map((page) => field(page, 'status'));

it('finds pages new, then the same, changed or failed (monitor-30 to monitor-37)', async () => {
	const id = await created();
	const first = await checked(id);
	expect([field(first, 'status'), statusesOf(first)]).toEqual(['partial', ['new', 'new', 'error']]);
	const second = await checked(id);
	expect(statusesOf(second)).toEqual(['same', 'changed', 'error']);
	expect(field(second, 'summary')).toEqual({
		totalPages: 3,
		same: 1,
		changed: 1,
		new: 0,
		removed: 0,
		error: 1,
	});
	expect(field(second, 'pages.1.diff.text')).toBe('-before\n+after');
	const path = `${PATH}/${id}/checks/${String(field(second, 'id'))}`;
	const part = await get(`${path}?limit=1&skip=1`);
	expect([listOf(field(part, 'data.pages')).length, field(part, 'next')]).toEqual([
		1,
		`${sandbox.baseUrl}${path}?skip=2&limit=1`,
	]);
	expect(statusesOf(field(await get(`${path}?status=error`), 'data'))).toEqual(['error']);
	expect(sandbox.stats().creditsUsed).toBe(6);
});

it('names the check that runs, and runs none while paused (monitor-61, monitor-82)', async () => {
	const id = await created();
	const run = () => ask(sandbox, 'POST', `${PATH}/${id}/run`);
	const first = await run();
	// One that nobody has taken up yet is in nobody's way (monitor-31).
	expect((await run()).status).toBe(200);
	nowMs += 60;
	const second = await run();
	expect([second.status, field(second.body, 'checkId')]).toEqual([409, field(first.body, 'id')]);
	nowMs += 1000;
	await ask(sandbox, 'PATCH', `${PATH}/${id}`, { body: { status: 'paused' } });
	expect((await run()).status).toBe(409);
});

it('keeps the history of a target that keeps its id, and of no other (monitor-51 to monitor-54)', async () => {
	const id = await created();
	await checked(id);
	const targetId = field(await get(`${PATH}/${id}`), 'data.targets.0.id');
	const patch = (target: Record<string, unknown>) =>
		ask(sandbox, 'PATCH', `${PATH}/${id}`, { body: { targets: [{ type: 'scrape', ...target }] } });
	await patch({ id: targetId, urls: urls.slice(0, 1) });
	expect(statusesOf(await checked(id))).toEqual(['same', 'removed', 'removed']);
	await patch({ urls: urls.slice(0, 1) });
	expect(statusesOf(await checked(id))).toEqual(['new']);
});

it('runs on its schedule, and is gone but for its checks when deleted (monitor-70 to monitor-75)', async () => {
	const id = await created();
	expect(field(await get(`${PATH}/${id}`), 'data.nextRunAt')).toBe('2026-11-21 21:00:00+00');
	nowMs = Date.UTC(2026, 10, 21, 21, 1);
	const checks = listOf(field(await get(`${PATH}/${id}/checks`), 'data'));
	expect(checks.map((check) => field(check, 'trigger'))).toEqual(['scheduled']);
	const checkId = String(field(checks[0], 'id'));
	expect((await ask(sandbox, 'DELETE', `${PATH}/${id}`)).body).toEqual({ success: true });
	expect((await ask(sandbox, 'GET', `${PATH}/${id}`)).status).toBe(404);
	expect((await ask(sandbox, 'GET', `${PATH}/${id}/checks/${checkId}`)).status).toBe(200);
});

it('tells a hook of each page and of the end', async () => {
	const seen: unknown[] = [];
	const listener = await startListener((_request, body) => {
		seen.push(field(JSON.parse(body), 'type'));
		return {};
	});
	await sandbox.stop();
	sandbox = await startSandbox({ jobDurationMs: 1 });
	const id = await created({ webhook: listener.url });
	await ask(sandbox, 'POST', `${PATH}/${id}/run`);
	await until('four events', () => seen.length === 4);
	expect(seen.sort()).toEqual(['monitor.check.completed', ...urls.map(() => 'monitor.page')]);
	await listener.stop();
});
