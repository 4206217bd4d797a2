import { getActive } from '../../nodes/WebData/resources/crawl';
import { get } from '../../nodes/WebData/resources/deepResearch';
import { researchResult } from '../../nodes/WebData/resources/deepResearch/output';
import { start } from '../../nodes/WebData/resources/deepResearch/start';
import type { JobRecord } from '../../nodes/WebData/operation/operation';
import { recorded, recording } from '../sandbox/recorded.ts';

// Research jobs come as one record, not as pages.
if (!('toItems' in researchResult)) throw new Error('Research has items of its own');
const { toItems } = researchResult;

const bodyOf = (name: string) => recording('deep-research', name).response.body as JobRecord['body'];
const record = (body: JobRecord['body'], sent?: JobRecord['sent']): JobRecord => ({
	id: 'job-1',
	state: 'completed',
	body,
	sent,
});
const items = (choice: string, body = bodyOf('dr-04-status-completed'), asText = false) =>
	toItems(record(body, { query: 'Heat pumps?' }), choice, asText);

it('puts out the analysis and its sources as title and URL', () => {
	const [item, ...others] = items('simplified');
	expect(others).toEqual([]);
	expect(Object.keys(item?.json ?? {})).toEqual([
		'query',
		'finalAnalysis',
		'sources',
		'id',
		'status',
		'totalUrls',
		'creditsUsed',
		'expiresAt',
	]);
	expect(item?.json).toMatchObject({ id: 'job-1', query: 'Heat pumps?', status: 'completed' });
	expect(item?.json.finalAnalysis).toEqual(expect.stringMatching(/\w/));
	const sources = item?.json.sources as object[];
	expect(sources.length).toBeGreaterThanOrEqual(3);
	for (const source of sources) expect(Object.keys(source)).toEqual(['title', 'url']);
});

it('puts out everything the service tells when asked to', () => {
	const body = bodyOf('dr-04-status-completed');
	const { activities, sources, currentDepth, maxDepth } = body as Record<string, unknown>;
	expect(items('fullRecord')[0]?.json).toMatchObject({
		activities,
		sources,
		currentDepth,
		maxDepth,
	});
});

it('puts out one item per source, numbered', () => {
	const sources = items('sources');
	expect(sources.map(({ json }) => json.position)).toEqual(sources.map((_one, index) => index + 1));
	expect(sources[0]?.json).toMatchObject({ id: 'job-1', query: 'Heat pumps?', position: 1 });
	expect(sources[0]?.json).toHaveProperty('description');
});

it('writes a report file, or its text where an agent reads it', () => {
	const [withFile] = items('reportFile');
	expect(withFile?.json).toMatchObject({ fileName: 'research-heat-pumps.md' });
	expect(JSON.stringify(withFile)).toContain('text/markdown');
	const [withText] = items('reportFile', bodyOf('dr-04-status-completed'), true);
	expect(withText?.json.report).toEqual(expect.stringContaining('\n## Sources\n\n1. ['));
	expect(JSON.stringify(withText)).not.toContain('text/markdown');
});

it.each([
	'dr-04-status-completed',
	'dr-06b-json-completed',
	'dr-06d-json-only-completed',
	'dr-02-status-processing-early',
])('breaks in no form on the recording %s', (name) => {
	for (const choice of ['simplified', 'fullRecord', 'sources', 'reportFile', 'unheard of']) {
		for (const { json } of items(choice, bodyOf(name))) {
			expect(json).not.toHaveProperty('error');
			expect(JSON.parse(JSON.stringify(json))).toEqual(json);
		}
	}
});

it('does not know the question of a job that was started elsewhere', () => {
	const [item] = toItems(record({ status: 'completed' }), 'simplified', false);
	expect(item?.json.query).toBeNull();
});

it('waits by default for the time limit and two minutes more', () => {
	expect(start.defaultMaxWaitSeconds({})).toBe(420);
	expect(start.defaultMaxWaitSeconds({ timeLimit: 30 })).toBe(150);
	expect(get.defaultMaxWaitSeconds({})).toBe(720);
});

it('reads lists of active crawls by the names that the service gives its fields', () => {
	for (const { name, response } of recorded('active-crawls')) {
		const { crawls } = response.body as { crawls: Array<Record<string, unknown>> };
		const read = getActive.readList(response.body as Record<string, unknown>);
		expect([name, read?.map(({ id }) => id)]).toEqual([name, crawls.map(({ id }) => id)]);
		for (const crawl of read ?? []) {
			expect(Object.keys(crawl)).toEqual(expect.arrayContaining(['id', 'teamId', 'url', 'options']));
		}
	}
	expect(getActive.readList({ crawls: [{ team_id: 'a', odd: 1 }, null, 'x'] })).toEqual([{ teamId: 'a', odd: 1 }]);
	expect(getActive.readList({ success: true })).toBeUndefined();
});
