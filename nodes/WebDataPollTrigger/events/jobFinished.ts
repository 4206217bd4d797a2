import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { choiceField, choicesField, textField } from '../../fields/field';
import { ServiceFailure, refusedInput } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import { readJobId } from '../../service/jobs/jobKinds';
import { byEndpoint, checkJobs, jobItem, jobItems, judgeJobEnd } from '../jobs/jobEnd';
import type { CheckedJob, EndedJob } from '../jobs/jobEnd';
import { withListedJobs } from '../jobs/listedJobs';
import { MAX_RUNNING, jobsToCheck, readJobMark, storedJobMark, reportedName, withoutOldest } from '../marks/jobMark';
import type { JobMark, WaitingJob } from '../marks/jobMark';
import { PollFailure } from './pollEvent';
import type { PollEvent, PollReader } from './pollEvent';

const MAX_IDS = 100;

const kindChoices = [...byEndpoint].map(([value, { name }]) => [name, value] as const);

const shownFor = (which: string) => ({ displayOptions: { show: { which: [which] } }, send: false as const });

const fields: INodeProperties[] = [
	choiceField(
		'which',
		'Jobs',
		'feed',
		'Whose end starts the workflow',
		[
			['All of the Account', 'feed', 'Every job of this API key’s account'],
			['List of IDs', 'ids', 'Jobs whose IDs you have'],
		],
		{ send: false },
	),
	choicesField(
		'kinds',
		'Kinds',
		[],
		'Which kinds of jobs count. Without this option: all.',
		kindChoices,
		shownFor('feed'),
	),
	choiceField('kind', 'Kind', 'crawl', 'What kind of jobs they are', kindChoices, shownFor('ids')),
	textField(
		'ids',
		'Job IDs',
		`One ID per line, at most ${MAX_IDS}. Each starts the workflow once, when its job has ended.`,
		{ typeOptions: { rows: 3 }, required: true, ...shownFor('ids') },
	),
	choiceField(
		'output',
		'Output',
		'job',
		'What to return for each job',
		[
			['Job', 'job', 'ID, kind, status, and what it was started with'],
			['Result', 'result', 'As Get returns it; a failed job as Job'],
		],
		{ send: false },
	),
];

/** The jobs whose end counts, as the panel names them. */
type JobSettings = { output: 'job' | 'result' } & (
	{ which: 'feed'; kinds: string[] } | { which: 'ids'; ids: string[]; kind: string }
);

const KINDS = [...byEndpoint.keys()].join(', ');

/** Reads and checks the fields. Throws a ServiceFailure of kind badInput that names the wrong one. */
function readSettings({ which, kinds, kind, ids, output }: JsonObject): JobSettings {
	if (output !== 'job' && output !== 'result') throw refusedInput('"Output" must be Job or Result.');
	if (which === 'ids') {
		if (typeof kind !== 'string' || !byEndpoint.has(kind)) throw refusedInput(`"Kind" must be ${KINDS}.`);
		return { output, which, kind, ids: readIds(ids) };
	}
	if (which !== 'feed') throw refusedInput('"Jobs" must be All of the Account or List of IDs.');
	const list: unknown[] | undefined = Array.isArray(kinds) ? kinds : undefined;
	const known = list?.filter((one) => typeof one === 'string' && byEndpoint.has(one));
	if (!list || known?.length !== list.length) throw refusedInput(`"Kinds" must be a list of ${KINDS}.`);
	return { output, which, kinds: list.map(String) };
}

function readIds(given: unknown): string[] {
	const text = typeof given === 'string' ? given : '';
	const ids = [...new Set(text.split(/[\s,]+/))].filter((id) => id !== '');
	const noId = ids.find((id) => readJobId(id) === undefined);
	if (noId !== undefined) {
		throw refusedInput(`"Job IDs" contains something that is not an ID: ${noId.slice(0, 60)}.`);
	}
	if (ids.length === 0 || ids.length > MAX_IDS) {
		throw refusedInput(`"Job IDs" must hold 1 to ${MAX_IDS} IDs, one per line.`);
	}
	return ids;
}

/** After so many milliseconds a poll asks for no other job's state, and reads no other result: the next one does. */
const CHECKS_BUDGET_MS = 20_000;
const POLL_BUDGET_MS = 40_000;

export const jobFinished: PollEvent = {
	value: 'jobFinished',
	name: 'Job Finished',
	description: 'A crawl, batch scrape, agent or other job has ended, well or not',
	notice: 'Free. A poll checks up to 100 jobs of the last 24 hours.',
	fields,
	isOfAccount: ({ which }) => which === 'feed',
	// IDs and kinds that are added or taken away leave what is known of the others.
	watched: ({ values }) => ({ which: values.which }),
	isMark: ({ begun }) => begun === true,
	async poll(reader, values, stored) {
		const { client } = reader;
		const settings = readSettings(values);
		const before = readJobMark(stored);
		const isList = settings.which === 'ids';
		const mark = isList ? withIds(before, settings) : await withListedJobs(client, settings.kinds, before);
		const beganMs = client.time.now();
		const checked = await checkJobs(client, jobsToCheck(mark.waiting), beganMs + CHECKS_BUDGET_MS);
		const shown = { sample: sampleOf(checked), failure: noState(checked) };
		if (!before.begun && isList) {
			// Their ends are wanted whenever they were: the next poll reports them.
			return { ...shown, news: [], mark: storedJobMark({ ...mark, begun: true }) };
		}
		const judged = checked.map((one) => judgeJobEnd(one, client.time.wallClock()));
		const ended = judged.flatMap((one) => ('ended' in one && one.ended.job.isOld !== true ? one.ended : []));
		const running = judged.flatMap((one) => ('waiting' in one ? one.waiting : []));
		const { news, reported, unread } = await resultsOf(reader, settings, ended, beganMs + POLL_BUDGET_MS);
		const answered = new Set(checked.map(({ job }) => job));
		const unchecked = mark.waiting.filter((job) => !answered.has(job));
		const { kept, givenUp } = withoutOldest([...unread, ...unchecked, ...running]);
		const next = {
			...mark,
			begun: true,
			waiting: kept,
			reported: isList ? [...mark.reported, ...reported.map(reportedName)] : [],
		};
		return { ...shown, failure: shown.failure ?? givenUpJobs(givenUp), news, mark: storedJobMark(next) };
	},
};

/** IDs that are added come first; those that were reported are not waited for. */
function withIds(mark: JobMark, { ids, kind }: { ids: string[]; kind: string }): JobMark {
	const reported = new Set(mark.reported);
	const waiting = mark.waiting.filter(({ id, endpoint }) => endpoint === kind && ids.includes(id));
	const known = new Set(waiting.map(({ id }) => id));
	const added = ids
		.map((id): WaitingJob => ({ id, endpoint: kind, target: '', startedAt: '' }))
		.filter((job) => !known.has(job.id) && !reported.has(reportedName(job)));
	return { ...mark, known: {}, waiting: [...added, ...waiting] };
}

function sampleOf(checked: readonly CheckedJob[]): INodeExecutionData | undefined {
	const samples = checked.flatMap(({ job, answer }) => {
		if (answer instanceof ServiceFailure) return [];
		const { phase, state, reason } = answer;
		return jobItem({ job, state: phase === 'running' ? 'running' : state, reason });
	});
	return samples.at(-1);
}

/** The results of jobs that have ended. */
interface Results {
	/** The items that start the workflow. */
	news: INodeExecutionData[];
	/** The jobs that it reports. */
	reported: WaitingJob[];
	/** Those that a later poll begins with: their result could not be read, or there was no time left. */
	unread: WaitingJob[];
}

async function resultsOf(
	{ items, client }: PollReader,
	{ output }: JobSettings,
	ended: EndedJob[],
	deadlineMs: number,
): Promise<Results> {
	const results: Results = { news: [], reported: [], unread: [] };
	for (const [at, one] of ended.entries()) {
		const job = toReadLater(one.job);
		// One result a poll is read however slow the service is, so that each is read some day.
		const isLate = output === 'result' && at > 0 && client.time.now() >= deadlineMs;
		const found = output === 'result' && !isLate ? await jobItems(items, one) : [jobItem(one)];
		if (isLate) results.unread.push(job);
		else if (!found) results.unread.push({ ...job, tries: (job.tries ?? 0) + 1 });
		else {
			// As arguments of one call, a hundred thousand pages would overflow the stack.
			for (const item of found) results.news.push(item);
			results.reported.push(job);
		}
	}
	return results;
}

/** A job that has ended and waits for its result only: it is not given up as one that runs. */
function toReadLater(job: WaitingJob): WaitingJob {
	const { isChecked, ...unchecked } = job;
	return isChecked ? unchecked : job;
}

/** Most jobs whose IDs are shown. */
const MAX_NAMED = 10;

/** The error if the state of no job at all could be read; a job alone is reported after a day. */
function noState(checked: readonly CheckedJob[]): ServiceFailure | undefined {
	const failures = checked.flatMap(({ answer }) =>
		answer instanceof ServiceFailure && !answer.notFound ? [answer] : [],
	);
	const [first] = failures;
	if (!first || failures.length < checked.length) return undefined;
	const { kind, mayHaveExecuted, httpCode, message } = first;
	const jobs = checked.length === 1 ? 'a job' : `${checked.length} jobs`;
	return new ServiceFailure({
		kind,
		mayHaveExecuted,
		...(httpCode !== undefined && { httpCode }),
		message: `The state of ${jobs} could not be read (${idsOf(checked.map(({ job }) => job))}). ${message} The next polls try again.`,
	});
}

/** The log line for jobs that are not waited for any more; undefined where there are none. */
function givenUpJobs(jobs: readonly WaitingJob[]): ServiceFailure | undefined {
	if (jobs.length === 0) return undefined;
	return new PollFailure({
		trouble: 'jobs given up',
		message: `More than ${MAX_RUNNING} jobs have not ended, so the end of the oldest is not reported (${idsOf(jobs)}). Get reads them.`,
	});
}

function idsOf(jobs: readonly WaitingJob[]): string {
	const shown = jobs.slice(0, MAX_NAMED).map(({ id }) => id);
	return shown.join(', ') + (jobs.length > MAX_NAMED ? ' and others' : '');
}
