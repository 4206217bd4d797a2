import type { INodeExecutionData } from 'n8n-workflow';

import { ServiceFailure } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import { readJobId } from '../../service/jobs/jobKinds';
import { withNewJobs } from '../marks/newJobs';
import type { FeedMark } from '../marks/newJobs';
import { readFeed } from './activityFeed';
import { jobFields } from './jobFields';
import { byEndpoint } from './listedKinds';
import { lookAt } from './lookAtJobs';
import type { LookedAt } from './lookAtJobs';
import type { PollEvent, Reader } from './pollEvent';

/** Most jobs that one poll looks at: a request each. */
const MOST_LOOKS = 100;

/** Jobs that are waited for, and where the feed was left. */
interface JobMark extends FeedMark {
	/** Ids of a list that have been told. */
	told: string[];
}

const NO_MARK: JobMark = { newest: '', atNewest: [], running: [], told: [] };

export const jobFinished: PollEvent = {
	value: 'jobFinished',
	name: 'Job Finished',
	description: 'A crawl, batch scrape, agent or other job has ended, well or not',
	notice:
		'A poll costs no credits. It looks at what the account started in the last 24 hours, at most 100 jobs a poll, and catches up after a pause.',
	fields: jobFields,
	async look(reader, values, mark) {
		const earlier = { ...NO_MARK, ...mark } as JobMark;
		const now =
			values.which === 'ids' ? listed(values, earlier) : await fromFeed(reader, values, earlier);
		const looked = await lookAt(reader.client, now.running.slice(0, MOST_LOOKS));
		const ended = looked.filter(({ state }) => state !== undefined);
		const over = new Set(ended.map(({ job }) => job.id));
		const next: JobMark = {
			...now,
			// Those that were looked at come last, so that each has its turn.
			running: [
				...now.running.slice(MOST_LOOKS),
				...now.running.slice(0, MOST_LOOKS).filter(({ id }) => !over.has(id)),
			],
			told: values.which === 'ids' ? [...earlier.told, ...over] : [],
		};
		const isFirst = mark === undefined;
		if (isFirst && values.which === 'ids') {
			// Their ends are wanted whenever they were: the next poll tells them.
			return { news: [], mark: { ...NO_MARK }, sample: sampleOf(looked) };
		}
		const news: INodeExecutionData[] = [];
		if (!isFirst) for (const one of ended) news.push(...(await itemsOf(reader, values, one)));
		return { news, mark: { ...next }, sample: sampleOf(looked) };
	},
};

async function fromFeed(reader: Reader, values: JsonObject, mark: JobMark): Promise<JobMark> {
	const chosen = Array.isArray(values.kinds) ? values.kinds.map(String) : [];
	const jobs = (await readFeed(reader.client, mark)).filter(
		({ endpoint }) =>
			byEndpoint.has(endpoint) && (chosen.length === 0 || chosen.includes(endpoint)),
	);
	return { ...mark, ...withNewJobs(mark, jobs) };
}

/** Throws a ServiceFailure of kind badInput for an ID that is none. */
function listed(values: JsonObject, mark: JobMark): JobMark {
	const told = new Set(mark.told);
	const asked = [...new Set(String(values.ids ?? '').split(/[\s,]+/))].filter((id) => id !== '');
	const wrong = asked.find((id) => readJobId(id) === undefined);
	if (wrong !== undefined || asked.length === 0 || asked.length > MOST_LOOKS) {
		throw new ServiceFailure({
			kind: 'badInput',
			reached: 'no',
			message:
				wrong === undefined
					? `"Job IDs" must hold 1 to ${MOST_LOOKS} IDs, one a line. Nothing was sent.`
					: `"Job IDs" holds something that is no ID: ${wrong.slice(0, 60)}. Nothing was sent.`,
		});
	}
	const endpoint = String(values.kind);
	const running = asked
		.filter((id) => !told.has(id))
		.map((id) => ({ id, endpoint, target: '', startedAt: '' }));
	return { ...NO_MARK, told: mark.told, running };
}

async function itemsOf(
	{ items }: Reader,
	values: JsonObject,
	looked: LookedAt,
): Promise<INodeExecutionData[]> {
	const { job, isDone } = looked;
	const { resource } = byEndpoint.get(job.endpoint) ?? {};
	if (values.output !== 'result' || !isDone || resource === undefined) return [jobItem(looked)];
	return await items({ resource, operation: 'get', parameters: { jobId: job.id } });
}

function jobItem({ job, state, reason }: LookedAt): INodeExecutionData {
	const { id, endpoint, target, startedAt } = job;
	return {
		json: {
			id,
			kind: byEndpoint.get(endpoint)?.name ?? endpoint,
			status: state ?? 'running',
			...(target !== '' && { target }),
			...(startedAt !== '' && { startedAt }),
			...(reason !== '' && { reason }),
		},
	};
}

function sampleOf(looked: LookedAt[]): INodeExecutionData | undefined {
	const newest = looked.at(-1);
	return newest && jobItem(newest);
}
