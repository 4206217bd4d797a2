import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { NODE, questions, runNode, startParameters } from './research';

let sandbox: Sandbox;

afterEach(async () => await sandbox.stop());

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
