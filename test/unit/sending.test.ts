import { researchTask } from './researchTask.ts';
import { Waiting } from './waiting.ts';

it('tells of a start before it is sent, so that the log knows of it when n8n is killed', async () => {
	const waiting = new Waiting();
	const told: string[] = [];
	const sent = () => waiting.service.seen.filter(({ kind }) => kind === 'start').length;
	await waiting.outcomes([researchTask(0)], {
		events: {
			onSending: ({ item }) => told.push(`sending ${item} after ${sent()}`),
			onStarted: ({ item }) => told.push(`started ${item}`),
			onUncertain: () => undefined,
			onGone: () => undefined,
		},
	});
	expect(told).toEqual(['sending 0 after 0', 'started 0']);
});
