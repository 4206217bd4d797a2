import fc from 'fast-check';

import { crawlJob } from '../../nodes/service/jobs/jobKinds';
import { checkStatuses } from '../../nodes/service/results/checkStatuses';
import { scriptedClient } from './scriptedClient.ts';

const STATES = ['scraping', 'completed', 'failed', 'cancelled', 'gone'] as const;

/** Checks jobs of these states; their ids are their places. */
async function lookAt(states: ReadonlyArray<(typeof STATES)[number]>, signal?: AbortSignal) {
	const idOf = ({ url }: { url: string }) => new URL(url).pathname.split('/').at(-1) ?? '';
	const { client, seen, time } = scriptedClient(
		(options) => {
			const state = states[Number(idOf(options))];
			return state === 'gone'
				? { status: 404, body: { success: false, error: 'Job not found' } }
				: { body: { success: true, status: state } };
		},
		signal ? { signal } : {},
	);
	const ids = states.map((_state, index) => String(index));
	return { looks: await time.until(checkStatuses(ids, crawlJob, client)), seen: seen.map(idOf) };
}

it('checks one job only when that one runs', async () => {
	const { looks, seen } = await lookAt(['scraping', 'completed', 'completed']);
	expect(looks).toEqual({ running: '0', ended: [], unread: [] });
	expect(seen).toEqual(['0']);
});

it('has nothing to check where there is no job', async () => {
	expect((await lookAt([])).looks).toEqual({ running: undefined, ended: [], unread: [] });
});

it('whatever the states: names a job that runs if there is one, checks none twice, soon stops', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.constantFrom(...STATES), { maxLength: 40 }), async (states) => {
			const { looks, seen } = await lookAt(states);
			const first = states.indexOf('scraping');
			expect(looks.running).toBe(first === -1 ? undefined : String(first));
			expect(new Set(seen).size).toBe(seen.length);
			expect(seen.length).toBeLessThanOrEqual(first === -1 ? states.length : first + 5);
			for (const id of looks.ended)
				expect(['completed', 'failed', 'cancelled']).toContain(states[+id]);
			for (const { id } of looks.unread) expect(states[+id]).toBe('gone');
			if (first === -1) expect(looks.ended.length + looks.unread.length).toBe(states.length);
		}),
	);
});

it('ends with the execution', async () => {
	const stopped = new AbortController();
	stopped.abort();
	await expect(lookAt(['completed'], stopped.signal)).rejects.toMatchObject({ kind: 'aborted' });
});
