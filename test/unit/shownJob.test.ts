import { callOfShownJob } from '../../nodes/service/results/shownJob';
import { scriptedClient } from './scriptedClient.ts';
import type { Script } from './scriptedClient.ts';

const NOT_FOUND = { status: 404, body: { success: false, error: 'Job not found' } };
const request = { method: 'GET', path: '/v2/crawl/its', bucket: 'crawlStatus' } as const;

async function ask(script: Script, stopAtMs?: number) {
	const stop = new AbortController();
	const { client, seen, time } = scriptedClient(script, { signal: stop.signal });
	if (stopAtMs !== undefined) time.at(stopAtMs, () => stop.abort());
	const asked = callOfShownJob(client, request).catch((error: unknown) => error);
	return { answer: await time.until(asked), seen, time };
}

it('asks again for pages of a job that one machine of the service does not have yet', async () => {
	const { answer, seen, time } = await ask((_options, count) =>
		count < 8 ? NOT_FOUND : { body: { data: [] } },
	);
	expect(answer).toEqual({ data: [] });
	expect(seen).toHaveLength(8);
	expect(time.now()).toBeLessThan(40_000);
});

it('gives them up after a minute', async () => {
	const { answer, time } = await ask(() => NOT_FOUND);
	expect(answer).toMatchObject({ notFound: true });
	expect(time.now()).toBeGreaterThanOrEqual(60_000);
	expect(time.now()).toBeLessThan(70_000);
});

it('takes a refusal for what it is, and ends at Stop', async () => {
	const refused = await ask(() => ({ status: 403, body: { error: 'No' } }));
	expect(refused.answer).toMatchObject({ httpCode: 403 });
	expect(refused.seen).toHaveLength(1);
	const stopped = await ask(() => NOT_FOUND, 10_000);
	expect(stopped.answer).toMatchObject({ kind: 'aborted' });
	expect(stopped.time.now()).toBeLessThan(11_000);
});
