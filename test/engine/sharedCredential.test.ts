import type { Sandbox } from '../../sandbox/server.ts';
import { jsonOf, NODE, questions, runNode, startParameters, startSandbox } from './run';

let sandbox: Sandbox;

it('gives the one question of an execution the next turn, not one behind the many of another', async () => {
	sandbox = await startSandbox({
		lightWork: true,
		jobDurationMs: 200,
		plan: { jobsAtOnce: 1, retryAfter: 'none' },
	});
	const ends: string[] = [];
	const run = async (name: string, items: ReturnType<typeof questions>) => {
		const execution = await runNode(sandbox, startParameters(), { items });
		ends.push(name);
		return execution.items(NODE).length;
	};
	const many = run('many', questions(8));
	const one = run('one', [{ q: 'a single question' }]);
	expect(await Promise.all([many, one])).toEqual([8, 1]);
	expect(ends).toEqual(['one', 'many']);
	const order = sandbox.stats().starts.list.map(({ query }) => query);
	expect(order.indexOf('a single question')).toBeLessThan(4);
});

it('brings 40 executions of one scrape each through the plan with the fewest requests', async () => {
	// Ten a minute; a minute lasts 3 s.
	sandbox = await startSandbox({ plan: 'free', speed: 20, lightWork: true, chromiumPath: null });
	const scrape = { resource: 'page', operation: 'scrape', url: '={{ $json.url }}' };
	const executions = await Promise.all(
		Array.from({ length: 40 }, async (_unused, page) => {
			const items = [{ url: `${sandbox.siteUrl}/?page=${page}` }];
			return await runNode(sandbox, scrape, { items });
		}),
	);
	expect(executions.map(({ error }) => error)).toEqual(Array(40).fill(undefined));
	const urls = executions.map((execution) => jsonOf(execution.items(NODE))[0]?.url);
	expect(urls).toEqual(executions.map((_one, page) => `${sandbox.siteUrl}/?page=${page}`));
	expect(sandbox.requests().length).toBeLessThanOrEqual(80);
	const hints = executions.flatMap((execution) => execution.hints(NODE));
	expect(hints.map(({ message }) => message).join(' ')).toMatch(/Rate limits made it wait \d+ s/);
});
