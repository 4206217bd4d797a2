import { StartRequest } from '../../nodes/service/jobs/startRequest';
import { noEvents, researchTask } from './researchTask.ts';
import { scriptedClient } from './scriptedClient.ts';

const START = { success: true, id: '01a1ffbd-bb89-72e9-b60a-777e4baf264f' };

async function bodySent(along?: Record<string, unknown>): Promise<unknown> {
	const { client, seen, time } = scriptedClient(() => ({ body: START }));
	const { start, ...task } = researchTask(0);
	if (!start) throw new Error('nothing to start');
	const sent = new StartRequest(task, { events: noEvents, ...(along && { along }) }, client);
	await time.until(sent.send(start, false));
	const [{ method, url, body } = {}] = seen;
	expect([method, url]).toEqual(['POST', 'https://service.example/v1/deep-research']);
	return typeof body === 'string' ? JSON.parse(body) : body;
}

it('is sent as it is, with what goes along with each start', async () => {
	expect(await bodySent()).toEqual({ query: 'job 0' });
	const webhook = { url: 'https://n8n.example/webhook-waiting/1', events: ['completed'] };
	expect(await bodySent({ webhook })).toEqual({ query: 'job 0', webhook });
});
