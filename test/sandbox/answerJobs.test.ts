import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import type { SandboxOptions } from '../../sandbox/service/options.ts';
import { ask, field, startedJob, until } from './client.ts';
import { startListener } from './listener.ts';

let sandbox: Sandbox;
let nowMs = 0;
const AGENT = '/v2/agent';

async function run(options: SandboxOptions = {}): Promise<void> {
	nowMs = Date.UTC(2026, 10, 21, 20);
	sandbox = await startSandbox({ now: () => nowMs, jobDurationMs: 1000, ...options });
}
afterEach(() => sandbox.stop());

const get = async (path: string): Promise<unknown> => (await ask(sandbox, 'GET', path)).body;

it('an agent fills its schema and says what it cost (agent-02, agent-13)', async () => {
	await run();
	const properties = {
		ceo: { type: 'string' },
		founded: { type: 'integer' },
		values: { type: 'array', items: { type: 'string' } },
	};
	const schema = { type: 'object', properties };
	const id = await startedJob(sandbox, AGENT, { prompt: 'x', schema, model: 'spark-1-mini' });
	expect(await get(`${AGENT}/${id}`)).toEqual({
		success: true,
		status: 'processing',
		model: 'spark-1-mini',
		expiresAt: '2026-11-22T20:00:00.000Z',
	});
	nowMs += 1000;
	expect(await get(`${AGENT}/${id}`)).toEqual({
		success: true,
		status: 'completed',
		data: {
			ceo: 'Mara Lindqvist',
			founded: 2011,
			values: ['Quiet streets', 'Short delivery times'],
		},
		model: 'spark-1-mini',
		expiresAt: '2026-11-22T20:00:01.000Z',
		creditsUsed: 15,
	});
	expect(sandbox.stats()).toMatchObject({ creditsUsed: 15, starts: { byKind: { agent: 1 } } });
	expect(field(await get('/v2/team/activity'), 'data.0')).toMatchObject({ id, target: 'x' });
});

it('a cancelled agent fails at once; another cancel is refused (agent-10 to agent-12)', async () => {
	await run();
	const id = await startedJob(sandbox, AGENT, { prompt: 'x' });
	expect((await ask(sandbox, 'DELETE', `${AGENT}/${id}`)).body).toEqual({ success: true });
	expect(await get(`${AGENT}/${id}`)).toMatchObject({
		status: 'failed',
		error: 'Agent was cancelled by user',
		creditsUsed: 0,
	});
	const again = await ask(sandbox, 'DELETE', `${AGENT}/${id}`);
	expect([again.status, field(again.body, 'error')]).toEqual([409, 'Agent already finished']);
});

it('a cancelled agent may go on for a while where told to (auth26-51 to auth26-53)', async () => {
	await run({ agentCancelMs: 50, jobDurationMs: 60_000 });
	const id = await startedJob(sandbox, AGENT, { prompt: 'x' });
	expect((await ask(sandbox, 'DELETE', `${AGENT}/${id}`)).status).toBe(200);
	const again = await ask(sandbox, 'DELETE', `${AGENT}/${id}`);
	expect([again.status, field(again.body, 'error')]).toEqual([409, 'Agent is already cancelled']);
	await until('the end of the agent', async () => field(await get(`${AGENT}/${id}`), 'error'));
});

it.each([
	['/v2/agent', { prompt: '[fail] x' }, { success: true, status: 'failed' }],
	['/v2/extract', { prompt: '[fail] x' }, { success: false, status: 'failed', data: [] }],
	['/v2/agent', { prompt: '[odd] x' }, { success: true, status: 'pondering' }],
	['/v2/agent', { prompt: '[empty] x' }, { status: 'completed', data: {} }],
])('%s %j ends as %j', async (path, body, expected) => {
	await run();
	const id = await startedJob(sandbox, path, body);
	nowMs += 1000;
	expect(await get(`${path}/${id}`)).toMatchObject(expected);
});

it('an extract names its sources, an llms.txt its two texts', async () => {
	await run();
	const urls = ['http://site.example/'];
	const schema = { type: 'object', properties: { name: { type: 'string' } } };
	const extract = await startedJob(sandbox, '/v2/extract', { urls, schema, showSources: true });
	const llmsTxt = await startedJob(sandbox, '/v1/llmstxt', { url: urls[0], showFullText: true });
	expect(await get(`/v1/llmstxt/${llmsTxt}`)).toMatchObject({
		status: 'processing',
		data: { llmstxt: '', llmsfulltxt: '' },
	});
	nowMs += 1000;
	expect(await get(`/v2/extract/${extract}`)).toMatchObject({
		success: true,
		status: 'completed',
		data: { name: 'Nordhaven Cargo Cycles' },
		sources: { name: urls },
		tokensUsed: 313,
		creditsUsed: 21,
		replacement: '/v2/scrape',
	});
	expect(field(await get(`/v1/llmstxt/${llmsTxt}`), 'data.llmsfulltxt')).toMatch(/llms-full\.txt/);
});

it('tells a hook of an agent, signed where there is a secret', async () => {
	const seen: Array<{ type: unknown; signature: unknown }> = [];
	const listener = await startListener((request, body) => {
		const signature = request.headers['x-firecrawl-signature'];
		seen.push({ type: field(JSON.parse(body), 'type'), signature });
		return {};
	});
	await run({ now: Date.now, jobDurationMs: 1, webhookSecret: 'secret' });
	await startedJob(sandbox, AGENT, { prompt: 'x', webhook: listener.url });
	await until('two events', () => seen.length === 2);
	expect(seen.map(({ type }) => type).sort()).toEqual(['agent.completed', 'agent.started']);
	expect(seen[0]?.signature).toMatch(/^sha256=[\da-f]{64}$/);
	await listener.stop();
});
