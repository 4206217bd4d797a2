import type { INodeExecutionData } from 'n8n-workflow';

import { readJobMark } from '../marks/jobMark';
import type { JobMark } from '../marks/jobMark';
import { withNewJobs } from '../marks/newJobs';
import type { FeedJob } from '../marks/newJobs';
import { readFeed } from '../jobs/activityFeed';
import { jobFields } from '../jobs/jobFields';
import { jobItem, jobItems } from '../jobs/jobItems';
import { byEndpoint } from '../jobs/listedKinds';
import { lookAt } from '../jobs/lookAtJobs';
import type { LookedAt } from '../jobs/lookAtJobs';
import type { PollEvent, Reader } from './pollEvent';
import { MOST_LOOKS, readJobSettings } from '../jobs/jobSettings';
import type { JobSettings } from '../jobs/jobSettings';

export const jobFinished: PollEvent = {
	value: 'jobFinished',
	name: 'Job Finished',
	description: 'A crawl, batch scrape, agent or other job has ended, well or not',
	notice:
		'A poll costs no credits. It looks at what the account started in the last 24 hours, at most 100 jobs a poll, and catches up after a pause.',
	fields: jobFields,
	async look(reader, values, stored) {
		const settings = readJobSettings(values);
		const earlier = readJobMark(stored);
		const now = await waitedFor(reader, settings, earlier);
		const looked = await lookAt(reader.client, now.running.slice(0, MOST_LOOKS));
		const sample = looked.at(-1);
		const shown = { sample: sample && jobItem(sample) };
		if (!earlier.begun && settings.which === 'ids') {
			// Their ends are wanted whenever they were: the next poll tells them.
			return { ...shown, news: [], mark: { ...earlier, begun: true } };
		}
		const ended = looked.filter(({ state }) => state !== undefined);
		const { news, tries } = earlier.begun
			? await resultsOf(reader, settings, ended, now.tries)
			: { news: [], tries: {} };
		const over = new Set(ended.map(({ job }) => job.id).filter((id) => !Object.hasOwn(tries, id)));
		const mark: JobMark = {
			...now,
			// Those that were looked at come last, so that each has its turn.
			running: [
				...now.running.slice(MOST_LOOKS),
				...now.running.slice(0, MOST_LOOKS).filter(({ id }) => !over.has(id)),
			],
			told: settings.which === 'ids' ? [...earlier.told, ...over] : [],
			tries,
		};
		return { ...shown, news, mark: { ...mark } };
	},
};

/** The mark with what there is to wait for now. */
async function waitedFor(
	{ client }: Reader,
	settings: JobSettings,
	mark: JobMark,
): Promise<JobMark> {
	if (settings.which === 'ids') {
		const told = new Set(mark.told);
		const listed = settings.ids.filter((id) => !told.has(id));
		return { ...mark, running: listed.map((id) => jobOf(id, settings.kind)) };
	}
	const { jobs, since } = await readFeed(client, mark);
	const isWanted = ({ endpoint }: FeedJob): boolean =>
		byEndpoint.has(endpoint) && (settings.kinds.length === 0 || settings.kinds.includes(endpoint));
	return { ...mark, ...withNewJobs({ ...mark, since }, jobs, isWanted) };
}

const jobOf = (id: string, endpoint: string): FeedJob => ({
	id,
	endpoint,
	target: '',
	startedAt: '',
});

/**
 * What starts the workflow for the jobs that have ended, and how often the result of those that are kept for
 * a later poll could not be read.
 */
async function resultsOf(
	{ items }: Reader,
	{ output }: JobSettings,
	ended: LookedAt[],
	earlier: Record<string, number>,
): Promise<{ news: INodeExecutionData[]; tries: Record<string, number> }> {
	const news: INodeExecutionData[] = [];
	const tries: Record<string, number> = {};
	for (const one of ended) {
		const { id } = one.job;
		const before = earlier[id] ?? 0;
		const found = output === 'result' ? await jobItems(items, one, before) : [jobItem(one)];
		if (found) news.push(...found);
		else tries[id] = before + 1;
	}
	return { news, tries };
}
