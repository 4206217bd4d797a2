import type { INodeExecutionData } from 'n8n-workflow';

import type { JsonObject } from '../../nodes/service/http/transport';
import { jobFinished } from '../../nodes/WebDataPollTrigger/events/jobFinished';
import type { Look } from '../../nodes/WebDataPollTrigger/events/pollEvent';
import { httpResponse } from './httpResponse.ts';
import { scriptedClient } from './scriptedClient.ts';

const idOf = (at: number): string => `0197a0a0-0000-4000-8000-${String(at).padStart(12, '0')}`;
const ids = (count: number): string => Array.from({ length: count }, (_, at) => idOf(at)).join('\n');
const values = (more: JsonObject): JsonObject => ({
	which: 'ids',
	kind: 'crawl',
	kinds: [],
	output: 'job',
	...more,
});

/** A service that takes its time, and what a poll of it finds in virtual time. */
function slowService(answerMs: number, status = 200) {
	const { client, time } = scriptedClient(() => ({}));
	const body = status === 200 ? { status: 'completed', data: [] } : { error: 'Too many' };
	const slow = scriptedClient(() => ({}), {
		time,
		http: async () => {
			await time.sleep(answerMs);
			return httpResponse({ status, headers: {}, text: JSON.stringify(body) });
		},
	});
	const poll = async (
		asked: JsonObject,
		mark: JsonObject | undefined,
		readMs = 0,
	): Promise<Look & { tookMs: number }> => {
		const beganMs = time.now();
		const items = async ({ parameters }: { parameters: JsonObject }): Promise<INodeExecutionData[]> => {
			await time.sleep(readMs);
			return [{ json: { id: String(parameters.jobId) } }];
		};
		const reader = { client: slow.client, items, pause: async () => await client.time.sleep(0) };
		const look = await time.until(jobFinished.look(reader, values(asked), mark));
		return { ...look, tookMs: time.now() - beganMs };
	};
	return { poll };
}
const toldIds = ({ news }: Look): unknown[] => news.map(({ json }) => json.id);
const all = (count: number): string[] => Array.from({ length: count }, (_, at) => idOf(at));

describe('the time of a poll', () => {
	it('a poll of a slow service ends in time, and the next goes on where it ended', async () => {
		const { poll } = slowService(5000);
		const asked = { ids: ids(12) };
		let { mark } = await poll(asked, undefined);
		const told: unknown[] = [];
		for (let polls = 0; polls < 4; polls += 1) {
			const look = await poll(asked, mark);
			expect(look.tookMs).toBeLessThanOrEqual(25_000);
			told.push(...toldIds(look));
			({ mark } = look);
		}
		expect(told).toEqual(all(12));
	});

	it('results that take long are read by later polls, each once', async () => {
		const { poll } = slowService(10);
		const asked = { ids: ids(5), output: 'result' };
		let { mark } = await poll(asked, undefined);
		const told: unknown[] = [];
		for (let polls = 0; polls < 6; polls += 1) {
			const look = await poll(asked, mark, 30_000);
			expect(look.tookMs).toBeLessThanOrEqual(71_000);
			told.push(...toldIds(look));
			({ mark } = look);
		}
		expect(told.sort()).toEqual(all(5));
	});

	it('a service that refuses for its limits is waited for within that time, and the poll says so', async () => {
		const { poll } = slowService(10, 429);
		const look = await poll({ ids: ids(3) }, undefined);
		expect(look.tookMs).toBeLessThanOrEqual(25_000);
		expect(look.failure).toMatchObject({ kind: 'rateLimited' });
		expect(look.failure?.message).toContain(idOf(0));
	});
});
