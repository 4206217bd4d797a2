import { crawlJob, deepResearchJob } from '../../nodes/service/jobs/jobKinds';
import type { JobKind } from '../../nodes/service/jobs/jobKinds';
import { listWordOf } from '../../nodes/service/startRecovery/listWord';
import { scriptedClient } from './scriptedClient.ts';
import type { ScriptedAnswer } from './scriptedClient.ts';

const NOW = Date.UTC(2026, 10, 21, 20);
const HOUR_MS = 3_600_000;
const headers = { date: new Date(NOW).toUTCString() };

/** An id that was made so long ago by the service's clock. */
const idOf = (agoMs: number) => {
	const time = (NOW - agoMs).toString(16).padStart(12, '0');
	return `${time.slice(0, 8)}-${time.slice(8)}-7abc-8def-0123456789ab`;
};
const feed = (ids: string[], more: object = { has_more: false }) => ({
	body: { data: ids.map((id) => ({ id, target: 'tides' })), ...more },
});

async function wordOf(
	answer: (path: string, cursor: unknown) => ScriptedAnswer,
	{ id = 'its', ageMs = 60_000, kind = deepResearchJob as JobKind } = {},
) {
	const { client, seen, time } = scriptedClient(({ url, query }) => ({
		headers,
		...answer(new URL(url).pathname, query?.cursor),
	}));
	return { word: await time.until(listWordOf(kind, { id, ageMs }, client)), seen };
}

it('finds a job in the list, however far down', async () => {
	const { word, seen } = await wordOf((_path, cursor) =>
		cursor === undefined ? feed(['x'], { has_more: true, cursor: '1' }) : feed(['its']),
	);
	expect(word).toBe('listed');
	expect(seen).toHaveLength(2);
});

it('says that a job is not there only where the list was read to its end', async () => {
	expect((await wordOf(() => feed(['x']))).word).toBe('notListed');
	const endless = (_path: string, cursor: unknown) =>
		feed(['x'], { has_more: true, cursor: `${Number(cursor ?? 0) + 1}` });
	expect((await wordOf(endless)).word).toBe('unread');
});

it.each<[string, ScriptedAnswer]>([
	['noList', { status: 404, body: '<html>' }],
	['noList', { status: 403, body: { error: 'No' } }],
	['unread', { status: 500, body: { error: 'Failed to fetch activity.' } }],
	['unread', { body: { success: true } }],
])('says "%s" of %j', async (word, answer) => {
	expect((await wordOf(() => answer)).word).toBe(word);
});

it('takes the running crawls for no list of what was started, but believes what they show', async () => {
	const running = (ids: string[]) => (path: string) =>
		path.endsWith('/active')
			? { body: { crawls: ids.map((id) => ({ id, url: 'http://a.example' })) } }
			: { status: 404, body: '<html>' };
	expect((await wordOf(running(['its']), { kind: crawlJob })).word).toBe('listed');
	expect((await wordOf(running([]), { kind: crawlJob })).word).toBe('noList');
});

it.each([
	[idOf(23 * HOUR_MS), 30 * HOUR_MS, 'notListed'],
	[idOf(25 * HOUR_MS), 0, 'noList'],
	['random', 23 * HOUR_MS, 'notListed'],
	['random', 25 * HOUR_MS, 'noList'],
])(
	'asks nothing of a list that goes back a day for an older job: %s, %i ms',
	async (id, ageMs, word) => {
		expect((await wordOf(() => feed([]), { id, ageMs })).word).toBe(word);
	},
);

it('has no list to ask for a kind that the service does not list', async () => {
	const { listed, ...kind } = deepResearchJob;
	expect(listed).toBeDefined();
	const { word, seen } = await wordOf(() => feed([]), { kind });
	expect(word).toBe('noList');
	expect(seen).toEqual([]);
});
